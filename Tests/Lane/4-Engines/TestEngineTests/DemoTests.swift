import Events
import TestEngine
import TestSupport
import Testing
import Text

/// Tests of a package with known results: 18 XCTest cases and 29 functions.
@Suite(.serialized, .engineTurn) struct DemoTests {
    @Test(.needsNewTesting) func everyTestHasItsResult() throws {
        let run = try EngineRun(.demo)
        #expect(run.verdict.status == .failed)
        let tests = try #require(run.tests)
        let xctest = tests.tests.filter { $0.id.library == .xctest }
        let functions = tests.tests.filter { $0.id.library == .swiftTesting }
        #expect(xctest.count == 18)
        #expect(xctest.allSatisfy { $0.info.location != nil })
        #expect(xctest.count { $0.outcome == .failed } == 8)
        #expect(xctest.count { $0.outcome == .passed } == 8)
        #expect(xctest.count { if case .skipped = $0.outcome { true } else { false } } == 2)
        #expect(functions.count == 29)
        #expect(functions.count { $0.outcome == .failed } == 10)
        #expect(functions.count { if case .skipped = $0.outcome { true } else { false } } == 6)
        let cancelled = functions.first { $0.id.name == "cancelled()" }
        #expect(cancelled?.outcome == .skipped(reason: "changed my mind"))
        #expect(tests.counts.knownIssues == 1)
        #expect(run.verdict.counts == tests.counts)
    }
}
