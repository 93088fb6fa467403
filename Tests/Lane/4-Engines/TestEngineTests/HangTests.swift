import Events
import TestSupport
import Testing
import ToolOutput

@testable import OperatingSystem
@testable import TestEngine

/// Hangs of the fixture `Hangs`. Each names the function that hangs, or says that its task has no stack.
@Suite(.engineTurn, .enabled(if: hasTool("eu-stack") || hasTool("gdb"), "needs eu-stack or gdb")) struct HangTests {
    private static let package = FixturePackage("Hangs")

    /// The function that hangs, by the name of the test. `nil` is a suspended task.
    private static let functions: [(test: String, function: String?)] = [
        ("testLockCycle", "> Bank.Account.transfer(_:to:whenLocked:)"),
        ("testSemaphore", "> Bank.blockThread(until:)"),
        ("testSpin", "> HangTests.spin()"),
        ("testQueueOnItself", "> HangTests.syncFromAnotherThread(_:)"),
        ("testChildThatNeverEnds", "> HangTests.runForever()"),
        ("testFullPipe", "> HangTests.fill(_:)"),
        ("testEmptyPipe", "> HangTests.readFromSilence(_:)"),
        ("testCondition", "> HangTests.waitForCondition(_:)"),
        ("testGroup", "> HangTests.waitForGroup(_:)"),
        ("testMainQueue", "> HangTests.syncOnMain()"),
        ("testRunLoop", "> HangTests.runLoopForever()"),
        ("testOperations", "> HangTests.ThreadHangs.testOperations()"),
        ("testSleep", "> HangTests.sleepForWeeks()"),
        ("testStop", "> HangTests.ThreadHangs.testStop()"),
        ("testAsync", nil),
        ("continuation()", nil),
        ("actor()", nil),
        ("stream()", nil),
        ("starvation()", "> HangTests.blockPool(_:)"),
        ("mainActor()", "> HangTests.waitForMainActor()"),
        ("lockedTwice()", "> HangTests.lockTwice()"),
    ]

    @Test func eachHangNamesItsFunction() throws {
        let run = try EngineRun(Self.package) { options in
            options.times.timeout = .seconds(1)
            options.jobs = 4
        }
        #expect(run.verdict.counts.timedOut == 21)
        #expect(Self.functions.count == 21)
        for (test, function) in Self.functions {
            let text = run.failure("/\(test)")
            let lines = text.split(separator: "\n").map(String.init)
            #expect(lines.first == "exceeded the time limit of 1 s and was ended")
            if let function {
                #expect(lines.contains(where: { $0.hasPrefix(function) }), "\(test): \(text)")
            } else {
                #expect(text.contains("a suspended task has no stack"), "\(test): \(text)")
            }
        }
        #expect(run.failure("/testChildThatNeverEnds").contains("its child process '/bin/sleep 1000' is running"))
    }

    /// A process that has stopped itself does not end on SIGTERM.
    @Test func swiftTestHasTheSameLimits() throws {
        let run = try EngineRun(Self.package) { options in
            options.times.timeout = .seconds(1)
            options.choice.filter = ["testStop", "Passes"]
            options.throughSwiftTest = true
            options.build.isSkipped = true
        }
        #expect((run.verdict.counts.timedOut, run.verdict.counts.passed) == (1, 2))
        #expect(run.failure("/testStop").contains("> HangTests.ThreadHangs.testStop()"))
    }

    @Test func theEndOfTheRunShowsStacks() throws {
        let run = try EngineRun(Self.package) { options in
            options.times.runTimeout = .seconds(1)
            options.choice.filter = ["testSemaphore"]
            options.build.isSkipped = true
        }
        #expect(run.failure("/testSemaphore").contains("> Bank.blockThread(until:)"))
    }

    @Test func stacksAreShownForSIGQUIT() throws {
        let run = try EngineRun(
            Self.package,
            { options in
                options.times.timeout = .seconds(2)
                options.choice.filter = ["testGroup"]
                options.build.isSkipped = true
            },
            seeing: { event in
                if case .test(.started) = event { #expect(QuitHandler.callAll()) }
            })
        #expect(run.messages.contains { $0.hasPrefix("running at SIGQUIT: HangTests.ThreadHangs/testGroup\n") })
        // Outside a run of tests, the signal ends `lane`.
        #expect(!QuitHandler.callAll())
    }

    @Test func aToolThatHangsIsEnded() throws {
        let directory = try TemporaryDirectory()
        try makeDirectories("\(directory.path)/bin")
        try writeFile("#!/bin/sh\nexec sleep 60\n", to: "\(directory.path)/bin/eu-stack", mode: 0o755)
        let path = "\(directory.path)/bin:\(FixturePackage.environment["PATH"] ?? "")"
        let run = try EngineRun(Self.package, environment: ["PATH": path]) { options in
            options.times.timeout = .seconds(1)
            options.choice.filter = ["testSleep"]
            options.build.isSkipped = true
        }
        #expect(
            run.failure("/testSleep") == """
                exceeded the time limit of 1 s and was ended
                eu-stack was ended after 2.5 s without an answer
                """)
    }

    @Test func aForbiddenTraceIsExplained() {
        let errors = "eu-stack: dwfl_linux_proc_attach pid 7: Operation not permitted\n"
        #expect(
            StackReader.reason(of: errors, from: "eu-stack")
                == "the stacks of its threads cannot be read, because ptrace is not permitted: start the container with '--cap-add SYS_PTRACE', or set kernel.yama.ptrace_scope to 0"
        )
        #expect(StackReader.reason(of: "eu-stack: odd\n", from: "eu-stack") == "eu-stack read no stack: eu-stack: odd")
    }
}

extension EngineRun {
    fileprivate var messages: [String] {
        events.compactMap { if case .message(let message) = $0 { message.text } else { nil } }
    }
}
