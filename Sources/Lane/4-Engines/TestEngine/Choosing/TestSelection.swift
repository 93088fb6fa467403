import Events
import OperatingSystem
package import Text

/// The selected tests of a run.
struct TestSelection {
    /// The tests in the order of the list.
    var tests: [ListedTest] = []
    /// A Boolean value that indicates whether `--failed` selects all tests, because the last run failed without one of
    /// them.
    private(set) var runsAllAfterFailure = false
    /// The part of the selected tests, if they are divided.
    var part: TestShard?
    /// The reason why no test is selected, if none is.
    var emptiness: Emptiness?

    enum Emptiness: Equatable {
        case noTests
        case noMatch(patterns: [String], nearest: [String])
        case allSkipped(patterns: [String])
        /// No selected test is in the modules to run.
        case noneConcerned
        /// The option `--failed` is set, and the selected tests succeeded in the last run. `others` tests did not.
        case noneFailed(others: Int)
        /// The option `--failed` is set, and no earlier run has recorded any of the selected tests.
        case noneRecorded
        /// The shard has no tests, because there are more shards than tests.
        case emptyShard(Shard)
    }

    init(
        of listed: [ListedTest], options: TestOptions, history: TestHistory?,
        duration: (TestID) -> Duration? = { _ in nil }
    ) throws(TestEngineFailure) {
        guard !listed.isEmpty else {
            emptiness = .noTests
            return
        }
        var chosen = Set(listed.indices)
        if !options.choice.filter.isEmpty {
            chosen = try TestPattern.matches(options.choice.filter, in: listed)
            if chosen.isEmpty {
                emptiness = .noMatch(
                    patterns: options.choice.filter, nearest: nearestNames(to: options.choice.filter, in: listed))
                return
            }
        }
        chosen.subtract(try TestPattern.matches(options.choice.skip, in: listed))
        if chosen.isEmpty {
            emptiness = .allSkipped(patterns: options.choice.skip)
            return
        }
        if let modules = options.choice.modules {
            chosen = chosen.filter { modules.contains(listed[$0].id.module) }
            if chosen.isEmpty {
                part = options.choice.shard?.description(of: [])
                emptiness = .noneConcerned
                return
            }
        }
        if options.choice.failedOnly {
            let failed = chosen.filter { history?.isOutstanding(listed[$0].id) == true }
            if !failed.isEmpty {
                chosen = failed
            } else if history?.hasFailedRun == true {
                // The last run failed outside any test, or its tests have other names now.
                runsAllAfterFailure = true
            } else {
                guard let history, chosen.contains(where: { history.knows(listed[$0].id) }) else {
                    emptiness = .noneRecorded
                    return
                }
                emptiness = .noneFailed(others: listed.count { history.isOutstanding($0.id) })
                return
            }
        }
        tests = chosen.sorted().map { listed[$0] }
        if let shard = options.choice.shard {
            part = shard.description(of: tests.map(\.id))
            let part = shard.part(of: tests.map(\.id), duration: duration)
            tests.removeAll { !part.contains($0.id) }
            if tests.isEmpty { emptiness = .emptyShard(shard) }
        }
        for index in try TestPattern.matches(options.choice.exclusive, in: tests) { tests[index].isExclusive = true }
    }
}

/// Returns up to three names of tests, suites or modules that are similar to patterns without matches. For a directory, it
/// returns the pattern of its files.
func nearestNames(to patterns: [String], in tests: [ListedTest]) -> [String] {
    var candidates: Set<String> = []
    for test in tests {
        let name = test.id.name.split(separator: "(").first.map(String.init) ?? test.id.name
        candidates.formUnion([test.id.module, test.id.suite, test.id.name, name, test.id.description])
        candidates.formUnion(test.id.suite.split(separator: "/").map(String.init))
        if !test.id.suite.isEmpty {
            candidates.formUnion(["\(test.id.module).\(test.id.suite)", "\(test.id.suite)/\(test.id.name)"])
        }
        if let displayName = test.info.displayName { candidates.insert(displayName) }
        candidates.formUnion(test.suiteDisplayNames)
    }
    candidates.remove("")
    var found: [String] = []
    for pattern in patterns {
        let directory = pattern.hasSuffix("/") ? pattern : pattern + "/"
        if tests.contains(where: { $0.info.location?.path.hasPrefix(directory) == true }) {
            found.append(directory + "*.swift")
            continue
        }
        let word = pattern.filter { !"^$*|\\".contains($0) }
        let sameLetters = candidates.filter { $0.lowercased().contains(word.lowercased()) }.min()
        if !word.isEmpty, let name = sameLetters ?? nearest(to: word, among: candidates.sorted()),
            !found.contains(name)
        {
            found.append(name)
        }
    }
    return Array(found.prefix(3))
}

/// A test in the list of its binary.
struct ListedTest: Sendable, Equatable {
    var info: TestInfo
    /// The index of the binary in the run.
    let binary: Int
    /// The name in the binary: `Module.Class/method`, or the ID in the event stream, which ends with the location.
    let selector: String
    /// A Boolean value that indicates whether another test of the suite has the same name. The ID then contains the
    /// location.
    var hasDuplicateName = false
    /// A Boolean value that indicates whether the test runs alone, because it measures performance or the settings
    /// require it.
    var isExclusive = false
    /// The index of the first rule that matches the test.
    var rule: Int?
    /// The time limit, the time after which the running test is reported, and the number of retries of the rule.
    var timeout: Duration?
    var slowAfter: Duration?
    var retries: Int?
    /// The reason for the test's quarantine, or `nil` if its failures fail the run.
    var quarantine: String?
    /// The display names of its suites, outermost first.
    var suiteDisplayNames: [String] = []

    var id: TestID { info.id }

    /// The name of the class in XCTest's output, without the enclosing types.
    var className: Substring {
        let dot = id.suite.utf8.lastIndex(of: UInt8(ascii: "."))
        return id.suite[(dot.map { id.suite.utf8.index(after: $0) } ?? id.suite.startIndex)...]
    }

    /// Returns a Boolean value that indicates whether the name of a function on a stack is that of the test or of a
    /// closure in it.
    func isPart(of function: String) -> Bool {
        let suite = SuiteID(id).functionPrefix
        return function.contains(".\(suite.isEmpty ? "" : suite + ".")\(id.name.prefix { $0 != "(" })(")
    }

    /// The names in XCTest's output on Linux and macOS.
    var printedNames: [String] { ["\(className).\(id.name)", "-[\(id.module).\(id.suite) \(id.name)]"] }

    /// The ID in the events of parsers. XCTest's output contains only the last component of a nested class, and names
    /// in the event stream contain no location.
    var parserID: TestID {
        switch id.library {
        case .xctest: TestID(library: .xctest, module: id.module, suite: String(className), name: id.name)
        case .swiftTesting: TestID(library: .swiftTesting, module: id.module, suite: id.suite, name: functionName)
        }
    }

    /// The ID in XCTest's output through `swift test`, which contains no module on Linux.
    var relayedID: TestID {
        let id = parserID
        return id.library == .xctest ? TestID(library: .xctest, module: "", suite: id.suite, name: id.name) : id
    }

    /// The name of the function without its location, which may contain spaces.
    var functionName: String {
        guard hasDuplicateName, let slash = selector.utf8.lastIndex(of: UInt8(ascii: "/")) else { return id.name }
        // The slash before the location has the same length as the space.
        return String(Substring(id.name.utf8.dropLast(selector.utf8[slash...].count)))
    }

    /// The names that patterns are compared with.
    var names: [String] {
        var names = [id.description, id.suite.isEmpty ? id.name : "\(id.suite)/\(id.name)"]
        if let displayName = info.displayName { names.append(displayName) }
        if selector != names[0] { names.append(selector) }
        return names + suiteDisplayNames
    }
}

extension SuiteID {
    /// The suite in the names of its functions on a stack.
    var functionPrefix: String { suite.split(separator: "/").joined(separator: ".") }
}

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
                events.report(
                    .warning, "rule \(number + 1) (\(rule.patterns.joined(separator: ", "))) matches no test\(hint)")
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
                events.report(.warning, "the quarantine of '\(entry.pattern)' matches no test\(hint)")
            }
        }
        return tests
    }

    /// Reports the quarantined tests that failed.
    func reportQuarantined(_ results: [TestResult], among tests: [ListedTest]) {
        let reasons = Dictionary(tests.map { ($0.id, $0.quarantine) }, uniquingKeysWith: { first, _ in first })
        for result in results where result.outcome.isFailure {
            guard let reason = reasons[result.test] ?? nil else { continue }
            events.report(.warning, "\(result.test) failed, and is \(reason)")
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
            result.isExcused = true
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
