import Events
import TestEngine
import TestSupport
import Testing
import Text

/// Tests of real tests that affect each other; `ModelTests` has more combinations.
@Suite(.engineTurn) struct IsolationTests {
    @Test func eachHasItsOwnVerdict() throws {
        let run = try EngineRun(FixturePackage("Company")) { options in
            options.times.timeout = .seconds(2)
        }
        #expect(run.verdict.status == .testCrashed)
        #expect(run.verdict.counts == run.tests?.counts)
        for name in ["one()", "two()", "three()"] {
            #expect(run.isTimedOut("Hanging/\(name)"))
        }
        #expect(run.outcome("Neighbours/records()") == .failed)
        #expect(
            run.failure("Neighbours/records()") == """
                Issue recorded
                recorded before the crash
                """)
        #expect(
            run.failure("Neighbours/crashes()") == """
                Fatal error: a neighbour
                  in Neighbours.crashes() at Tests/CompanyTests/Company.swift:37
                """)
        #expect(run.isTimedOut("OnMain/blocks()"))
        for name in [
            "Waiting/alone(number:)", "OnMain/innocent()", "Hanging/innocent()", "Hanging/cases(number:)",
            "InTurn/one()", "InTurn/two()", "Lines/testPrintsALog", "Lines/testWhatFollows",
        ] {
            #expect(run.outcome(name) == .passed, "\(name): \(run.failure(name))")
        }
        #expect(run.outcome("Lines/testPrintsItsEndAndExits") == .crashed(how: "exit status 0"))
    }

    /// Together they fail and hang, which counts even if they pass alone.
    @Test func recordedFailuresAreKept() throws {
        let run = try EngineRun(FixturePackage("Company")) { options in
            options.build.isSkipped = true
            options.choice.filter = ["Waiting"]
            options.times.timeout = .seconds(2)
        }
        #expect(run.verdict.status == .failed)
        for name in ["one()", "two()", "three()"] {
            #expect(run.outcome("Waiting/\(name)")?.isFailure == true)
            #expect(run.failure("Waiting/\(name)").contains("in company"))
        }
    }
}

extension EngineRun {
    fileprivate func isTimedOut(_ name: String) -> Bool {
        if case .timedOut = outcome(name) { true } else { false }
    }
}
