import CLibrary
import Events
import OperatingSystem
import TestSupport
import Testing
import Text

@testable import TestEngine

private let canBeFencedIn = NetworkIsolation(FixturePackage.environment, ChildRunner()).wrapper != nil

/// Returns the target of a link, or an empty string.
private func target(ofLink path: String) -> String {
    var bytes = [CChar](repeating: 0, count: 256)
    let count = readlink(path, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Tests of the engine's options with real processes.
@Suite(.serialized, .engineTurn) struct EngineTests {
    @Test(.needsNewTesting) func aFilterThatMatchesNothingIsAnError() throws {
        let run = try EngineRun(.demo) { options in
            options.build.isSkipped = true
            options.choice.filter = ["MathTest/testPasss"]
        }
        #expect(run.verdict.status == .nothingRan)
        #expect(
            run.verdict.reason == """
                no test matches 'MathTest/testPasss'
                hint: did you mean 'MathTests/testPass'?
                """)
    }

    @Test func failedBuildsAreReported() throws {
        let run = try EngineRun(FixturePackage("Broken"))
        #expect(run.verdict.status == .buildFailed)
        #expect(run.summary.diagnostics.contains { $0.severity == .error && $0.message.contains("targetsX") })
        #expect(run.tests == nil)
    }

    @Test func failedConvergesToGreen() throws {
        let place = try TemporaryDirectory()
        let path = "\(place.path)/tests.history"
        let marker = ["FLAKY_MARKER": "\(place.path)/marker"]
        let choose = { (options: inout TestOptions) in
            options.build.isSkipped = true
            options.choice.filter = ["HFlaky", "testLater"]
        }
        let first = try EngineRun(.losses, history: TestHistory(path: path), environment: marker, choose)
        #expect(first.verdict.status == .failed)
        let again = { (options: inout TestOptions) in
            options.build.isSkipped = true
            options.choice.failedOnly = true
        }
        let second = try EngineRun(.losses, history: TestHistory(path: path), environment: marker, again)
        #expect(second.verdict.status == .done)
        #expect(second.verdict.counts.planned == 1)
        let third = try EngineRun(.losses, history: TestHistory(path: path), environment: marker, again)
        #expect(third.verdict.status == .done)
        #expect(third.verdict.counts.planned == 0)
        #expect(third.verdict.reason == "nothing to do: no test failed in the last run")
    }

    /// The shards may also run one after another on one machine, with the recorded durations of the previous one.
    @Test func shardsTogetherAreTheWhole() throws {
        let place = try TemporaryDirectory()
        let names = try (1...3).flatMap { index in
            let run = try EngineRun(.losses, history: TestHistory(path: "\(place.path)/tests.history")) { options in
                options.build.isSkipped = true
                options.choice.filter = ["testLater", "later()", "Namesakes/overloaded"]
                options.choice.shard = Shard(index, of: 3)
            }
            #expect(run.verdict.counts.unsuccessful == 0)
            return run.tests?.tests.map { "\($0.id)" } ?? []
        }
        #expect(names.count == 9)
        #expect(Set(names).count == 9)
    }

    /// On a slow machine on which no test has started within the limit, the limit is doubled.
    @Test func theRunsTimeLimitEndsIt() throws {
        for limit in [0.6, 1.2, 2.4, 4.8, 9.6, 19.2] {
            let run = try EngineRun(.losses) { options in
                options.build.isSkipped = true
                options.choice.filter = ["EHang", "Hang/hanging"]
                options.jobs = 1
                options.times.runTimeout = .seconds(limit)
            }
            #expect(run.verdict.status == .timedOut)
            #expect(run.verdict.counts.ended == 3)
            if run.verdict.counts.timedOut > 0 { return }
        }
        Issue.record("no test began within any of the limits")
    }

    @Test func cancellingEndsItAndAccountsForEveryTest() throws {
        let cancellation = Cancellation()
        let run = try EngineRun(.losses, cancellation: cancellation) { options in
            options.build.isSkipped = true
            options.choice.filter = ["EHang", "Hang"]
        } seeing: { event in
            guard case .test(.started(let test, _, _)) = event, test.name == "testHang" else { return }
            cancellation.cancel()
        }
        #expect(run.verdict.status == .signalled(2))
        #expect(run.verdict.counts.ended == run.verdict.counts.planned)
        #expect(run.outcome("EHang/testHang") == .notRun(reason: "the run was cancelled while it ran"))
    }

    @Test func isolationLeavesNothingOfTheHost() throws {
        let run = try EngineRun(.losses, environment: ["SECRET_OF_THE_HOST": "1", "TZ": "Asia/Tokyo"]) { options in
            options.build.isSkipped = true
            options.choice.filter = ["JSurroundings"]
            options.isolated = true
        }
        #expect(run.verdict.status == .done, "\(run.failure("testSeesNothing"))")
    }

    @Test(.enabled(if: canBeFencedIn, "this system does not permit network namespaces"))
    func isolatedTestsHaveANetworkOfTheirOwn() throws {
        let link = target(ofLink: "/proc/self/ns/net")
        try #require(!link.isEmpty)
        for isIsolated in [true, false] {
            let run = try EngineRun(.losses) { options in
                options.build.isSkipped = true
                options.choice.filter = ["JSurroundings/testTellsItsNetwork"]
                options.isolated = isIsolated
            }
            let printed = run.events.reduce(into: "") { text, event in
                if case .test(.output(_, let bytes)) = event { text += String(decoding: bytes, as: UTF8.self) }
            }
            #expect(printed.contains("network net:["))
            #expect(printed.contains(link) != isIsolated)
        }
    }

    @Test func repetitionsAreAttempts() throws {
        let run = try EngineRun(.losses) { options in
            options.build.isSkipped = true
            options.choice.filter = ["AFatal/testLater", "named()"]
            options.attempts.repetitions = 3
        }
        #expect(run.test("AFatal/testLater")?.attempts.map(\.number) == [1, 2, 3])
        #expect(run.test("named()")?.attempts.map(\.number) == [1, 2, 3])
    }

    @Test func flakyMayFailTheRun() throws {
        let place = try TemporaryDirectory()
        let run = try EngineRun(.losses, environment: ["FLAKY_MARKER": "\(place.path)/marker"]) { options in
            options.build.isSkipped = true
            options.choice.filter = ["HFlaky"]
            options.attempts.retries = 1
            options.attempts.flakyFails = true
        }
        #expect(run.verdict.status == .failed)
        #expect(run.verdict.counts.flaky == 1)
    }

    @Test(.needsNewTesting) func listingRunsNothing() throws {
        var options = TestOptions()
        options.build.isSkipped = true
        options.choice.filter = ["XCTDemoTests"]
        _ = try EngineRun(.demo) { $0.choice.skip = ["*"] }
        let engine = TestEngine(
            options: options, package: FixturePackage.demo.path, environment: FixturePackage.environment,
            processes: ChildRunner(), cancellation: Cancellation(), history: nil,
            events: EventClosure { event in
                if case .test = event { Issue.record("a list tells \(event)") }
            })
        let tests = try engine.list().tests.map(\.info)
        #expect(tests.count == 15)
        #expect(
            tests.first { $0.id.name == "testB" }?.location
                == SourceLocation(path: "Tests/XCTDemoTests/OtherTests.swift", line: 7))
    }
}
