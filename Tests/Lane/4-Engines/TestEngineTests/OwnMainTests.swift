import Events
import TestEngine
import TestSupport
import Testing
import Text

/// A test bundle whose own main refuses to list its tests: `swift test` runs them.
@Suite(.engineTurn) struct OwnMainTests {
    private func run(_ environment: [String: String] = [:], filter: [String] = []) throws -> EngineRun {
        try EngineRun(FixturePackage("OwnMain"), environment: environment) { $0.choice.filter = filter }
    }

    @Test func itsTestsRunWithANote() throws {
        let run = try run()
        #expect(run.verdict.status == .done)
        #expect((run.verdict.counts.passed, run.verdict.counts.ended) == (2, 2))
        let notes = run.summary.messages.filter { $0.level == .note }.map(\.text)
        #expect(notes.contains { $0.contains("has its own entry point") && $0.contains("'swift test'") })
    }

    @Test func aFailureHasItsPlaceAndStatus() throws {
        let run = try run(["FAIL": "1"])
        #expect(run.verdict.status == .failed)
        #expect((run.verdict.counts.passed, run.verdict.counts.failed) == (1, 1))
        #expect(run.outcome("Own/testPasses") == .passed)
        #expect(run.outcome("Own/testMayFail") == .failed)
        #expect(run.place("Own/testMayFail") == "Tests/OwnTests/OwnTests.swift:10")
        #expect(run.failure("Own/testMayFail") == #"XCTAssertNil failed: "1" - asked to fail"#)
    }

    @Test func aCrashBeforeAnyTestFails() throws {
        #expect(try run(["CRASH": "1"]).verdict.status != .done)
    }

    @Test func aMainThatRunsNothingFails() throws {
        #expect(try run(["EMPTY": "1"]).verdict.status == .nothingRan)
    }

    @Test func aFilterIsRefused() throws {
        let failure = #expect(throws: TestEngineFailure.self) { try run(filter: ["Own"]) }
        #expect(failure?.status == .nothingRan)
    }
}
