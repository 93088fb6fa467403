import Events
import TestSupport
import Testing
import ToolOutput

@Suite struct XCTestEndTests {
    /// No test is running, or another one is, or the failure is the last line.
    @Test func failuresAfterTheEndMakeTheTestFail() {
        let end = "Test Case 'A.b' started at 2026-11-20 22:21:21.458\nTest Case 'A.b' passed (0.0 seconds)\n"
        let late = "/src/Demo/Tests/A.swift:9: error: A.b : failed - too late\n"
        let next = "Test Case 'A.c' started at 2026-11-20 22:21:21.458\nTest Case 'A.c' passed (0.0 seconds)\n"
        for text in [end + late, end + late + next, end + next + late] {
            let events = XCTestOutputParserTests.events(text).filter { !$0.contains("A/c") }
            #expect(
                events == [
                    "started A/b", "ended A/b passed 0.0 seconds",
                    #"failure A/b at Tests/A.swift:9 "failed - too late""#, "ended A/b failed -",
                ])
        }
    }

    /// The end of the process determines the result; the failure was already reported.
    @Test func failuresOfTheRunningTestDoNotEndIt() {
        let start = "Test Case 'A.b' started at 2026-11-20 22:21:21.458\n"
        let text = start + "/src/Demo/Tests/A.swift:9: error: A.b : XCTAssertTrue failed - \n"
        #expect(!XCTestOutputParserTests.events(text).contains { $0.hasPrefix("ended") })
    }

    @Test func culpritOfACrashStaysRunning() throws {
        let text = XCTestOutputParserTests.events(try Logs.bytes("25-exit3.out")).text
        #expect(text.contains("message note \"running CExit/testExit3\""))
    }

    @Test func unfinishedLastLineIsKept() {
        let events = XCTestOutputParserTests.events("Test Case 'A.b' started at 2026-11-20 22:21:21.458\nno end")
        #expect(events == ["started A/b", #"output A/b "no end""#, #"message note "running A/b""#])
    }
}
