import TestSupport
import Testing

/// Tests of whole programs.
@Suite(.startsPrograms)
enum EndToEnd {}
