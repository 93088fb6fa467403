import Events
import OperatingSystem
import TestSupport
import Testing

/// The report for coding agents of all recorded logs.
@Suite struct AgentReportTests {
    private static let logs = repositoryRoot + "/Tests/Lane/2-Readers/ToolOutputTests/Golden/logs"

    private static func root(of log: String) -> String {
        switch log.prefix(2) {
        case "20"..."33": "/src/Crash"
        case "40"..."43": "/src/Broken"
        case "70"..."72": "/src/App"
        default: "/src/Demo"
        }
    }

    /// Returns the files of each recorded run. Its two outputs are one log, the second after the first.
    private static func runs() throws -> [(name: String, files: [String])] {
        let files = try entries(of: logs).sorted()
        let names = Dictionary(grouping: files) { file in
            file.hasSuffix(".out") || file.hasSuffix(".err") ? String(file.dropLast(4)) : file
        }
        return names.map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
    }

    private struct Condensed {
        let text: String
        let run: RunSummary
    }

    private static func condense(_ log: String, in session: Session, root: String) throws -> Condensed {
        let events = "\(session.directory.path)/events.jsonl"
        let text = try session.run("condense", log, "--root", root, "--report", "agent", "--events", events).output
        var run = RunSummary()
        for line in try readFile(events).split(separator: UInt8(ascii: "\n")) {
            if let event = try EventLineDecoder.decode(Array(line)) { run.receive(event) }
        }
        return Condensed(text: text, run: run)
    }

    /// Returns the failures of a run that a report does not contain with line and values.
    private static func missing(in condensed: Condensed) -> [String] {
        let lines = condensed.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let errors = condensed.run.diagnostics.filter { $0.severity == .error }.map { ($0.location, $0.message) }
        let failed = condensed.run.tests { $0.outcome?.isFailure == true }.map(\.test)
        let issues = failed.flatMap { $0.attempts.last?.failures ?? [] }.map { ($0.location, $0.text) }
        let outside = condensed.run.failuresOutsideTests.map { ($0.location, $0.text) }
        let named = failed.filter { test in
            !condensed.text.contains(test.id.name.split(separator: "()").joined())
        }.map(\.id.description)
        return named
            + (errors + issues + outside).filter { location, text in
                let first = text.split(separator: "\n").first.map(String.init) ?? ""
                let path = location?.path ?? ""
                return !condensed.text.contains(path)
                    || !lines.contains { line in
                        values(of: first).allSatisfy(line.contains)
                            && (location.map { line.contains("\($0.line)") } ?? true)
                    }
            }.map { "\($0?.text ?? "nowhere"): \($1)" }
    }

    /// Returns the words of a failure's text that contain a digit, a quote or a dot. The report may omit others.
    private static func values(of text: String) -> [String] {
        text.split { " ()\"".contains($0) }.map(String.init).filter { word in
            word.contains { $0.isNumber || "'.[→".contains($0) }
        }
    }

    /// Returns the bytes of the names, lines and texts of a run's failures, as the log has them.
    private static func rawBytes(of run: RunSummary) -> Int {
        let failed = run.tests { $0.outcome?.isFailure == true }.map(\.test)
        let issues = failed.flatMap { $0.attempts.last?.failures ?? [] }.map { ($0.location, $0.text) }
        let errors = run.diagnostics.filter { $0.severity == .error }.map { ($0.location, $0.message) }
        let outside = run.failuresOutsideTests.map { ($0.location, $0.text) }
        return failed.reduce(0) { $0 + $1.id.name.utf8.count }
            + (issues + errors + outside).reduce(0) { sum, failure in
                sum + failure.1.utf8.count + (failure.0.map { "\($0.line)".utf8.count } ?? 0)
            }
    }

    /// All failures are in the report, which has at most 5 % of the logs' bytes. The golden has the sizes, and those of
    /// names, lines and texts alone.
    @Test func noFailureOfTheRecordedLogsIsLost() throws {
        let session = try Session()
        var rows: [String] = []
        var totals = (raw: 0, report: 0, names: 0, failures: 0)
        for (log, files) in try Self.runs() {
            let bytes = try files.flatMap { try readFile("\(Self.logs)/\($0)") }
            try writeFile(bytes, to: "\(session.directory.path)/log.txt")
            let condensed = try Self.condense(
                "\(session.directory.path)/log.txt", in: session, root: Self.root(of: log))
            #expect(Self.missing(in: condensed) == [], "\(log)")
            let run = condensed.run
            let failures =
                run.tests { $0.outcome?.isFailure == true }.count + run.failuresOutsideTests.count
                + run.diagnostics.count { $0.severity == .error }
            let (raw, report) = (bytes.count, condensed.text.utf8.count)
            let names = Self.rawBytes(of: run)
            totals = (totals.raw + raw, totals.report + report, totals.names + names, totals.failures + failures)
            rows.append("\(log): \(raw) bytes, report \(report), names and texts \(names), \(failures) failures")
        }
        rows.append(
            "total: \(totals.raw) bytes, report \(totals.report), names and texts \(totals.names), \(totals.failures) failures"
        )
        #expect(totals.report * 20 <= totals.raw)
        expectGolden(rows.map { $0 + "\n" }.joined(), "agent-sizes.txt")
    }

    /// A test of `xcodebuild` is run again with the options of the log.
    @Test func xcodebuildIsNamed() throws {
        let log = "\(Self.logs)/71-xcodebuild-test.out"
        let condensed = try Self.condense(log, in: try Session(), root: "/src/App")
        #expect(
            condensed.text == """
                Tests/AppTests/MathTests.swift
                10 testFail: 3 == 4 - sum was
                 wrong
                AppTests/MathTests.swift
                30 testDies: Fatal error: Unexpectedly found nil while unwrapping an Optional value
                rerun one: xcodebuild -scheme App test -only-testing:AppTests/MathTests/testFail
                4 passed, 1 failed, 1 crashed

                """)
    }

    /// The report grows with the failures, not with the log: that of 1,000 tests with 18 failures has at most a twentieth
    /// of its bytes.
    @Test func aLongLogHasAShortReport() throws {
        let log = String(decoding: try readFile("\(Self.logs)/02-default-merged.out"), as: UTF8.self)
        let passing = log.split(separator: "\n").filter {
            $0.contains("MathTests.testPass") || $0.contains("MathTests.testAsync")
        }
        var lines: [String] = []
        for number in 1...490 {
            lines += passing.map { $0.split(separator: "MathTests").joined(separator: "Math\(number)Tests") }
        }
        let marker = "Test Suite 'MathTests' started"
        let parts = log.split(separator: marker, maxSplits: 1)
        let long = parts[0] + lines.joined(separator: "\n") + "\n" + marker + parts[1]
        let session = try Session(["log.txt": String(long)])
        let condensed = try Self.condense("\(session.directory.path)/log.txt", in: session, root: "/src/Demo")
        #expect(condensed.run.counts.failed == 18 && condensed.run.counts.planned > 1000, "\(condensed.run.counts)")
        #expect(Self.missing(in: condensed) == [])
        #expect(condensed.text.utf8.count * 20 <= long.utf8.count)
    }
}
