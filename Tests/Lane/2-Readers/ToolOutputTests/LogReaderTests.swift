import Events
import TestSupport
import Testing
import ToolOutput

/// The result of reading a log.
struct ReadLog {
    var events = EventText()
    var kinds: [LaneEvent.Kind] = []
    var verdict = LogVerdict()
    var unknown: [String] = []

    init(_ bytes: [UInt8], chunk: Int = .max, root: String = "/src/Demo", namesPassing: Bool = true) {
        final class Unknown { var lines: [String] = [] }
        let unknown = Unknown()
        var reader = LogReader(root: root, namesPassing: namesPassing) {
            unknown.lines.append(String(decoding: $0, as: UTF8.self))
        }
        for chunk in bytes.chunks(of: Swift.min(chunk, Swift.max(bytes.count, 1))) {
            chunk.withUnsafeBytes { bytes in
                reader.consume(bytes) {
                    events.add($0)
                    kinds.append($0)
                }
            }
        }
        reader.finish {
            events.add($0)
            kinds.append($0)
        }
        verdict = reader.verdict
        self.unknown = unknown.lines
    }

    var ended: [TestResult] {
        kinds.compactMap { if case .test(.ended(let result)) = $0 { result } else { nil } }
    }

    var started: [TestID] {
        kinds.compactMap { if case .test(.started(let test, _, _)) = $0 { test } else { nil } }
    }

    var issues: [TestIssue] {
        kinds.compactMap { if case .test(.issue(let issue)) = $0 { issue } else { nil } }
            .filter { $0.text != "the log ends before the result" }
    }

    /// The events and the totals.
    var text: String {
        var lines = ["passed \(verdict.passed), failed \(verdict.failed), skipped \(verdict.skipped)"]
        lines.append(
            "crashed \(verdict.crashed), not run \(verdict.notRun), unnamed \(verdict.unnamed), missing \(verdict.missing)"
        )
        lines.append("build errors \(verdict.buildErrors), warnings \(verdict.buildWarnings)")
        lines.append("failure \(verdict.isFailure), nothing ran \(verdict.hasRunNothing)")
        return events.text + "--\n" + lines.map { $0 + "\n" }.joined() + unknown.map { "unknown \($0)\n" }.joined()
    }
}

@Suite struct LogReaderTests {
    /// Runs with their standard error first, which is the order of a pipe because standard output is buffered.
    static let runs: [String] = Set(Logs.all.map { String($0.prefix { $0 != "." }) }).sorted()

    static func bytes(_ run: String, standardErrorFirst: Bool = true) throws -> [UInt8] {
        let parts = (standardErrorFirst ? ["err", "out", "jsonl"] : ["out", "err", "jsonl"]).map { "\(run).\($0)" }
        return try parts.filter(Logs.all.contains).flatMap(Logs.bytes)
    }

    static func root(_ run: String) -> String {
        switch run.prefix(2) {
        case "20"..."33": "/src/Crash"
        case "40"..."43": "/src/Broken"
        case "70"..."72": "/src/App"
        case "88": "/src/WithDep"
        default: "/src/Demo"
        }
    }

    @Test(arguments: runs) func realLogsMatchGoldens(run: String) throws {
        expectGolden(ReadLog(try Self.bytes(run), root: Self.root(run)).text, "\(run).events")
    }

    @Test(arguments: runs) func chunksDoNotMatter(run: String) throws {
        let bytes = try Self.bytes(run)
        let whole = ReadLog(bytes, root: Self.root(run)).text
        for size in [1, 113] { #expect(ReadLog(bytes, chunk: size, root: Self.root(run)).text == whole) }
    }

    @Test(arguments: runs) func orderOfTheStreamsDoesNotMatter(run: String) throws {
        let one = ReadLog(try Self.bytes(run), root: Self.root(run))
        let other = ReadLog(try Self.bytes(run, standardErrorFirst: false), root: Self.root(run))
        #expect(one.verdict == other.verdict)
    }

    @Test(arguments: [
        "01-default", "02-default-merged", "03-parallel", "44-clean-build-warnings", "89-swiftbuild",
        "05-parallel-verbose", "09-terminal-parallel",
    ])
    func groundTruthOfTheDemo(run: String) throws {
        let log = ReadLog(try Self.bytes(run))
        let xctest = log.ended.filter { $0.test.library == .xctest }
        #expect(Set(xctest.map(\.test)).count == 18 && xctest.count == 18)
        #expect(xctest.count { $0.outcome == .failed } == 8)
        let testing = log.ended.filter { $0.test.library == .swiftTesting }
        #expect(Set(testing.map(\.test)).count == 29 && testing.count == 29)
        #expect(testing.count { $0.outcome == .failed } == 10)
        let started = log.kinds.count {
            if case .test(.started(let test, _, _)) = $0 { test.library == .swiftTesting } else { false }
        }
        #expect(started == 24)
        #expect(log.verdict.isFailure && log.verdict.tests == 47)
        if !["03-parallel", "09-terminal-parallel"].contains(run) {
            #expect(log.verdict.skipped == 2 + 5 + 1 && log.verdict.passed == 8 + 13)
        }
    }

    @Test(arguments: [
        ("20-xcrash", "ACrash/testBCrash", "signal 4 (SIGILL)"), ("27-oob", "DIndex/testOOB", "signal 4 (SIGILL)"),
        ("21-xcrash-parallel", "XCrashTests.ACrash/testBCrash", "signal 4 (SIGILL)"),
        ("23-stcrash", "bCrash()", "signal 4 (SIGILL)"), ("33-stcrash-bt", "bCrash()", "signal 4 (SIGILL)"),
        ("25-exit3", "CExit/testExit3", "the process ended during the test"),
        ("29-kill-parallel", "XCrashTests.EKill/testKill", "the process ended during the test"),
    ])
    func culpritOfACrash(run: String, test: String, how: String) throws {
        let log = ReadLog(try Self.bytes(run), root: "/src/Crash")
        let crashed = log.ended.filter { if case .crashed = $0.outcome { true } else { false } }
        #expect(crashed.map { "\($0.test)" } == [test])
        #expect(crashed.map(\.outcome) == [.crashed(how: how)])
        #expect(log.verdict.isFailure)
    }

    /// `swift test` combines two streams in any order.
    @Test(arguments: 0...5) func crashMessagesMayPrecedeTheirTest(line: Int) {
        var lines = """
            Test Suite 'Selected tests' started at 2026-11-22 21:52:07.512
            Test Suite 'AFatal' started at 2026-11-22 21:52:07.515
            Test Case 'AFatal.testBefore' started at 2026-11-22 21:52:07.515
            Test Case 'AFatal.testBefore' passed (0.002 seconds)
            Test Case 'AFatal.testFatal' started at 2026-11-22 21:52:07.516

            *** Program crashed: Illegal instruction at 0x00007f2f470f9361 ***

            Thread 0 crashed:

            0      0x00007f2f470f9361 _assertionFailure(_:_:file:line:flags:) + 225 in libswiftCore.so
            1 [ra] 0x00005597d1d4333e AFatal.testFatal() + 269 in M.xctest at /src/Demo/Tests/M/X.swift:9:9

            """.split(separator: "\n", omittingEmptySubsequences: false)
        lines.insert("M/X.swift:9: Fatal error: boom goes the test", at: line)
        let issues = ReadLog(Array(lines.joined(separator: "\n").utf8)).issues
        #expect(
            issues.map(\.text) == ["Fatal error: boom goes the test\n  in AFatal.testFatal() at Tests/M/X.swift:9"])
        #expect(issues.first?.test?.name == "testFatal")
        #expect(issues.first?.location == SourceLocation(path: "Tests/M/X.swift", line: 9, column: 9))
    }

    /// The report of the backtracer is no output: the signal and the package's functions are in the result.
    @Test func crashesShowTheirSignalAndNoRegisters() {
        let log = ReadLog(
            Array(
                """
                ◇ Test run started.
                ◇ Test fatal() started.
                printed before
                M/X.swift:9: Fatal error: boom

                *** Signal 4: Backtracing from 0x7f9b8faf9361... done ***

                *** Program crashed: Illegal instruction at 0x00007f9b8faf9361 ***

                Platform: x86_64 Linux (Debian GNU/Linux 12 (bookworm))

                Thread 4 "oot.default-qos" crashed:

                0      0x00007f9b8faf9361 _assertionFailure(_:_:file:line:flags:) + 225 in libswiftCore.so
                1 [ra] 0x0000562eeeb2f6ba Fatal.fatal() + 249 in M.xctest at /src/Demo/Tests/M/X.swift:9:9

                Registers:

                rax 0x0000000000000000  0

                Images (21 omitted):

                0x00007f9b8f800000–0x00007f9b8fdd2d40 b521f25f libswiftCore.so /opt/libswiftCore.so

                Backtrace took 0.06s

                """.utf8))
        let texts = log.issues.filter { $0.test != nil }.map(\.text)
        #expect(texts == ["Fatal error: boom\n  in Fatal.fatal() at Tests/M/X.swift:9"])
        let outcomes = log.kinds.compactMap { kind in
            if case .test(.ended(let result)) = kind { result.outcome } else { nil }
        }
        #expect(outcomes == [.crashed(how: "signal 4 (SIGILL)")])
        let output = log.kinds.flatMap { kind in
            if case .test(.output(_, let bytes)) = kind { bytes } else { [UInt8]() }
        }
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.hasPrefix("printed before\n") && !text.contains("rax") && !text.contains("Images"))
    }

    @Test func testsAfterACrashAreNotRun() throws {
        let log = ReadLog(try Self.bytes("20-xcrash"), root: "/src/Crash")
        #expect(log.ended.map { "\($0.test)" } == ["ACrash/testA", "ACrash/testBCrash", "ACrash/testC"])
        #expect(log.ended.last?.outcome == .notRun(reason: "its process had crashed before"))
    }

    @Test func nothingMatched() throws {
        let verdict = ReadLog(try Self.bytes("34-nomatch")).verdict
        #expect(verdict.hasRunNothing && !verdict.isFailure)
    }

    /// A change of this number means that recognized lines are lost, or that lost ones are recognized.
    @Test func unknownLines() throws {
        let unknown = try Self.runs.flatMap { run in ReadLog(try Self.bytes(run)).unknown.map { "\(run): \($0)" } }
        #expect(
            unknown == [
                "33-stcrash-bt: about to crash ST", "60-direct-xctest: hello from stderr",
                "61-direct-st: swift-testing stdout",
            ])
    }

    @Test func movedBuildDirectoriesAreReported() {
        let text = ["A", "B"].map { file in
            "error: precompiled file '/src/Demo/.build/\(file).pcm' was compiled with module cache path '/old/.build/M', but "
                + "the path is currently '/src/Demo/.build/M'\n"
        }.joined()
        let diagnostics = ReadLog(Array(text.utf8)).kinds.compactMap { kind in
            if case .buildDiagnostic(let diagnostic) = kind { diagnostic } else { nil }
        }
        #expect(diagnostics.map(\.severity) == [.error, .note, .error])
        #expect(diagnostics.dropFirst().first?.message.hasSuffix("\nhint: rm -rf .build") == true)
    }

    @Test(arguments: [
        // The old directory still exists with the same products.
        ("<unknown>:0: error: missing required module 'SwiftShims'", "rm -rf .build"),
        (
            "error: package 'demo' is using Swift tools version 7.0.0 but the installed version is 6.3.1",
            "get one from https://www.swift.org/install, or lower the version in the first line of Package.swift"
        ),
        (
            "error: fatal: unable to access 'https://e.invalid/a.git/': Could not resolve host: e.invalid",
            "check its address in Package.swift, and the network"
        ),
        (
            "/src/Demo/Tests/LinuxMain.swift:6:10: error: module 'DemoTests' has no member named '__allTests'",
            "delete it, because SwiftPM finds all tests, or use '--arguments=--enable-test-discovery' to ignore it"
        ),
        (
            "/src/Demo/Tests/LinuxMain.swift:5:26: error: type 'DemoTests' has no member 'allTests'",
            "delete it, because SwiftPM finds all tests, or use '--arguments=--enable-test-discovery' to ignore it"
        ),
    ])
    func buildErrorsWithAdvice(_ line: String, _ hint: String) {
        let messages = ReadLog(Array("\(line)\n".utf8)).kinds.compactMap { kind in
            if case .buildDiagnostic(let diagnostic) = kind { diagnostic.message } else { nil }
        }
        #expect(messages.count == 2)
        #expect(messages.last?.split(separator: "\nhint: ").last.map(String.init) == hint)
    }

    /// Directories of fixtures have hundreds of unhandled files, which every build prints.
    @Test func firstUnhandledFilesAreListed() {
        func log(_ count: Int) -> String {
            let rows = (1...count).map { "    /src/Demo/Tests/DemoTests/Fixtures/\($0).zip\n" }
            let head = "warning: 'demo': found \(count) file(s) which are unhandled; explicitly declare them"
            return "\(head)\n\(rows.joined())"
        }
        func excerpt(_ count: Int) -> [String] {
            ReadLog(Array((log(count) + "[1/2] Compiling Demo Demo.swift\n").utf8)).kinds.flatMap { kind in
                if case .buildDiagnostic(let diagnostic) = kind { diagnostic.excerpt } else { [] as [String] }
            }
        }
        let first = (1...3).map { "    Tests/DemoTests/Fixtures/\($0).zip" }
        #expect(excerpt(74) == first + ["    … and 71 more"])
        #expect(excerpt(3) == first)
    }

    @Test func filesAreFoundByTheirLastPathComponents() throws {
        let sources = SourceIndex(paths: ["Tests/STDemoTests/STTests.swift", "Tests/A/X.swift", "Tests/B/X.swift"])
        #expect(sources.path(of: "A/X.swift") == "Tests/A/X.swift")
        #expect(sources.path(of: "X.swift") == nil && sources.path(of: "Y.swift") == nil)
        var reader = LogReader(root: "/src/Demo", sources: sources)
        var files: Set<String> = []
        try Logs.bytes("07-st-only.out").withUnsafeBytes { bytes in
            reader.consume(bytes) { event in
                if case .test(.issue(let issue)) = event, issue.severity == .failure {
                    files.insert(issue.location?.path ?? "")
                }
            }
        }
        #expect(files == ["Tests/STDemoTests/STTests.swift"])
    }
}
