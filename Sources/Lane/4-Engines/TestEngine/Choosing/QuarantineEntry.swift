import Events
package import Text

/// Tests whose failures are reported but do not fail the run, up to a date.
package struct QuarantineEntry: Sendable, Equatable {
    /// The tests; see `TestPattern`.
    package let pattern: String
    package let reason: String
    /// The last day of the quarantine.
    package let lastDay: CivilDate

    package init(pattern: String, reason: String, lastDay: CivilDate) {
        self.pattern = pattern
        self.reason = reason
        self.lastDay = lastDay
    }

    fileprivate var text: String { "quarantined until \(lastDay): \(reason)" }
}

extension TestEngine {
    /// Returns the tests with the reasons of their quarantine. Warns of entries that match none of `all`.
    func quarantined(_ tests: [ListedTest], among all: [ListedTest]) throws(TestEngineFailure) -> [ListedTest] {
        var tests = tests
        for entry in options.quarantine {
            let pattern = TestPattern(entry.pattern)
            for index in try pattern.matches(in: tests) { tests[index].quarantine = entry.text }
            if try pattern.matches(in: all).isEmpty {
                let hint = nearestNames(to: [entry.pattern], in: all).first.map { "; did you mean '\($0)'?" } ?? ""
                send(.message(Message(.warning, "the quarantine of '\(entry.pattern)' matches no test\(hint)")))
            }
        }
        return tests
    }

    /// Reports the quarantined tests that failed.
    func reportQuarantined(_ results: [TestResult], among tests: [ListedTest]) {
        let reasons = Dictionary(tests.map { ($0.id, $0.quarantine) }, uniquingKeysWith: { first, _ in first })
        for result in results where result.outcome.isFailure {
            guard let reason = reasons[result.test] ?? nil else { continue }
            send(.message(Message(.warning, "\(result.test) failed, and is \(reason)")))
        }
    }
}

extension TestEvent {
    /// Returns the event with failures of quarantined tests as known issues, and with quarantined tests that failed as
    /// skipped.
    func excusing(_ quarantined: [TestID: String]) -> TestEvent {
        switch self {
        case .issue(var issue):
            guard issue.severity == .failure, let test = issue.test, quarantined[test] != nil else { return self }
            issue.severity = .known
            return .issue(issue)
        case .ended(var result):
            guard result.outcome.isFailure, let reason = quarantined[result.test] else { return self }
            result.outcome = .skipped(reason: "\(result.outcome.verb), and is \(reason)")
            return .ended(result)
        default: return self
        }
    }
}

extension TestResult.Outcome {
    fileprivate var verb: String {
        switch self {
        case .crashed: "crashed"
        case .timedOut: "timed out"
        default: "failed"
        }
    }
}
