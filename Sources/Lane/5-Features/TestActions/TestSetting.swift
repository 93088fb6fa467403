import Expressions
package import LaneModel
package import OperatingSystem
package import TestEngine
import Text

/// The names of test settings that exist only on the command line, and of coverage settings.
package enum TestSetting {
    package static let failed = "failed"
    package static let skipBuild = "skip-build"
    package static let noCapture = "no-capture"
    package static let debugger = "debugger"
    package static let archive = "archive"
    package static let withSources = "with-sources"
    package static let from = "from"
    package static let timings = "timings"
    /// The settings that make sense only if all tests run.
    package static let ofAllTests = [coverageThreshold, changedThreshold]
    /// The settings that select tests by changed files, or name the commit to compare with.
    package static let ofChanges = ["changed", "changed-base", changedBase]
    static let coverageThreshold = "coverage-threshold"
    /// The minimum percentage of the changed lines that tests cover.
    static let changedThreshold = "coverage-changed-threshold"
    /// The branch or commit to compare lines with.
    static let changedBase = "coverage-changed-base"
}

extension TestOptions {
    /// Creates options from the settings of a `test` action.
    package init(_ settings: Settings) throws(OperationFailure) {
        self.init()
        choice.filter = settings.strings("filter") ?? []
        choice.skip = settings.strings("skip") ?? []
        choice.exclusive = settings.strings("exclusive") ?? []
        choice.failedOnly = settings.bool(TestSetting.failed) ?? false
        build.isSkipped = settings.bool(TestSetting.skipBuild) ?? false
        jobs = settings.integer("jobs")
        attempts.retries = settings.integer("retries") ?? 0
        attempts.flakyFails = settings.bool("flaky-fails") ?? false
        attempts.repetitions = settings.integer("repeat") ?? 1
        attempts.failFast = settings.bool("fail-fast") ?? false
        if let timeout = settings.duration("timeout") { times.timeout = timeout }
        times.runTimeout = settings.duration("run-timeout")
        if let slow = settings.duration("slow") { times.slowAfter = slow }
        isolated = settings.bool("isolated") ?? false
        let measures = settings.values.contains { $0.key.hasPrefix("coverage-") && $0.value != .null }
        coverage = settings.bool("coverage") ?? measures
        coverageThreshold = settings.integer(TestSetting.coverageThreshold).map(Double.init)
        if let configuration = settings.string("configuration") { build.configuration = configuration }
        build.system = settings.string("build-system")
        choice.failedFirst = settings.bool("failed-first") ?? false
        if let through = settings.bool("through-swift-test") { throughSwiftTest = through }
        build.sanitizers = settings.strings("sanitize") ?? []
        build.arguments = settings.strings("arguments") ?? []
        rules = try Self.rules(settings)
        quarantine = try Self.quarantine(settings)
        try shareTerminal(settings)
        if let text = settings.string("shard") {
            guard let shard = Shard(text) else {
                throw OperationFailure(
                    status: ExitStatus.usage.rawValue, "expected a part such as 2/4 for 'shard', found '\(text)'")
            }
            choice.shard = shard
            // The threshold is for the coverage of all shards.
            coverageThreshold = nil
        }
    }

    /// Gives the terminal to one test after another. A debugger stops a test for any time, so it has no time limits.
    private mutating func shareTerminal(_ settings: Settings) throws(OperationFailure) {
        debugger = settings.string(TestSetting.debugger).flatMap { TestDebugger(rawValue: $0) }
        isCaptured = debugger == nil && settings.bool(TestSetting.noCapture) != true
        guard !isCaptured else { return }
        guard !throughSwiftTest else {
            throw OperationFailure(
                status: ExitStatus.usage.rawValue, "'swift test' reads the output of the tests that it runs")
        }
        jobs = 1
        guard debugger != nil else { return }
        (times.timeout, times.runTimeout) = (nil, nil)
        times.slowAfter = .seconds(1 << 30)
        rules = []
    }

    /// Omits the settings that make sense only if all tests run, if `changed` selects only some.
    ///
    /// - Returns: The names of omitted settings whose absence can change the result.
    mutating func omitSettingsOfAllTests() -> [String] {
        guard choice.modules != nil else { return [] }
        defer { coverageThreshold = nil }
        return coverageThreshold == nil ? [] : [TestSetting.coverageThreshold]
    }

    private static func rules(_ settings: Settings) throws(OperationFailure) -> [TestRule] {
        var rules: [TestRule] = []
        for entry in entries(of: "rules", settings) {
            guard let patterns = entry.strings("tests"), !patterns.isEmpty else {
                throw OperationFailure(status: ExitStatus.usage.rawValue, "expected 'tests' in each entry of 'rules'")
            }
            var rule = TestRule(patterns: patterns)
            rule.timeout = entry.duration("timeout")
            rule.retries = entry.integer("retries")
            rule.isExclusive = entry.bool("exclusive")
            rule.slowAfter = entry.duration("slow")
            rules.append(rule)
        }
        return rules
    }

    /// Returns the mappings in a list. An expression may result in mappings with other keys.
    private static func entries(of name: String, _ settings: Settings) -> [Settings] {
        guard case .list(let entries)? = settings[name] else { return [] }
        return entries.compactMap { entry in
            guard case .map(let members) = entry else { return nil }
            return Settings(Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first })
        }
    }

    private static func quarantine(_ settings: Settings) throws(OperationFailure) -> [QuarantineEntry] {
        var result: [QuarantineEntry] = []
        for entry in entries(of: "quarantine", settings) {
            guard let pattern = entry.string("test"), let reason = entry.string("reason"),
                let text = entry.string("until"), let date = CivilDate(iso8601: text)
            else {
                throw OperationFailure(
                    status: ExitStatus.usage.rawValue,
                    "expected 'test', 'reason' and 'until' in each entry of 'quarantine'")
            }
            result.append(QuarantineEntry(pattern: pattern, reason: reason, lastDay: date))
        }
        return result
    }
}

extension TestOptions {
    /// Throws an error with all quarantine entries whose last day is over.
    ///
    /// - Parameter time: The time in seconds since 1970.
    func requireCurrentQuarantine(at time: Double) throws(OperationFailure) {
        let today = Instant(secondsSince1970: time).date
        let expired = quarantine.filter { $0.lastDay.daysSince1970 < today.daysSince1970 }
        guard !expired.isEmpty else { return }
        throw OperationFailure(
            status: ExitStatus.refused.rawValue,
            expired.map { "the quarantine of '\($0.pattern)' ended on \($0.lastDay) (\($0.reason))" }
                .joined(separator: "\n") + "\nhint: fix the test and remove the entry, or set a later 'until'")
    }
}
