import Events
import OperatingSystem
import TestEngine
import TestSupport
import Testing
import Text

/// A run of a package whose tests end their process in all possible ways. The tests check its results.
private let run = Result { () throws -> EngineRun in
    let place = try TemporaryDirectory()
    return try EngineRun(
        .losses, environment: ["FLAKY_MARKER": "\(place.path)/flaky", "MEGABYTES": "5", "SECRET_OF_THE_HOST": "1"]
    ) { options in
        options.times.timeout = .seconds(2)
        options.times.slowAfter = .milliseconds(700)
        options.attempts.retries = 1
    }
}

@Suite(.engineTurn) struct LossesTests {
    @Test func everyListedTestIsAccountedFor() throws {
        let run = try run.get()
        let counts = run.verdict.counts
        #expect(counts.planned == 44)
        #expect(counts.ended == counts.planned)
        #expect(counts == run.tests?.counts)
        #expect(run.verdict.status == .testCrashed)
        #expect(run.events.last == .test(.finished))
    }

    @Test(
        arguments: [
            (
                "AFatal/testFatal", "signal 4 (SIGILL)",
                "Fatal error: boom goes the test\n  in AFatal.testFatal() at Tests/LossTests/XCTestLosses.swift:9",
                "XCTestLosses.swift:9"
            ),
            (
                "BBounds/testBounds", "signal 4 (SIGILL)",
                "Fatal error: Index out of range\n  in BBounds.testBounds() at Tests/LossTests/XCTestLosses.swift:17",
                "XCTestLosses.swift:17"
            ),
            ("CExit/testExit3", "exit status 3", nil, "XCTestLosses.swift:23"),
            ("CExit/testExitZero", "exit status 0", nil, "XCTestLosses.swift:22"),
            ("DSignal/testKill", "signal 9 (SIGKILL)", nil, "XCTestLosses.swift:28"),
            (
                "testSegmentationFault", "signal 11 (SIGSEGV)",
                "Bad pointer dereference at 0x0000000000000008\n  in DSignal.testSegmentationFault() at "
                    + "Tests/LossTests/XCTestLosses.swift:31",
                "XCTestLosses.swift:31"
            ),
            (
                "Fatal/fatal()", "signal 4 (SIGILL)",
                "Fatal error: boom goes the function\n  in Fatal.fatal() at Tests/FlowTests/SwiftTestingLosses.swift:9",
                "SwiftTestingLosses.swift:9"
            ),
            ("Crowd/exits()", "exit status 4", nil, "SwiftTestingLosses.swift:18"),
            ("Signals/killed()", "signal 9 (SIGKILL)", nil, "SwiftTestingLosses.swift:33"),
            (
                "crashing(letter:)", "signal 4 (SIGILL)",
                "Fatal error: not this letter\n  in Arguments.crashing(letter:) at "
                    + "Tests/FlowTests/SwiftTestingLosses.swift:27",
                "SwiftTestingLosses.swift:27"
            ),
        ] as [(String, String, String?, String)])
    func testsThatEndTheirProcessAreReported(_ name: String, _ how: String, _ text: String?, _ place: String) throws {
        let run = try run.get()
        #expect(run.outcome(name) == .crashed(how: how))
        #expect(run.failure(name) == text ?? "the test process ended with \(how) within the test")
        #expect(run.place(name).hasSuffix("/\(place)"))
    }

    @Test(arguments: [
        (
            "testMessage",
            """
            XCTAssertEqual failed: ("1") is not equal to ("2") - expected:
            Test Case 'KForger.testMessage' passed (<time>)
            """
        ), ("testPrint", "failed - though it failed"),
    ])
    func aPrintedPassHidesNoFailure(_ name: String, _ text: String) throws {
        let run = try run.get()
        #expect(run.outcome("KForger/\(name)") == .failed)
        #expect(redacted(run.failure("KForger/\(name)")) == text)
    }

    @Test(arguments: ["EHang/testHang", "Hang/hanging()"]) func aHangIsEnded(_ name: String) throws {
        let run = try run.get()
        guard case .timedOut(let after) = run.outcome(name) else {
            Issue.record("\(name): \(String(describing: run.outcome(name)))")
            return
        }
        #expect(after >= .seconds(2))
        #expect(run.test(name)?.duration == after)
        #expect(run.failure(name).contains("exceeded the time limit of 2 s"))
        let isReported = run.events.contains { event in
            if case .test(.slow(let test, _)) = event { "\(test)".hasSuffix(name) } else { false }
        }
        #expect(isReported)
    }

    @Test(arguments: [
        "AFatal/testBefore", "AFatal/testLater", "CExit/testLater", "DSignal/testLater", "EHang/testLater",
        "FOutput/testGlued", "FOutput/testLater", "FOutput/testMuch",
        "GStray/testLeavesProcess", "GStray/testLater",
        "Fatal/before()", "Fatal/later()", "Crowd/bystander(number:)", "Crowd/patient()", "Hang/quick()",
        "Output/closesOutput()", "Output/printing()", "Stray/leavesProcess()", "FlowTests.named()",
        "overloaded(_:) Namesakes.swift:4:6", "overloaded(_:) Namesakes.swift:5:6", "twin() Namesakes.swift:8:2",
    ])
    func itsNeighborsStillRun(_ name: String) throws {
        #expect(try run.get().outcome(name) == .passed)
    }

    @Test func testsOfTheSameNameDiffer() throws {
        #expect(try run.get().outcome("twin() MoreNamesakes.swift:3:2") == .failed)
    }

    @Test func theArgumentIsNamed() throws {
        let run = try run.get()
        #expect(run.test("crashing(letter:)")?.attempts.last?.failures.first?.argument == #"letter → "c""#)
        #expect(run.test("failing(number:)")?.attempts.last?.failures.map(\.argument) == ["number → 3"])
    }

    /// The stack trace, which is in the failure, is not repeated.
    @Test(arguments: [
        ("AFatal/testFatal", "LossTests/XCTestLosses.swift:9: Fatal error: boom goes the test"),
        ("Fatal/fatal()", "FlowTests/SwiftTestingLosses.swift:9: Fatal error: boom goes the function"),
    ])
    func outputOfCrashingTestsIsKept(_ name: String, _ error: String) throws {
        #expect(try run.get().output(name) == "about to crash\n\(error)\n\n")
    }

    @Test func aSetUpThatCrashesTakesOnlyItsClass() throws {
        let run = try run.get()
        for name in ["ISetUp/testOne", "ISetUp/testTwo"] {
            #expect(
                run.outcome(name) == .notRun(reason: "its test process ended with signal 4 (SIGILL) before it started"))
        }
        let issues = run.tests?.issues ?? []
        #expect(issues.count == 1)
        // The process may have run another suite before, depending on the order of the times.
        let moments = [
            "after a test had finished and before the next one started (signal 4 (SIGILL))",
            "before the first test of its suite started",
        ]
        let texts = moments.map {
            "Fatal error: class set-up\n  in static ISetUp.setUp() at Tests/LossTests/XCTestLosses.swift:75\n\($0)"
        }
        #expect(texts.contains(issues.first?.text ?? ""), "\(issues)")
        #expect(issues.first?.location?.line == 75)
    }

    @Test func flakyTestsAreCounted() throws {
        let run = try run.get()
        #expect(run.test("testPassesSecondTime")?.isFlaky == true)
        #expect(run.test("testPassesSecondTime")?.attempts.count == 2)
        let flaky = run.tests?.tests.filter(\.isFlaky) ?? []
        #expect(run.verdict.counts.flaky == flaky.count)
        // On a busy machine, a test may exceed its two seconds and pass when it is retried.
        let others = flaky.filter { test in
            if case .timedOut? = test.attempts.first?.outcome { false } else { true }
        }
        #expect(others.map(\.id.name) == ["testPassesSecondTime"])
    }

    /// Separate from tests that crash: a test that ends its process must be reported.
    @Test func leakedProcessesAreReported() throws {
        let run = try EngineRun(.losses) { options in
            options.build.isSkipped = true
            options.choice.filter = ["Stray/"]
        }
        let messages = run.summary.messages.map(\.text)
        let warnings = messages.filter { $0.hasSuffix(" left running, was ended") }
        #expect(warnings.contains { $0.contains("GStray/testLeavesProcess") }, "\(messages)")
        #expect(warnings.contains { $0.contains("Stray/leavesProcess()") }, "\(messages)")
        #expect(warnings.allSatisfy { $0.hasPrefix("'/bin/sleep 600' (process ") }, "\(messages)")
    }
}
