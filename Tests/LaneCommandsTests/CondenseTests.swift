import Diagnostics
import TestSupport
import Testing

@testable import LaneCommands

@Suite struct CondenseTests {
    @Test func aLogBecomesItsFailuresAndAStatus() throws {
        let log = """
            Test Suite 'MathTests' started at 2026-01-01 00:00:00.000
            Test Case 'MathTests.testSum' started at 2026-01-01 00:00:00.000
            /p/Tests/MathTests.swift:10: error: MathTests.testSum : XCTAssertEqual failed: ("3") is not equal to ("4") -
            Test Case 'MathTests.testSum' failed (0.1 seconds)
            Test Suite 'MathTests' failed at 2026-01-01 00:00:00.100
            \t Executed 1 test, with 1 failure (0 unexpected) in 0.1 (0.1) seconds

            """
        let session = try Session(["log.txt": log])
        let outcome = try session.run("condense", "log.txt", "--root", "/p", "--junit", "out/junit.xml")
        #expect(outcome.status == .failed)
        #expect(outcome.output.contains("Tests/MathTests.swift:10"))
        #expect(try session.folder.read("out/junit.xml").contains("testSum"))
        #expect(try session.run("condense", "log.txt", "--exit-zero").status == .done)
        #expect(!outcome.output.contains("without a name"))
        try session.folder.write("✔ Test run with 29 tests in 5 suites passed after 1.206 seconds.\n", to: "quiet.txt")
        let quiet = try session.run("condense", "quiet.txt")
        #expect(quiet.status == .done)
        #expect(quiet.output.contains("the log counts 29 more tests without a name"), "\(quiet.output)")
    }

    @Test func aMissingLogIsNamed() throws {
        let outcome = try Session().run("condense", "nowhere.log")
        #expect(outcome.status == .fileNotFound)
        #expect(outcome.errors == "error: could not read 'nowhere.log': No such file or directory\n")
    }
}
