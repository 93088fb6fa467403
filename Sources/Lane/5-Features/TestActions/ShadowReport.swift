import ChangeImpact
import Events
import Text

/// The failures in a run of all tests that a selection by changed files would have missed.
struct ShadowReport {
    private let decision: ImpactDecision
    private let attempts: [TestResult]

    /// - Parameter attempts: The results of all attempts of all tests.
    init(_ decision: ImpactDecision, _ attempts: [TestResult]) {
        self.decision = decision
        self.attempts = attempts
    }

    /// The tests that failed in their last attempt.
    private var failed: [TestID] {
        var last: [TestID: TestResult.Outcome] = [:]
        for result in attempts { last[result.test] = result.outcome }
        return last.filter { test in
            switch test.value {
            case .failed, .crashed, .timedOut: true
            case .passed, .skipped, .notRun: false
            }
        }.keys.sorted()
    }

    /// The failed tests that would not have run.
    var missed: [TestID] {
        failed.filter { !isSelected($0) }
    }

    private func isSelected(_ test: TestID) -> Bool {
        decision.modules?.contains(test.module) != false
    }

    /// The result as one line of text.
    var text: String {
        let tests = Set(attempts.map(\.test))
        let selected = tests.filter(isSelected)
        let failures =
            failed.isEmpty
            ? "no test failed" : "\(missed.count) of \(count(failed.count, "failure")) would have been missed"
        return "'changed' would have run \(selected.count) of \(count(tests.count, "test")); \(failures)"
    }
}
