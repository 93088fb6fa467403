import Events
import OperatingSystem

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
