import LaneEvents
import TestOutput
import TestSupport
import Testing

@Suite struct CrashReportTests {
    static func report(_ log: String) throws -> CrashReport? {
        CrashReport.find(in: try Logs.bytes(log), root: "/src/Crash")
    }

    @Test func longFormHasThePlaceInThePackage() throws {
        let report = try #require(try Self.report("32-xcrash-bt.out"))
        #expect(report.message == "Fatal error: boom goes the test")
        #expect(report.location == SourceLocation(path: "Tests/XCrashTests/X.swift", line: 4, column: 50))
        #expect(report.frames.contains { $0.function == "ACrash.testBCrash()" })
    }

    @Test func onlyTheCrashedThreadCounts() throws {
        let report = try #require(try Self.report("33-stcrash-bt.out"))
        #expect(report.location == SourceLocation(path: "Tests/SCrashTests/S.swift", line: 5, column: 55))
        #expect(report.frames.first?.function == "_assertionFailure(_:_:file:line:flags:)")
        #expect(!report.frames.contains { $0.function == "sigsuspend" })
    }

    @Test func shortFormHasThePlaceOfTheMessage() throws {
        let report = try #require(try Self.report("20-xcrash.out"))
        #expect(report.message == "Fatal error: boom goes the test")
        #expect(report.location == SourceLocation(path: "XCrashTests/X.swift", line: 4))
        #expect(report.frames.first?.function == "swift_reportError")
    }

    @Test func placesInTheStandardLibraryAreNotTheCulprits() throws {
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
}
