import Events
import OperatingSystem
package import Text

/// A rule for some tests, in place of the options of the run. The first rule that matches a test decides.
package struct TestRule: Sendable, Equatable {
    /// The tests; see `TestPattern`.
    let patterns: [String]
    /// The time limit of each test.
    package var timeout: Duration?
    /// The number of retries.
    package var retries: Int?
    /// A Boolean value that indicates whether the tests run alone.
    package var isExclusive: Bool?
    /// The time after which a running test is reported.
    package var slowAfter: Duration?

    package init(patterns: [String]) { self.patterns = patterns }

    /// The options in the form of a lane file: `timeout: 2m, retries: 2`.
    var text: String {
        let parts: [(String, String?)] = [
            ("timeout", timeout?.inWords), ("retries", retries.map(String.init)),
            ("exclusive", isExclusive.map(String.init)), ("slow", slowAfter?.inWords),
        ]
        let members = parts.compactMap { name, value in value.map { "\(name): \($0)" } }
        return members.isEmpty ? "no options" : members.joined(separator: ", ")
    }
}

extension TestEngine {
    /// Returns the tests with their rules. Warns of rules that match none of `all`.
    func ruled(_ tests: [ListedTest], among all: [ListedTest]) throws(TestEngineFailure) -> [ListedTest] {
        var tests = tests
        for (number, rule) in options.rules.enumerated() {
            let isKnown = try !TestPattern.matches(rule.patterns, in: all).isEmpty
            if !isKnown {
                let hint = nearestNames(to: rule.patterns, in: all).first.map { "; did you mean '\($0)'?" } ?? ""
                send(
                    .message(
                        Message(
                            .warning,
                            "rule \(number + 1) (\(rule.patterns.joined(separator: ", "))) matches no test\(hint)")))
            }
            for index in try TestPattern.matches(rule.patterns, in: tests) where tests[index].rule == nil {
                tests[index].rule = number
                tests[index].timeout = rule.timeout
                tests[index].slowAfter = rule.slowAfter
                tests[index].retries = rule.retries
                tests[index].isExclusive = rule.isExclusive ?? tests[index].isExclusive
            }
        }
        return tests
    }

    /// Returns the rule of a test in words: `rule 2, timeout: 2 min`.
    func ruleText(of test: ListedTest) -> String? {
        test.rule.map { "rule \($0 + 1), \(options.rules[$0].text)" }
    }
}

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
