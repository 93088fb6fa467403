import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("lane ends in time, together with all children of a step")
    struct ChildTests {
        @Test("A hundred child processes end with their step")
        func hundredChildren() async throws {
            let lane = """
                steps:
                  - run: |
                      for i in $(seq 100); do sleep 600 & echo $! >> pids; done
                      touch ready; wait
                """
            let (run, package) = try await runScript(
                "set -m; hang; kill -INT $lane; wait $lane; echo status $?; alive", lanes: ["hang": lane])
            #expect(run.text == "status 130\n", "\(run.errorText)")
            #expect(try package.directory.read("pids").split(separator: "\n").count == 100)
        }

        @Test("A background child that keeps the pipe open does not delay the step, and is reported")
        func heldPipe() async throws {
            // The child of the shell has the shell's command line until it runs its program.
            let lane = """
                steps:
                  - run: |
                      sleep 600 & echo $! > pids
                      while [ -e /proc/$! ] && ! grep -q ^sleep /proc/$!/cmdline; do :; done
                  - run: echo next
                """
            let (run, _) = try await runScript("\"$0\" hold; echo status $?; alive", lanes: ["hold": lane])
            expectGolden(redacted(run.text), "held-pipe.txt")
        }

        @Test("The timeout of a lane ends its steps, runs the hooks, and exits with status 124")
        func laneTimeout() async throws {
            let lane = """
                timeout: 500ms
                steps:
                  - run: (setsid sleep 600 > /dev/null 2>&1 & echo $! > pids); sleep 600
                  - run: touch never
                always:
                  - run: touch tidied
                """
            let (run, _) = try await runScript(
                "\"$0\" slow > out; echo status $?; alive; ls never tidied 2> /dev/null", lanes: ["slow": lane])
            #expect(run.text == "status 124\ntidied\n", "\(run.errorText)")
        }

        @Test("A step that a signal ended is reported with the signal and the status")
        func killedStep() async throws {
            let (run, _) = try await runScript(
                "\"$0\" dies; echo status $?", lanes: ["dies": "steps:\n  - run: kill -KILL $$\n"])
            expectGolden(redacted(run.text), "killed-step.txt")
        }

        #if os(Linux)
            /// Some daemons ignore SIGCHLD. Then the system discards the exit statuses of children.
            @Test("A step's status counts even where lane is started with SIGCHLD ignored")
            func ignoredChildren() async throws {
                let (run, _) = try await runScript(
                    "env --ignore-signal=CHLD \"$0\" fails; echo status $?",
                    lanes: ["fails": "steps:\n  - run: exit 3\n"])
                #expect(run.text.hasSuffix("status 3\n"), "\(run.text)")
            }
        #endif

        @Test("With several failures the status is that of the first in time, and all are listed")
        func firstFailure() async throws {
            let lane = """
                steps:
                  - parallel:
                      - name: late
                        run: while [ ! -e failed ]; do sleep 0.02; done; sleep 0.3; exit 9
                      - name: early
                        run: touch failed; exit 7
                """
            let (run, _) = try await runScript("\"$0\" two -j 2 -k; echo status $?", lanes: ["two": lane])
            #expect(run.text.hasSuffix("status 7\n"), "\(run.text)")
            #expect(run.text.contains("exit status 7") && run.text.contains("exit status 9"))
        }

        #if os(Linux)
            @Test("The steps of a parallel step, and needed lanes, run at once on a machine with one processor")
            func oneProcessor() async throws {
                let meet = { (own: String, other: String) in
                    "touch \(own); until [ -e \(other) ]; do sleep 0.02; done"
                }
                let lanes = [
                    "meet": "steps:\n  - parallel:\n      - run: \(meet("a", "b"))\n      - run: \(meet("b", "a"))\n",
                    "one": "steps:\n  - run: \(meet("c", "d"))\n", "two": "steps:\n  - run: \(meet("d", "c"))\n",
                    "both": "needs: [one, two]\nsteps:\n  - run: echo met\n",
                ]
                let (run, _) = try await runScript("taskset 1 \"$0\" meet both > out; echo status $?", lanes: lanes)
                #expect(run.text == "status 0\n", "\(run.errorText)")
            }
        #endif

        @Test("In a step, lane is the program of the run if PATH has none, and otherwise that of PATH")
        func nestedLane() async throws {
            let lanes = ["outer": "steps:\n  - run: lane inner\n", "inner": "steps:\n  - run: echo within\n"]
            let (run, _) = try await runScript(
                """
                mkdir bin; printf '#!/bin/sh\\necho other\\n' > bin/lane; chmod +x bin/lane
                "$0" outer; PATH="$PWD/bin:$PATH" "$0" outer
                """, lanes: lanes)
            let lines = run.text.split(separator: "\n")
            #expect(lines.contains("within") && lines.contains("other"), "\(run.text) \(run.errorText)")
        }

        @Test("--fail-fast ends all processes of the other steps")
        func failFast() async throws {
            let lane = """
                steps:
                  - parallel:
                      - run: (setsid sleep 600 > /dev/null 2>&1 & echo $! >> pids); sleep 600 & echo $! >> pids; touch up; wait
                      - run: while [ ! -e up ]; do sleep 0.02; done; exit 7
                """
            let (run, package) = try await runScript(
                "\"$0\" two -j 2 --fail-fast > out; echo status $?; alive", lanes: ["two": lane])
            #expect(run.text == "status 7\n", "\(run.errorText)")
            #expect(try package.directory.read("pids").split(separator: "\n").count == 2)
        }

        @Test("The output of parallel steps does not mix within a line, and each step's output is kept together")
        func sideBySide() async throws {
            // Output that ends in the middle of lines, from all steps at the same time.
            let talk = "for i in $(seq 300); do printf %s XXXX; printf '%s\\n' XXXX; done"
            let steps = ["a", "b", "c"].map { "      - run: \(talk.replacing("X", with: $0))" }
            let lane = "steps:\n  - parallel:\n" + steps.joined(separator: "\n") + "\n"
            let (run, _) = try await runScript("\"$0\" talk -j 3", lanes: ["talk": lane])
            let lines = run.text.split(separator: "\n").filter { ["aaaaaaaa", "bbbbbbbb", "cccccccc"].contains($0) }
            #expect(lines.count == 900)
            #expect(zip(lines, lines.dropFirst()).count { $0 != $1 } == 2)
        }

        @Test("200 megabytes of output pass in constant memory")
        func muchOutput() async throws {
            let lane = """
                steps:
                  - run: |
                      before=$(awk '/VmHWM/ { print $2 }' /proc/$PPID/status)
                      { yes "$(printf '%0120d' 7)" || :; } | head -c 200000000
                      after=$(awk '/VmHWM/ { print $2 }' /proc/$PPID/status)
                      echo; echo "grew by $((after - before)) KiB"
                """
            let (run, _) = try await runScript(
                "\"$0\" much | tail -n 5; echo ${PIPESTATUS[0]}; wc -c < .lane/logs/much/run.log", lanes: ["much": lane]
            )
            let growth = run.text.split(separator: "\n").first { $0.hasPrefix("grew by ") }?.split(separator: " ")[2]
            let kibibytes = try #require(growth.flatMap { Int($0) }, "\(run.text)\(run.errorText)")
            #expect(kibibytes < 20_000)
            let last = run.text.split(separator: "\n").suffix(2).compactMap { Int($0) }
            #expect(last.first == 0 && last[1] > 200_000_000)
        }
    }
}
