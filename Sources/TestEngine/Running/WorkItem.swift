import LaneEvents

/// One attempt at one test that is still to be made.
struct WorkItem: Sendable, Equatable {
    enum Company: Sendable, Comparable {
        /// In one process with any others.
        case any
        /// In one process with others of this kind, strictly one test after the other, so that whoever ends the process
        /// is known.
        case serial
        /// In a process of its own.
        case none
    }

    /// Its place in the run's list of tests.
    let test: Int
    var attempt = 1
    var company = Company.any
    /// What XCTest prints did not tell how it ended, so it runs with the observer.
    var isObserved = false
}

/// What one test process is asked to run.
struct Batch: Sendable, Equatable {
    let items: [WorkItem]
    let binary: Int
    let library: TestLibrary
    /// Runs with the observer in its process, as all of its items ask.
    var isObserved = false
    /// Runs its tests one after the other.
    let isSerial: Bool
    /// Of both libraries and all binaries, for `swift test`.
    var isWhole = false
}
