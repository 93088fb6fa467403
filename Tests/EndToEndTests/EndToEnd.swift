import Testing

/// Tests of whole programs. One runs at a time, beside the tests of modules: most of them start compilers.
@Suite(.serialized)
enum EndToEnd {}
