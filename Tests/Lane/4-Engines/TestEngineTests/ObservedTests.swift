import Events
import TestEngine
import TestSupport
import Testing
import Text

private let run = Result { () throws -> EngineRun in
    try EngineRun(FixturePackage("Unheard")) { options in
        options.times.timeout = .seconds(2)
        options.choice.skip = ["Once", "Followed"]
    }
}

/// XCTest's tests of which standard output tells nothing, or something untrue: the observer's records decide.
@Suite(.engineTurn) struct ObservedTests {
    @Test func everyTestIsAccountedFor() throws {
        let run = try run.get()
        #expect(run.verdict.counts.planned == 28)
        #expect(run.verdict.counts == run.tests?.counts)
        #expect(run.tests?.issues.isEmpty == true)
    }

    #if os(Linux)
        @Test(arguments: [
            "Passing/testBefore", "Passing/testClosed", "Passing/testToFile", "Passing/testToNull", "Passing/testAll",
            "Passing/testAfter", "ClassSetUp/testOne", "Crashing/testLater", "Forging/testZ",
            "Surroundings/testSeesNoObserver", "Closing/everything()", "Closing/later()",
        ])
        func silentPassesAreReported(_ name: String) throws {
            let run = try run.get()
            #expect(run.outcome(name) == .passed, "\(run.failure(name))")
        }

        private static let notSupported =
            #"threw error "Error Domain=NSCocoaErrorDomain Code=3328 "The requested operation is not supported."""#

        @Test(arguments: [
            ("Failing/testClosed", "failed - unheard", 27), ("Failing/testToFile", "failed - unheard", 28),
            ("Failing/testToNull", notSupported, 29), ("Failing/testTwoLines", "failed - one\ntwo", 30),
            ("ClassSetUp/testTwo", "failed - unheard", 65),
        ])
        func silentFailuresAreReported(_ name: String, _ text: String, _ line: Int) throws {
            let run = try run.get()
            #expect(run.outcome(name) == .failed)
            #expect(run.failure(name) == text)
            #expect(run.place(name) == "Tests/UnheardTests/UnheardTests.swift:\(line)")
            #expect(run.test(name)?.attempts.last?.failures.count == 1)
        }

        @Test func aFailureWithoutAnEventStreamIsReported() throws {
            let run = try run.get()
            #expect(run.outcome("Closing/failure()") == .failed)
            #expect(run.failure("Closing/failure()").contains("unheard"))
        }

        /// A failure that was recorded once is not dropped, be it known by the exit status alone.
        @Test(arguments: ["Heard", "Unheard"]) func singleFailuresAreKept(_ name: String) throws {
            let place = try TemporaryDirectory()
            let run = try EngineRun(FixturePackage("Unheard"), environment: ["MARKERS": "\(place.path)/"]) { options in
                options.choice.filter = ["Once/test\(name)"]
            }
            #expect(run.verdict.status == .failed)
            #expect(run.outcome("Once/testHeard") == (name == "Heard" ? .failed : nil))
            let issues = run.tests?.issues.map(\.text) ?? []
            #expect(issues.contains { $0.contains("exit status 1") } == (name == "Unheard"), "\(issues)")
        }

        @Test func theTestThatWasHeardLastIsNotBlamedForOthers() throws {
            let run = try EngineRun(FixturePackage("Unheard")) { options in
                options.choice.filter = ["Followed"]
                options.jobs = 1
            }
            #expect(run.outcome("Followed/testA") == .passed)
            #expect(
                run.failure("Followed/testCrashes") == """
                    Fatal error: unheard
                      in Followed.testCrashes() at Tests/UnheardTests/UnheardTests.swift:36
                    """)
            #expect(run.outcome("Followed/testExits") == .crashed(how: "exit status 3"))
            #expect(run.outcome("Followed/testIsKilled") == .crashed(how: "signal 9 (SIGKILL)"))
            #expect(run.outcome("Followed/testLater") == .passed)
        }

        @Test func skipsCrashesAndHangsAreReported() throws {
            let run = try run.get()
            guard case .skipped = run.outcome("Skipping/testSkips") else {
                Issue.record("\(String(describing: run.outcome("Skipping/testSkips")))")
                return
            }
            #expect(run.outcome("Crashing/testCrashes")?.isFailure == true)
            #expect(
                run.failure("Crashing/testCrashes") == """
                    Fatal error: unheard
                      in Crashing.testCrashes() at Tests/UnheardTests/UnheardTests.swift:69
                    """)
            guard case .timedOut = run.outcome("Crashing/testHangs") else {
                Issue.record("\(String(describing: run.outcome("Crashing/testHangs")))")
                return
            }
        }

        @Test(arguments: ["None", "Case", "Suite", "Totals", "Bundle", "Whole", "FailingStatus"])
        func printedEndsAreOutput(_ name: String) throws {
            let how = name == "FailingStatus" ? "exit status 1" : "exit status 0"
            let run = try run.get()
            #expect(run.outcome("Forging/test\(name)") == .crashed(how: how))
        }
    #endif
}
