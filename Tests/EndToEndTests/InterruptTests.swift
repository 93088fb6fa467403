import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("A signal ends lane and all its processes")
    struct InterruptTests {
        /// Starts a child, a child in its own session, and one that ignores SIGINT and SIGTERM. Records their identifiers.
        private static let lane = """
            steps:
              - run: |
                  sleep 600 & echo $! >> pids
                  setsid sleep 600 & echo $! >> pids
                  (trap '' TERM INT HUP; echo ready >> "$PWD/ready"; while :; do sleep 0.1; done) & echo $! >> pids
                  echo $$ >> pids
                  wait
            """

        @Test(
            "No orphan remains, and the status is that of the signal",
            arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
        func oneSignal(_ signal: String, _ status: Int) async throws {
            let outcome = try await interrupt("kill -\(signal) $lane")
            #expect(outcome == "status \(status)\n")
        }

        @Test("A second signal ends everything at once")
        func twoSignals() async throws {
            let outcome = try await interrupt("kill -INT $lane; sleep 0.2; kill -INT $lane || true")
            #expect(outcome == "status 130\n")
        }

        @Test("A later signal ends lane itself, here while it waits for the reader of a pipe")
        func busy() async throws {
            let text = """
                mkfifo events; "$0" short --events events & lane=$!
                until grep -q "^SigBlk:.*[1-9a-f]" /proc/$lane/status; do sleep 0.02; done; sleep 0.3
                kill -TERM $lane; sleep 0.3; kill -TERM $lane; sleep 0.3; kill -0 $lane && echo waits
                sleep 2; kill -TERM $lane; wait $lane; echo status $?
                """
            let (run, _) = try await runScript(text, lanes: ["short": "steps: [run: [date]]"])
            #expect(run.text == "waits\nstatus 143\n", "\(run.errorText)")
        }

        @Test("A pause between two attempts ends at once")
        func pause() async throws {
            let lane = "steps: [{ run: touch ready && exit 1, retry: { times: 1, backoff: 5m } }]"
            let (run, _) = try await runScript(
                "set -m; hang; sleep 0.2; kill -INT $lane; wait $lane; echo status $?", lanes: ["hang": lane])
            #expect(run.text == "status 130\n")
        }

        @Test("A signal is not lost in a very short run")
        func shortRun() async throws {
            let lane = #"steps: [{ run: [sh, -c, "kill -INT $PPID"] }]"#
            let (run, _) = try await runScript(
                #"for _ in 1 2 3 4 5; do "$0" short >out 2>&1; echo $?; done"#, lanes: ["short": lane])
            #expect(run.text == String(repeating: "130\n", count: 5))
        }

        /// The exit status of `lane`, and a line for each process of its step that is still running.
        private func interrupt(_ action: String) async throws -> String {
            // Uses job control, as in a terminal, because otherwise the children of a shell ignore Ctrl-C.
            let text = """
                set -m
                hang
                \(action)
                wait $lane
                echo status $?
                alive
                """
            let (run, package) = try await runScript(text, lanes: ["hang": Self.lane])
            #expect(run.report.succeeded, "\((try? package.directory.read("out")) ?? "")")
            return run.text
        }
    }
}
