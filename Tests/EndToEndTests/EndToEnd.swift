import TestSupport
import Testing

/// Tests of whole programs. Two run at a time, beside the tests of modules: many of them start compilers, and others wait.
@Suite(TurnTaking(gate))
enum EndToEnd {}

private let gate = TurnTaking.Gate(2)
