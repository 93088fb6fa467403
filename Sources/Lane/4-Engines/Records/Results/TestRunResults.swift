package import Events

/// The results of a test run, with the code and the machine that they belong to.
package struct TestRunResults: Sendable, Equatable {
    /// The start of the run, in seconds since 1970.
    package let startedAt: Double
    var origin: TestOrigin
    /// The results of all attempts. The attempts at a test are in order.
    package var results: [AttemptResult]

    init(startedAt: Double, origin: TestOrigin = TestOrigin(), results: [AttemptResult]) {
        self.startedAt = startedAt
        self.origin = origin
        self.results = results
    }
}

/// The result of an attempt at a test.
package struct AttemptResult: Sendable, Equatable {
    /// The result of an attempt. The raw values are part of the file format.
    package enum Outcome: UInt8, Sendable {
        case passed, failed, skipped, crashed, timedOut

        /// A Boolean value that indicates whether the attempt counts as failed.
        var isFailure: Bool { self != .passed && self != .skipped }
    }

    let test: TestID
    package let outcome: Outcome
    /// The number of the attempt, starting at 1. Numbers above 31 are recorded as 31.
    let attempt: Int
    /// The duration in microseconds, or `nil` if it was not measured.
    let microseconds: Int?

    package init(test: TestID, outcome: Outcome, attempt: Int = 1, microseconds: Int? = nil) {
        self.test = test
        self.outcome = outcome
        self.attempt = attempt
        self.microseconds = microseconds
    }

    /// Creates the record of a result. Returns `nil` for a test that did not run.
    package init?(_ result: TestResult) {
        let outcome: Outcome
        switch result.outcome {
        case .passed: outcome = .passed
        case .failed: outcome = .failed
        // The rate of failures is that of the test, also in quarantine.
        case .skipped: outcome = result.isExcused ? .failed : .skipped
        case .crashed: outcome = .crashed
        case .timedOut: outcome = .timedOut
        case .notRun: return nil
        }
        self.init(
            test: result.test, outcome: outcome, attempt: result.attempt,
            microseconds: result.duration.map { Int($0 / .microseconds(1)) })
    }
}
