import Events

/// A pending attempt at a test.
struct WorkItem: Sendable, Equatable {
    enum Isolation: Sendable, Comparable {
        /// The test may share a process with all other tests.
        case any
        /// The test may share a process with other tests of this kind. They run one after another, so the cause of a
        /// crash is known.
        case serial
        /// The test has its own process.
        case ownProcess
    }

    /// The index of the test in the run.
    let test: Int
    var attempt = 1
    var isolation = Isolation.any
    /// A Boolean value that indicates whether the test runs with the observer, because its result was missing in
    /// XCTest's output.
    var isObserved = false
}

/// The tests of one process.
struct Batch: Sendable, Equatable {
    let items: [WorkItem]
    let binary: Int
    let library: TestLibrary
    /// A Boolean value that indicates whether the process runs with the observer.
    var isObserved = false
    /// A Boolean value that indicates whether the tests run one after another.
    let isSerial: Bool
    /// A Boolean value that indicates whether the batch contains tests of both libraries and all binaries, for `swift
    /// test`.
    var isWhole = false
}
