import Events
import TestSupport
import Testing
import ToolOutput

/// Tests of logs that are truncated, concatenated, or mixed by lines.
@Suite struct JoinedLogTests {
    /// A section of a log.
    struct Part: Sendable {
        let log: Int
        let start: Double
        let end: Double
    }

    struct Join: Sendable {
        let parts: [Part]
        /// A Boolean value that indicates whether the lines of all parts alternate. Otherwise, the parts follow each
        /// other.
        let isMixed: Bool
    }

    static let logs: [(name: String, lines: [[UInt8]])] = LogReaderTests.runs.compactMap { run in
        let bytes = (try? LogReaderTests.bytes(run)) ?? []
        return (run, bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) })
    }

    static let part: Generator<Part> = zip(
        Generator<Int>.integer(in: 0...logs.count - 1), Generator<Double>.real(in: 0...1),
        Generator<Double>.real(in: 0...1)
    ).map { Part(log: $0, start: min($1, $2), end: max($1, $2)) }

    static let joins: Generator<Join> = zip(
        part.array(count: 1...4), Generator<Int>.integer(in: 0...3)
    ).map { Join(parts: $0, isMixed: $1 == 3) }

    static func lines(_ join: Join) -> [[UInt8]] {
        let parts = join.parts.map { part in
            let lines = logs[part.log].lines
            let count = Double(lines.count)
            return Array(lines[Int(part.start * count)..<Int(part.end * count)])
        }
        guard join.isMixed else { return Array(parts.joined()) }
        let longest = parts.map(\.count).max() ?? 0
        return (0..<longest).flatMap { row in parts.compactMap { row < $0.count ? $0[row] : nil } }
    }

    static let events = LogReaderTests.runs.filter { $0.hasSuffix("jsonl") || ["08", "11", "15"].contains($0) }

    /// Returns a Boolean value that indicates whether a tool reports a failure in a line.
    static func tellsFailure(_ line: [UInt8]) -> Bool {
        let text = String(decoding: line.filter { $0 != 0x0D }, as: UTF8.self)
        if text.contains("\u{1B}") { return false }
        if text.hasPrefix("Test Case '"), text.contains("' failed ("), text.hasSuffix(" seconds)") { return true }
        if text.hasPrefix("Test case '"), text.contains("' failed on '"), text.contains(" seconds)") { return true }
        if text.hasPrefix("Test Suite '"), text.contains("' failed at ") { return true }
        if text.hasPrefix("✘ Test "), text.contains("() failed after ") || text.hasPrefix("✘ Test run with ") {
            return text.hasSuffix(".")
        }
        if text.hasPrefix("** "), text.hasSuffix(" FAILED **") { return true }
        guard text.hasPrefix("/"), let mark = text.firstRange(of: ": error: -[") else { return false }
        return text[mark.upperBound...].contains("] : ")
    }

    @Test func failureLinesMakeTheLogFail() {
        checkProperty("a failed line makes a joined log red", Self.joins, cases: 100) { join in
            let lines = Self.lines(join)
            guard let line = lines.first(where: Self.tellsFailure) else { return true }
            let log = ReadLog(Array(lines.joined(separator: [0x0A])))
            return log.verdict.isFailure
                ? true : try expectEqual("green", "red, because of \(String(decoding: line, as: UTF8.self))")
        }
    }

    /// The reports and the exit status use the same totals.
    @Test(arguments: [true, false]) func successMeansThatNothingFailed(forgetsPassing: Bool) {
        checkProperty("green totals hold no failure, \(forgetsPassing)", Self.joins, cases: 80) { join in
            let log = ReadLog(
                Array(Self.lines(join).joined(separator: [0x0A])), namesPassing: !forgetsPassing)
            var summary = RunSummary(passed: forgetsPassing ? .counts : .records)
            for (number, kind) in log.kinds.enumerated() {
                summary.receive(LaneEvent(number: number, offset: .zero, step: nil, kind: kind))
            }
            let hadFailures = summary.hasFailures
            let end = RunEnd(status: 0, duration: .zero)
            summary.receive(LaneEvent(number: log.kinds.count, offset: .zero, step: nil, kind: .runEnded(end)))
            guard summary.hasFailures == hadFailures else { return try expectEqual(summary.hasFailures, hadFailures) }
            guard summary.counts.ended == summary.counts.planned else {
                return try expectEqual(summary.counts.ended, summary.counts.planned)
            }
            return log.verdict.isFailure || !summary.hasFailures
        }
    }

    @Test(arguments: [
        "Command line invocation:\n    /usr/bin/xcodebuild -scheme M test\n\n", "[1/2] Compiling M X.swift\n\n",
        "Test Suite 'All tests' started at 2026-01-01 00:00:00.000\n", "\u{25C7} Test run started.\n", "",
        "note: Building targets in dependency order\n\n",
    ])
    func failuresWithoutTheirTestMakeTheLogFail(header: String) {
        let line = "/Users/a/X.swift:13: error: -[M.C testA] : XCTAssertEqual failed: 1\n"
        let log = ReadLog(Array((header + line).utf8), root: "/Users/a")
        #expect(log.verdict.isFailure)
        #expect(log.ended.map(\.outcome) == [.failed])
        #expect(log.ended.map { "\($0.test)" } == ["M.C/testA"])
        #expect(log.issues.map(\.location) == [SourceLocation(path: "X.swift", line: 13)])
    }

    @Test(arguments: [true, false]) func lateFailuresMakeTheirTestFail(namesPassing: Bool) {
        let text = """
            Test Suite 'All tests' started at 2026-01-01 00:00:00.000
            Test Case 'C.testA' started at 2026-01-01 00:00:00.000
            Test Case 'C.testA' passed (0.1 seconds)
            Test Case 'C.testB' started at 2026-01-01 00:00:00.000
            Test Case 'C.testB' passed (0.0 seconds)
            Test Case 'C.testC' started at 2026-01-01 00:00:00.000
            Test Case 'C.testC' passed (0.0 seconds)
            /p/X.swift:3: error: C.testB : failed - too late
            Test Suite 'All tests' failed at 2026-01-01 00:00:01.000
            \t Executed 3 tests, with 1 failure (0 unexpected) in 0.2 (0.2) seconds

            """
        let log = ReadLog(Array(text.utf8), root: "/p", namesPassing: namesPassing)
        var summary = RunSummary(passed: namesPassing ? .records : .counts)
        for (number, kind) in log.kinds.enumerated() {
            summary.receive(LaneEvent(number: number, offset: .zero, step: nil, kind: kind))
        }
        #expect(log.verdict.isFailure)
        #expect(summary.counts.planned == 3)
        #expect(summary.counts.passed == 2)
        #expect(summary.counts.failed == 1)
    }
}
