import Events
import TestEngine
import TestSupport
import Testing
import Text

#if os(Linux)
    /// Processes that hang while no test is known to run, and copies of processes.
    @Suite(.engineTurn) struct StallTests {
        private static let run = Result { () throws -> EngineRun in
            try EngineRun(FixturePackage("Stalls")) { options in
                options.times.timeout = .seconds(4)
            }
        }

        @Test func everyProcessEndsAtTheTimeLimit() throws {
            let run = try Self.run.get()
            #expect(run.verdict.counts.planned == 14)
            #expect(run.verdict.counts == run.tests?.counts)
            let issues = run.tests?.issues.map { String($0.text.prefix { $0 != "\n" }) } ?? []
            #expect(
                issues.contains { $0.contains("hung after its last test") || $0.contains("hung between") }, "\(issues)")
            #expect(issues.contains("a test process hung before its first test and was ended"), "\(issues)")
        }

        @Test(arguments: [
            "InTearDown/testOne", "AtExit/testOne", "None/testOne", "Stopped/testZ", "Never/before()", "Never/forks()",
            "Never/later()",
        ])
        func othersPass(_ name: String) throws {
            let run = try Self.run.get()
            #expect(run.outcome(name) == .passed, "\(run.failure(name))")
        }

        @Test func theTestThatStopsItsProcessTimesOut() throws { try expectTimeout(of: "Stopped/testStops") }

        @Test(.enabled(if: hasTool("eu-stack") || hasTool("gdb"), "needs eu-stack or gdb"))
        func theStacksNameATestThatWasNotHeard() throws {
            try expectTimeout(of: "Unheard/testTwo")
            try othersPass("Unheard/testOne")
            try othersPass("Unheard/testZ")
        }

        private func expectTimeout(of name: String) throws {
            let outcome = try Self.run.get().outcome(name)
            guard case .timedOut = outcome else {
                Issue.record("\(String(describing: outcome))")
                return
            }
        }

        @Test(arguments: ["InSetUp/testOne", "InSetUp/testTwo", "InTrait/one()"])
        func testsBehindAHangDoNotRun(_ name: String) throws {
            let outcome = try Self.run.get().outcome(name)
            #expect(outcome == .notRun(reason: "its test process hung before it started"))
        }
    }
#endif
