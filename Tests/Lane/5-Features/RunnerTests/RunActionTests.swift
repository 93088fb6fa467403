import Actions
import Events
import Expressions
import OperatingSystem
import Runner
import TestSupport
import Testing

@testable import LaneModel

@Suite struct RunActionTests {
    func lane(
        _ command: Value, timeout: Duration? = nil, directory: String? = nil, shell: String? = nil
    ) -> ScriptedRun {
        var lane = ScriptedRun()
        var settings = [("command", command)]
        if let shell { settings.append(("shell", .string(shell))) }
        if let directory { settings.append(("directory", .string(directory))) }
        lane.add("a", "run", timeout: timeout, settings: settings)
        return lane
    }

    @Test func aListIsSpawnedDirectly() {
        let (status, record) = lane(.list([.string("echo"), .string("$HOME  'x'")])).run()
        #expect(status == 0)
        #expect(record.output == "$HOME  'x'\n")
        guard case .stepStarted(let start)? = record.events.dropFirst().first?.kind else {
            Issue.record("the step did not begin")
            return
        }
        #expect(start.command == #"echo '$HOME  '\''x'\'''"#)
    }

    @Test func standardOutputAndStandardErrorKeepTheirOrder() {
        let script = "i=0; while [ $i -lt 200 ]; do echo out $i; echo err $i >&2; i=$((i + 1)); done"
        let (status, record) = lane(.string(script)).run()
        #expect(status == 0)
        #expect(record.output == (0..<200).map { "out \($0)\nerr \($0)\n" }.joined())
    }

    @Test func aScriptRunsInAStrictShell() {
        #expect(lane(.string("echo one\nfalse\necho two")).run().status == 1)
        #expect(lane(.string("echo one\nfalse\necho two")).run().record.output == "one\n")
        #expect(lane(.string("echo $unset_variable")).run().status != 0)
    }

    @Test(.enabled(if: hasTool("bash"))) func aPipelineFailsWithAnyOfItsCommands() {
        let script = Value.string("false | true\necho after")
        #expect(lane(script, shell: "bash -eu").run().record.output == "after\n")
        #expect(lane(script, shell: "bash -euo pipefail").run().status == 1)
        #expect(lane(.string("echo a | tr a b")).run().record.output == "b\n")
        // Some systems have an `sh` without `pipefail`.
        #expect(lane(script).run().status == 1)
        #expect(lane(script).run().record.output == "")
        #expect(lane(.string("false || echo 'it'\"'s $((1 + 1))\" | cat")).run().record.output == "it's 2\n")
    }

    @Test(.enabled(if: hasTool("python3"))) func aScriptCanBeOfAnotherLanguage() {
        let script = "import os, sys\nprint(1 + 2, os.path.basename(sys.argv[0]))\nsys.exit(4)\n"
        for (status, record) in [
            lane(.string(script), shell: "python3").run(), lane(.string("#!/usr/bin/env python3\n\(script)")).run(),
        ] {
            #expect(status == 4)
            #expect(record.output == "3 script\n")
        }
        #expect(lane(.string("x"), shell: "no-such-language").run().status == 69)
    }

    @Test(arguments: [
        ("exit 5", 5, "exit status 5"), ("kill -SEGV $$", 139, "ended by SIGSEGV"),
        ("no-such-tool-at-all", 127, "exit status 127"),
    ])
    func theStatusPassesThrough(script: String, status: Int32, message: String) {
        let (found, record) = lane(.string(script)).run()
        #expect(found == status)
        #expect(record.outcomes["lane/a"] == .failed(status: status, message: message))
    }

    @Test func aMissingProgramIsAMissingTool() {
        #expect(lane(.list([.string("no-such-tool-at-all")])).run().status == 69)
        #expect(lane(.string("true"), directory: "no/such/place").run().status == 66)
    }

    @Test func aTimeoutHasADistinctStatus() {
        let (status, record) = lane(.string("sleep 100"), timeout: .milliseconds(50)).run()
        #expect(status == 124)
        #expect(record.outcomes["lane/a"] == .timedOut(after: .milliseconds(50)))
        #expect(!record.events.contains { $0.kind == Self.laneIsOver })
    }

    /// A test process may succeed while its stacks are read after the timeout.
    @Test func anActionThatSucceedsAfterItsTimeoutHasTimedOut() {
        var lane = ScriptedRun()
        lane.script("endure") { _, context in
            let script = "trap 'exit 0' TERM; sleep 100 & wait"
            _ = try? context.processes.capture(
                Command("sh", ["-c", script], environment: context.environment, directory: "/"))
            return StepResult()
        }
        lane.add("a", "endure", timeout: .milliseconds(50))
        let (status, record) = lane.run()
        #expect(status == 124)
        #expect(record.outcomes["lane/a"] == .timedOut(after: .milliseconds(50)))
    }

    /// Otherwise, a step that ran for a second would be reported as timed out after the hour of its lane.
    private static let laneIsOver = LaneEvent.Kind.message(Message(.note, "the lane timed out"))

    @Test func aLanesTimeoutEndsItsSteps() {
        var lane = ScriptedRun()
        lane.groups = [PlanGroup(path: "lane", lane: "lane", timeout: .milliseconds(50))]
        lane.options.failurePolicy = .keepGoing
        lane.add("a", "run", settings: [("command", .string("sleep 100"))])
        lane.add("b", after: [], condition: "always()")
        lane.add("tidy", stage: .always)
        lane.options.jobs = 1
        let (status, record) = lane.run()
        #expect(status == 124)
        #expect(record.outcomes["lane/a"] == .timedOut(after: .milliseconds(50)))
        #expect(record.events.count { $0.kind == Self.laneIsOver } == 1)
        #expect(record.outcomes["lane/b"] == .skipped(reason: "lane 'lane' timed out"))
        #expect(record.outcomes["lane/tidy"] == .passed)
    }

    @Test func aCancelledRunEndsItsChildren() throws {
        let directory = try TemporaryDirectory()
        var lane = self.lane(.string("touch ready; sleep 100"))
        lane.root = directory.path
        let cancellation = lane.cancellation
        let canceller = Thread {
            var tries = 0
            while (try? directory.read("ready")) == nil, tries < 2000 {
                Cancellation().wait(.milliseconds(5))
                tries += 1
            }
            cancellation.cancel(.graceful, signal: 2)
        }
        let (status, record) = lane.run()
        canceller?.join()
        #expect(status == 130)
        #expect(record.outcomes["lane/a"] == .cancelled)
    }

    @Test func aCommandThatNeedsATerminalHasAHint() {
        let script = "echo 'sudo: a terminal is required to read the password' >&2; exit 1"
        for command in [Value.string(script), .list([.string("sh"), .string("-c"), .string(script)])] {
            let message = "exit status 1\nhint: a step has no terminal to ask on; add 'interactive: true' to it"
            #expect(lane(command).run().record.outcomes["lane/a"] == .failed(status: 1, message: message))
        }
    }

    @Test func processesThatOutliveACommandAreReported() {
        // The child of the shell has the shell's command line until it runs its program.
        let script = "sleep 100 & while [ -e /proc/$! ] && ! grep -q ^sleep /proc/$!/cmdline; do :; done"
        let (status, record) = lane(.string(script)).run()
        #expect(status == 0)
        #if os(Linux)
            let warning = "warning: 'sleep 100' (process <id>) outlived the command and had to be ended"
            let hint = "hint: use a 'service' step for a program that runs on"
            #expect(record.messages.map { redacted($0) } == ["\(warning)\n\(hint)"])
        #endif
    }

    @Test func processesOfATimedOutCommandAreNotReported() {
        let (status, record) = lane(.string("sleep 100 & sleep 100; true"), timeout: .milliseconds(50)).run()
        #expect(status == 124)
        #expect(record.messages == [])
    }

    @Test func logsContainTheCompleteOutput() throws {
        let directory = try TemporaryDirectory()
        var lane = self.lane(.string("echo out; echo err >&2"))
        lane.root = directory.path
        lane.keepsRecords = true
        #expect(lane.run().status == 0)
        let log = try directory.read(".lane/logs/lane/a.log")
        #expect(log.split(separator: "\n").sorted() == ["err", "out"])
    }

    @Test func noEventContainsASecret() {
        var lane = ScriptedRun()
        lane.secrets = ["TOKEN", "PIN"]
        lane.environment["TOKEN"] = "hunter2-password"
        lane.environment["PIN"] = "12"
        lane.options.failurePolicy = .keepGoing
        lane.script("leaks") { settings, context throws(OperationFailure) in
            context.send(.message(Message(.note, "token hunter2-password")))
            throw OperationFailure("bad hunter2-password")
        }
        lane.add("a", "leaks", retry: Retry(times: 1))
        lane.add(
            "b", "run",
            settings: [("command", .list([.string("sh"), .string("-c"), .string("echo hunter2-password")]))])
        lane.add("c", "run", settings: [("command", .string("printf hunter2; sleep 0.05; echo -password; exit 3"))])
        let (_, record) = lane.run()
        #expect(!"\(record.events.map(\.kind))".contains("hunter2-password"))
        #expect(record.output == "***\n***\n")
        #expect(
            record.messages == [
                "warning: the value of PIN is too short to be masked in output", "note: token ***", "note: token ***",
            ])
    }
}
