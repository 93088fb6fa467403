import LaneEvents
import Text

/// An import of a run from a JUnit XML report, such as those of `lane`, `swift test` and Surefire.
enum JUnitImport {
    /// Returns the run, or `nil` if the file has no `testsuite`.
    ///
    /// - Parameter startedAt: The start of the run if the report has no `timestamp`, in seconds since 1970.
    static func run(in bytes: [UInt8], commit: String?, startedAt: Double) -> RecordedRun? {
        var reader = JUnitReader()
        XMLTags(bytes).forEach { reader.read($0) }
        guard reader.hasSuite else { return nil }
        return RecordedRun(
            startedAt: reader.timestamp ?? startedAt, commit: commit, results: reader.results)
    }
}

private struct JUnitReader {
    private(set) var results: [RecordedResult] = []
    private(set) var hasSuite = false
    private(set) var timestamp: Double?
    /// The test case whose end was not read.
    private var current: Case?

    private struct Case {
        let test: TestID
        let microseconds: Int?
        var outcomes: [RecordedResult.Outcome] = []
        var isFlaky = false
    }

    mutating func read(_ tag: XMLTags.Tag) {
        switch (tag.name, tag.isEnd) {
        case ("testsuite", false):
            hasSuite = true
            if timestamp == nil { timestamp = tag["timestamp"].flatMap(Self.seconds) }
        case ("testcase", false):
            current = Case(test: Self.test(tag), microseconds: Self.microseconds(tag["time"]))
            if tag.isEmpty { endCase() }
        case ("testcase", true): endCase()
        case ("failure", false), ("rerunFailure", false): add(tag["type"] == "timeout" ? .timedOut : .failed)
        case ("error", false), ("rerunError", false):
            // `lane` reports a test without a result as an error of this type.
            if tag["type"] == "notRun" { current = nil } else { add(tag["type"] == "timeout" ? .timedOut : .crashed) }
        case ("flakyFailure", false), ("flakyError", false):
            add(tag.name == "flakyError" ? .crashed : .failed)
            current?.isFlaky = true
        case ("skipped", false): add(.skipped)
        default: break
        }
    }

    private mutating func add(_ outcome: RecordedResult.Outcome) { current?.outcomes.append(outcome) }

    private mutating func endCase() {
        guard var ended = current else { return }
        current = nil
        if ended.outcomes.isEmpty || ended.isFlaky { ended.outcomes.append(.passed) }
        for (index, outcome) in ended.outcomes.enumerated() {
            let isLast = index == ended.outcomes.count - 1
            results.append(
                RecordedResult(
                    test: ended.test, outcome: outcome, attempt: index + 1,
                    microseconds: isLast ? ended.microseconds : nil))
        }
    }

    /// Returns the test of a case whose class name is `Module.Suite`. A name with parentheses belongs to Swift Testing.
    private static func test(_ tag: XMLTags.Tag) -> TestID {
        let name = tag["name"] ?? ""
        let parts = (tag["classname"] ?? "").split(separator: ".", maxSplits: 1).map(String.init)
        return TestID(
            library: name.utf8.contains(UInt8(ascii: "(")) ? .swiftTesting : .xctest, module: parts.first ?? "",
            suite: parts.count > 1 ? parts[1] : "", name: name)
    }

    /// Converts a UTC time such as `2026-11-21T09:41:07` to seconds since 1970. Ignores a fraction and a time zone.
    private static func seconds(of timestamp: String) -> Double? {
        let clock = timestamp.dropFirst(11).prefix(8).split(separator: ":").compactMap { Double($0) }
        guard let date = CivilDate(iso8601: timestamp.prefix(10)), clock.count == 3 else { return nil }
        return Double(date.daysSince1970) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }

    private static func microseconds(_ text: String?) -> Int? {
        guard let seconds = text.flatMap({ Double($0) }), (0...31_536_000).contains(seconds) else { return nil }
        return Int(seconds * 1_000_000)
    }
}
