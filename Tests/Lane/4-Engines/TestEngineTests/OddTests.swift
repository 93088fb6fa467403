import Events
import TestEngine
import TestSupport
import Testing
import Text

/// Tests of tests with equal names, of failures outside running tests, and of output that looks like results.
@Suite(.serialized, .engineTurn) struct OddTests {
    private static let passing = [
        "OneTests.Same/testOne", "TwoTests.Same/testTwo", "OneTests.Printer/testBefore", "OneTests.Plain/passes()",
        "TwoTests.Plain/fails()", "OneTests.Late/stays()", "OneTests.Lost/leaves()",
    ]
    private static let failing = [
        "OneTests.Same/testTwo", "TwoTests.Same/testOne", "OneTests.Printer/testALog", "OneTests.Plain/fails()",
        "TwoTests.Plain/passes()", "OneTests.Late/leaves()", "OneTests.unprepared()", "OneTests.Unprepared/function()",
    ]

    @Test(arguments: [false, true]) func eachHasItsOwnEnd(throughSwiftTest: Bool) throws {
        let run = try EngineRun(.odd) { options in
            options.build.isSkipped = true
            options.throughSwiftTest = throughSwiftTest
        }
        #expect(run.verdict.counts == run.tests?.counts)
        #expect(run.verdict.counts.planned == 26)
        #expect(run.verdict.status == .failed)
        for name in Self.passing { #expect(run.outcome(name) == .passed, "\(name)") }
        for name in Self.failing {
            #expect(run.outcome(name) == .failed, "\(name)")
            #expect(!run.failure(name).isEmpty, "\(name)")
        }
        let overloads = run.tests?.tests.filter { $0.id.name.hasPrefix("overloaded") } ?? []
        #expect(overloads.count == 2)
        #expect(overloads.contains { $0.outcome == .passed } && overloads.contains { $0.outcome == .failed })
        // The failure of its suite is reported.
        guard case .notRun = run.outcome("Unscoped/function()") else {
            Issue.record("\(String(describing: run.outcome("Unscoped/function()")))")
            return
        }
        // In its own process, the test of the last one only reports that it did nothing.
        #expect(
            run.listingErrors.map(\.text).sorted() == [
                "Caught error: .inTrait\nin the suite OneTests.Unprepared",
                "Caught error: .inTrait\nin the suite OneTests.Unscoped", "Issue recorded\nof no test",
            ])
    }

    /// A late failure of a test does not depend on the other tests.
    @Test func lateFailuresMakeTheirTestFail() throws {
        let run = try EngineRun(.odd) { options in
            options.build.isSkipped = true
            options.choice.filter = ["Late/"]
        }
        #expect(run.outcome("Late/leaves()") == .failed)
        #expect(run.listingErrors.isEmpty)
    }

    /// With as many of them as threads, or a few more, all other tests wait.
    @Test func whoWaitsBehindTestsThatHangIsNotToBlame() throws {
        let run = try EngineRun(.odd, environment: ["HOLD": "1"]) { options in
            options.build.isSkipped = true
            options.choice.filter = ["Crowd/"]
            options.times.timeout = .seconds(2)
        }
        #expect(run.verdict.counts.planned == 8)
        for test in run.tests?.tests ?? [] {
            guard test.id.name.hasPrefix("holds") else {
                #expect(test.outcome == .passed, "\(test.id)")
                continue
            }
            guard case .timedOut = test.outcome else {
                Issue.record("\(test.id): \(String(describing: test.outcome))")
                continue
            }
            #expect(
                test.attempts.last?.failures.first?.text.hasPrefix("exceeded the time limit of 2 s and was ended")
                    == true)
        }
        #expect(run.listingErrors.isEmpty)
    }

    @Test func failuresOutsideTestsAreReportedOnce() throws {
        let run = try EngineRun(.odd) { options in
            options.build.isSkipped = true
            options.choice.filter = ["Lost/leaves"]
        }
        // There was no crash.
        #expect(run.verdict.status == .failed)
        #expect(run.listingErrors.map(\.text) == ["Issue recorded\nof no test"])
    }
}

extension EngineRun {
    /// A failure outside any test.
    fileprivate var listingErrors: [TestIssue] { (tests?.issues ?? []).filter { $0.severity == .failure } }
}
