import CLibrary
import OperatingSystem
import Synchronization
import TestSupport
import Testing

/// Tests that no descendant survives its child.
@Suite struct TeardownTests {
    let runner = ChildRunner()

    /// Runs a script that lists its processes in the file `pids`, and cancels it when the file `ready` exists.
    func cancelled(
        _ script: String, grace: Duration = .seconds(5), levels: [Cancellation.Level] = [.graceful],
        in directory: TemporaryDirectory
    ) throws -> ExitReport {
        let cancellation = Cancellation()
        let canceller = Thread {
            #expect(waitForFile("\(directory.path)/ready"))
            for level in levels { cancellation.cancel(level) }
        }
        let report = try runner.run(
            shell(script, in: directory.path), limits: RunLimits(grace: grace, cancellation: cancellation)
        ) { _, _ in }
        canceller?.join()
        return report
    }

    @Test func aTimeoutEndsTheWholeGroup() throws {
        let directory = try TemporaryDirectory()
        let script = "sleep 100 & echo $! >> pids; sleep 100 & echo $! >> pids; echo $$ >> pids; wait"
        let limits = RunLimits(timeout: .milliseconds(300))
        let report = try runner.capture(shell(script, in: directory.path), limits: limits).report
        #expect(report.stoppedBy == .timeout)
        #expect(report.termination == .signalled(SIGTERM))
        let started = try processes(listedIn: directory, "pids")
        #expect(started.count == 3)
        #expect(!started.contains(where: isAlive))
    }

    /// The program that replaces the shell does not reap the children of the shell.
    @Test func aProcessThatIsNeverReapedIsNotRunning() throws {
        let cancellation = Cancellation()
        var isUnreaped = false
        _ = try runner.run(
            shell("sleep 0.2 & echo $!; exec sleep 100"), limits: RunLimits(cancellation: cancellation)
        ) { _, bytes in
            guard let process = pid_t(String(decoding: bytes, as: UTF8.self).dropLast()) else { return }
            for _ in 0..<6_000 where processIsRunning(process) { usleep(10_000) }
            isUnreaped = kill(process, 0) == 0 && !processIsRunning(process)
            cancellation.cancel(.immediate)
        }
        #expect(isUnreaped)
        #expect(processIsRunning(getpid()))
    }

    @Test func gracefulCancellationLetsAChildFinish() throws {
        let directory = try TemporaryDirectory()
        let report = try cancelled(
            "trap 'echo bye > bye; exit 9' TERM; touch ready; while :; do sleep 0.01; done", in: directory)
        #expect(report.stoppedBy == .cancelled)
        #expect(report.termination == .exited(9))
        #expect(try directory.read("bye") == "bye\n")
    }

    @Test func childrenThatIgnoreSIGTERMAreKilledAfterTheGracePeriod() throws {
        let directory = try TemporaryDirectory()
        let script = "trap '' TERM; sh -c 'echo $$ >> pids; touch ready; sleep 100' & echo $$ >> pids; wait; sleep 100"
        let report = try cancelled(script, grace: .milliseconds(200), in: directory)
        #expect(report.termination == .signalled(SIGKILL))
        #expect(report.stoppedBy == .cancelled)
        #expect(!(try processes(listedIn: directory, "pids").contains(where: isAlive)))
    }

    @Test func secondCancellationKillsImmediately() throws {
        let directory = try TemporaryDirectory()
        let script = "trap '' TERM; touch ready; while :; do sleep 0.01; done"
        let report = try cancelled(script, grace: .seconds(3600), levels: [.graceful, .immediate], in: directory)
        #expect(report.termination == .signalled(SIGKILL))
    }

    @Test func cancelledCommandsDoNotStart() throws {
        let directory = try TemporaryDirectory()
        let cancellation = Cancellation()
        cancellation.cancel()
        let command = shell("touch started", in: directory.path)
        let report = try runner.capture(command, limits: RunLimits(cancellation: cancellation)).report
        #expect(report.stoppedBy == .cancelled)
        #expect(try entries(of: directory.path).isEmpty)
    }

    @Test func grandchildWithAnOpenPipeDoesNotBlock() throws {
        let run = try runner.capture(shell("sleep 100 & echo $!"))
        #expect(run.report.termination == .exited(0))
        let grandchild = try #require(pid_t(run.text.dropLast()))
        #expect(!isAlive(grandchild))
        #if os(Linux)
            #expect(run.report.leakedProcesses.map(\.id) == [grandchild])
        #endif
    }

    @Test func outputShortlyAfterTheLeaderIsRead() throws {
        let run = try runner.capture(shell("(sleep 0.02; echo late) & echo early"))
        // The number of leaked processes varies: the subshell closes its end of the pipe a moment before it ends.
        #expect(run.text == "early\nlate\n")
    }

    @Test(arguments: [
        ("sleep 100", "'sleep 100' (process 7)"),
        ("sh -c sleep 100\n\u{1B}[2Jexit", "'sh -c sleep 100 exit' (process 7)"),
        (String(repeating: "x", count: 90), "'\(String(repeating: "x", count: 79))…' (process 7)"), ("", "process 7"),
    ])
    func processesAreNamedOnOneLine(commandLine: String, text: String) {
        #expect(ObservedProcess(id: 7, program: nil, commandLine: commandLine).description == text)
    }

    #if os(Linux)
        @Test(arguments: [
            // A daemon in its own session with closed streams.
            "setsid sh -c 'echo $$ >> pids; exec sleep 100' < /dev/null > /dev/null 2>&1 & while [ ! -s pids ]; do :; done",
            // A daemon that was forked twice, whose parent has ended.
            "(setsid sh -c 'sleep 100 & echo $! >> pids' < /dev/null > /dev/null 2>&1); while [ ! -s pids ]; do :; done",
            // A daemon that ignores SIGTERM.
            "setsid sh -c 'trap \"\" TERM; echo $$ >> pids; sleep 100' > /dev/null 2>&1 & while [ ! -s pids ]; do :; done",
        ])
        func daemonsAreFoundAfterTheirLeader(script: String) throws {
            let directory = try TemporaryDirectory()
            let report = try runner.capture(
                shell(script, in: directory.path), limits: RunLimits(grace: .milliseconds(200))
            ).report
            #expect(report.termination == .exited(0))
            #expect(!report.leakedProcesses.isEmpty)
            let started = try processes(listedIn: directory, "pids")
            #expect(started.count == 1)
            #expect(!started.contains(where: isAlive))
        }

        @Test func daemonsAreEndedWithTheirLeader() throws {
            let directory = try TemporaryDirectory()
            let script = """
                (setsid sh -c 'sleep 100 & echo $! >> pids' < /dev/null > /dev/null 2>&1)
                while [ ! -s pids ]; do :; done; touch ready; sleep 100
                """
            let report = try cancelled(script, in: directory)
            #expect(report.stoppedBy == .cancelled)
            #expect(!(try processes(listedIn: directory, "pids").contains(where: isAlive)))
        }

        @Test func siblingsAreNotEnded() throws {
            let directory = try TemporaryDirectory()
            let other = Thread {
                let script = "(setsid sleep 0.5 > /dev/null 2>&1 &); touch ready; sleep 0.5; touch survived"
                let report = try? ChildRunner().capture(shell(script, in: directory.path)).report
                #expect(report?.termination == .exited(0))
            }
            #expect(waitForFile("\(directory.path)/ready"))
            let report = try runner.capture(shell("(setsid sleep 100 > /dev/null 2>&1 &)")).report
            #expect(report.leakedProcesses.count == 1)
            other?.join()
            #expect(try directory.read("survived") == "")
        }

        /// The environment of one child has a value of `LANE_CHILD` that starts with the mark of another running child.
        @Test(arguments: ["", "/", "/0", "/0/1"])
        func aChildKeepsItsProcessesInAnyEnvironment(suffix: String) throws {
            let directory = try TemporaryDirectory()
            let path = directory.path
            let leaks = Mutex<[String: Int]>([:])
            func run(_ name: String, _ command: Command) -> Thread? {
                Thread {
                    let report = try? ChildRunner().capture(command).report
                    leaks.withLock { $0[name] = report?.leakedProcesses.count }
                }
            }
            let writesMark = "echo $LANE_CHILD > mark.new; mv mark.new mark; while [ ! -e go ]; do sleep 0.01; done"
            let first = run("first", shell(writesMark, in: path))
            #expect(waitForFile("\(path)/mark"))
            let leaves = "(setsid sleep 100 > /dev/null 2>&1 &); touch ready; while [ ! -e end ]; do sleep 0.01; done"
            var command = shell(leaves, in: path)
            command.environment["LANE_CHILD"] = try String(directory.read("mark").dropLast()) + suffix
            let second = run("second", command)
            #expect(waitForFile("\(path)/ready"))
            try directory.write("", to: "go")
            first?.join()
            try directory.write("", to: "end")
            second?.join()
            #expect(leaks.withLock { $0 } == ["first": 0, "second": 1])
        }
    #endif

    @Test func aHundredChildren() throws {
        let directory = try TemporaryDirectory()
        let script = """
            i=0; while [ $i -lt 100 ]; do sleep 100 & echo $! >> pids; i=$((i+1)); done; touch ready; wait
            """
        let report = try cancelled(script, in: directory)
        #expect(report.stoppedBy == .cancelled)
        let started = try processes(listedIn: directory, "pids")
        #expect(started.count == 100)
        #expect(!started.contains(where: isAlive))
    }

    @Test func stoppedChildrenAreContinuedToEnd() throws {
        let directory = try TemporaryDirectory()
        let report = try cancelled("trap 'exit 5' TERM; touch ready; kill -STOP $$; sleep 100", in: directory)
        #expect(report.termination == .exited(5))
    }
}
