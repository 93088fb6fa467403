import Events
import TestSupport
import Testing
import ToolOutput

@Suite struct CrashReportTests {
    static func report(_ log: String) throws -> CrashReport? {
        CrashReport.find(in: try Logs.bytes(log), root: "/src/Crash")
    }

    @Test func longFormatHasTheLocationInThePackage() throws {
        let report = try #require(try Self.report("32-xcrash-bt.out"))
        #expect(report.message == "Fatal error: boom goes the test")
        #expect(report.location == SourceLocation(path: "Tests/XCrashTests/X.swift", line: 4, column: 50))
        #expect(report.frames.contains { $0.function == "ACrash.testBCrash()" })
    }

    @Test func onlyTheCrashedThreadIsParsed() throws {
        let report = try #require(try Self.report("33-stcrash-bt.out"))
        #expect(report.location == SourceLocation(path: "Tests/SCrashTests/S.swift", line: 5, column: 55))
        #expect(report.frames.first?.function == "_assertionFailure(_:_:file:line:flags:)")
        #expect(!report.frames.contains { $0.function == "sigsuspend" })
    }

    @Test func errorsOfTheBacktraceAreNotTheMessage() {
        let rest = "failed to suspend thread 7 while processing a crash; backtraces will be missing information"
        let text = "M/S.swift:5: Fatal error: boom\nswift-runtime: \(rest)\nof two lines\n"
        #expect(CrashReport.find(in: Array(text.utf8), root: "")?.message == "Fatal error: boom\nof two lines")
    }

    /// Swift 6.0 has names for fewer frames. With fewer than ten of them, the numbers have no leading space.
    @Test func framesMayHaveNoIndentation() throws {
        let log = """
            M/S.swift:5: Fatal error: st boom

            *** Program crashed: Illegal instruction at 0x00007f4c11ce4acf ***

            Thread 0 "STests" crashed:

            0              0x00007f4c11ce4acf <unknown> in libswiftCore.so
            1 [ra]         0x0000564c3976dbbb A.testB() + 282 in M.xctest at /src/Crash/Tests/M/S.swift:4:50

               4 | let mask = 0x10 at /src/Crash/Tests/M/S.swift:4:50
            2 [ra] [thunk] 0x0000564c3973cd1c thunk for () -> () + 11 in M.xctest at //<compiler-generated>

            Backtrace took 0.04s

            """
        let report = try #require(CrashReport.find(in: Array(log.utf8), root: "/src/Crash"))
        #expect(report.location == SourceLocation(path: "Tests/M/S.swift", line: 4, column: 50))
        #expect(report.frames.map(\.function) == ["A.testB()", "thunk for () -> ()"])
    }

    @Test func shortFormatHasTheLocationOfTheMessage() throws {
        let report = try #require(try Self.report("20-xcrash.out"))
        #expect(report.message == "Fatal error: boom goes the test")
        #expect(report.location == SourceLocation(path: "XCrashTests/X.swift", line: 4))
        #expect(report.frames.first?.function == "swift_reportError")
    }

    @Test func locationsInTheStandardLibraryAreIgnored() throws {
        let report = try #require(try Self.report("27-oob.out"))
        #expect(report.message == "Fatal error: Index out of range")
        #expect(report.location == nil)
    }

    @Test func nothingToFind() throws {
        #expect(try Self.report("25-exit3.out") == nil)
        #expect(CrashReport.find(in: Array("a note: Fatal errors are fatal".utf8), root: "") == nil)
    }

    @Test func messageOfSeveralLines() {
        let text = "M/F.swift:3: Precondition failed: one\ntwo\n\nCurrent stack trace:\n0    a.so    0x00 f() + 1\n"
        #expect(CrashReport.find(in: Array(text.utf8), root: "")?.message == "Precondition failed: one\ntwo")
    }

    /// The message of SwiftPM 6.1 does not name the process.
    @Test(arguments: [
        "[1/1] Testing M.A/testX\nTest Suite 'Selected tests' started at 2025-05-07 16:07:21.904.\nTest Case '-[M.A testX]' started.\n",
        "◇ Test run started.\n◇ Test a() started.\n",
    ])
    func unnamedProcessesHaveASignal(_ tests: String) {
        let log = ReadLog(Array(("error: Exited with unexpected signal code 5\n" + tests).utf8))
        #expect(log.ended.map(\.outcome) == [.crashed(how: "signal 5 (SIGTRAP)")])
        #expect(log.verdict.isFailure && log.verdict.buildErrors == 0 && !log.verdict.isTruncated)
    }

    /// A process that ends before or after all tests, for example because of a global variable, is a failure.
    @Test(arguments: [
        "error: Exited with unexpected signal code 11",
        "error: Process '/p/.build/debug/pPackageTests.xctest' exited with unexpected signal code 11",
    ])
    func aProcessThatEndsOutsideTestsIsAFailure(_ line: String) {
        let tests = """
            Test Suite 'All tests' started at 2025-05-07 16:07:21.904.
            Test Case 'A.b' started at 2025-05-07 16:07:21.904.
            Test Case 'A.b' passed (0.0 seconds)

            """
        for before in ["Build complete! (0.12s)\n", tests] {
            let log = ReadLog(Array((before + line + "\n").utf8))
            #expect(
                log.issues.map(\.text) == [
                    "the test process ended with signal 11 (SIGSEGV) while no test was running"
                ])
            #expect(log.verdict.isFailure)
        }
    }
}
