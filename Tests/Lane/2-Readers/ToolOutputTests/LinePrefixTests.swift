import Events
import TestSupport
import Testing
import ToolOutput

/// Tests of the prefixes that CI services and container tools put before the lines of a log.
@Suite struct LinePrefixTests {
    /// The prefix of a line with a number, for each source.
    static let sources: [(name: String, prefix: @Sendable (Int) -> String)] = [
        ("GitHub", { "2026-11-22T10:00:0\($0 % 10).1234567Z " }),
        ("gh", { "test (ubuntu)\tRun swift test\t2026-11-22T10:00:0\($0 % 10).1234567Z " }),
        ("GitLab", { "2026-11-22T10:00:0\($0 % 10).123456Z 00\($0 % 2 == 0 ? "O" : "E") " }),
        ("Jenkins", { "[2026-11-22T10:00:0\($0 % 10).123Z] " }), ("Jenkins's clock", { "10:00:0\($0 % 10)  " }),
        ("Buildkite", { "\u{1B}_bk;t=17323\($0)\u{07}" }), ("compose", { _ in "app-1  | " }),
        ("colored compose", { _ in "\u{1B}[36mapp-1  | \u{1B}[0m" }),
        ("BuildKit", { "#12 \($0).\($0 * 7)  " }), ("indentation", { _ in "    " }), ("a name", { _ in "[linux] " }),
        ("Kubernetes", { "2026-11-22T10:00:0\($0 % 10).123456789Z stdout F " }), ("act", { _ in "[CI/test]   | " }),
        ("TeamCity", { "[10:00:0\($0 % 10)]\t[Step 1/2] " }), ("a number of a line", { "\($0): " }),
        ("GitHub and BuildKit", { "2026-11-22T10:00:00.1234567Z #9 \($0).1 " }),
    ]

    @Test(arguments: ["02-default-merged", "07-st-only", "06-xctest-only", "42-link-error", "71-xcodebuild-test"])
    func prefixesDoNotMatter(run: String) throws {
        let bytes = try LogReaderTests.bytes(run)
        let root = LogReaderTests.root(run)
        let expected = ReadLog(bytes, root: root)
        for (name, prefix) in Self.sources {
            let log = ReadLog(Self.prefixed(bytes, prefix), root: root)
            #expect(log.verdict == expected.verdict, "\(name)")
            #expect(log.ended == expected.ended, "\(name)")
        }
    }

    private static func prefixed(_ bytes: [UInt8], _ prefix: (Int) -> String) -> [UInt8] {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
        return lines.enumerated().flatMap { number, line in Array(prefix(number).utf8) + line + [0x0A] }
    }

    /// A cut log is red, unless it contains the line with the result.
    @Test func cutLogsWithPrefixesFail() {
        let cuts = zip(
            Generator<Int>.integer(in: 0...LogReaderTests.runs.count - 1),
            Generator<Int>.integer(in: 0...Self.sources.count - 1), Generator<Double>.real(in: 0...0.9999))
        checkProperty("cut logs with prefixes fail", cuts, cases: 40) { run, source, place in
            let run = LogReaderTests.runs[run]
            let bytes = Self.prefixed(try LogReaderTests.bytes(run), Self.sources[source].prefix)
            let end = Int(place * Double(bytes.count))
            let line = bytes[..<end].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            for cut in [bytes[..<end], bytes[..<line]] {
                let isGreen = TruncatedLogTests.isGreen(ReadLog(Array(cut), root: LogReaderTests.root(run)))
                if isGreen, !TruncatedLogTests.hasResult(cut) { return false }
            }
            return true
        }
    }

    /// The lines of the first tests precede those of suites and runs.
    @Test func countersHavePrefixes() {
        let lines = ["[1/2] Testing A.B/c", "[2/2] Testing A.B/d"]
        let log = ReadLog(Array(lines.map { "app-1  | \($0)\n" }.joined().utf8))
        #expect(log.ended.map(\.test.name) == ["c", "d"])
    }

    /// A log without prefixes is not changed, whatever tests print.
    @Test func outputBeforeALineIsNoPrefix() {
        let log = ReadLog(
            Array(
                """
                ◇ Test run started.
                ◇ Test a() started.
                tag: Test Case 'A.b' started at 2026-11-22 21:52:07.515
                tag: print
                ✔ Test a() passed after 0.001 seconds.
                ✔ Test run with 1 test in 0 suites passed after 0.001 seconds.

                """.utf8))
        #expect(log.text.contains("tag: print"))
    }
}
