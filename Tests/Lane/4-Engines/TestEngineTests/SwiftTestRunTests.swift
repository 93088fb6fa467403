import Events
import TestEngine
import TestSupport
import Testing
import Text

/// Tests of runs through `swift test`, which macOS requires, with the same results as direct runs.
@Suite(.serialized, .engineTurn) struct SwiftTestRunTests {
    @Test(.needsNewTesting) func demoHasTheSameResults() throws {
        let direct = try EngineRun(.demo)
        let through = try EngineRun(.demo) { options in
            options.build.isSkipped = true
            options.throughSwiftTest = true
        }
        #expect(through.verdict.status == .failed)
        #expect(through.verdict.counts == direct.verdict.counts)
        for test in direct.tests?.tests ?? [] {
            let other = through.tests?[test.id]
            if case .skipped(let reason?) = other?.outcome, case .skipped(let expected?) = test.outcome {
                #expect(reason.hasPrefix(expected), "\(test.id)")
            } else {
                #expect(other?.outcome == test.outcome, "\(test.id)")
            }
            let (told, expected) = (other?.attempts.last?.failures ?? [], test.attempts.last?.failures ?? [])
            #expect(told.count == expected.count, "\(test.id)")
            // `swift test` combines both streams, so that the output of another thread may follow the text of a
            // failure or the reason of a skipped test.
            for (one, other) in zip(told, expected) { #expect(one.text.hasPrefix(other.text), "\(test.id)") }
        }
    }

    @Test func aCrashCostsOneTest() throws {
        let run = try EngineRun(.losses) { options in
            options.build.isSkipped = true
            options.throughSwiftTest = true
            options.choice.filter = ["AFatal", "LossTests.CExit", "Fatal/"]
        }
        #expect(run.verdict.status == .testCrashed)
        #expect(run.verdict.counts.planned == 9)
        for name in ["AFatal/testFatal", "CExit/testExit3", "CExit/testExitZero", "Fatal/fatal()"] {
            guard case .crashed = run.outcome(name) else {
                Issue.record("\(name): \(String(describing: run.outcome(name)))")
                continue
            }
        }
        for name in ["AFatal/testBefore", "AFatal/testLater", "CExit/testLater", "Fatal/before()", "Fatal/later()"] {
            #expect(run.outcome(name) == .passed, "\(name)")
        }
        // `swift test` combines two streams in any order, so the crash report may precede the start of the test.
        let told = run.failure("AFatal/testFatal") + (run.tests?.output.text ?? "") + run.output("AFatal/testFatal")
        #expect(told.contains("boom goes the test"))
    }

    /// The crash of a process may be read before its output. Only one test has crashed in this case, too.
    @Test func crashesMayBeReportedEarly() throws {
        let directory = try TemporaryDirectory()
        let path = FixturePackage.environment["PATH"] ?? ""
        try directory.write(
            """
            #!/bin/sh
            PATH='\(path)'
            case " $* " in *" list "* | " build "*) exec swift "$@" ;; esac
            swift "$@" >"$0.out" 2>"$0.err"
            status=$?
            head -n 3 "$0.out"; sleep 0.2; cat "$0.err" >&2; sleep 0.2; tail -n +4 "$0.out"
            exit $status

            """, to: "swift", mode: 0o755)
        let run = try EngineRun(.losses, environment: ["PATH": "\(directory.path):\(path)"]) { options in
            options.build.isSkipped = true
            options.throughSwiftTest = true
            options.choice.filter = ["AFatal"]
        }
        #expect(run.outcome("AFatal/testBefore") == .passed)
        #expect(run.outcome("AFatal/testLater") == .passed)
        #expect(run.verdict.counts.crashed == 1)
    }
}
