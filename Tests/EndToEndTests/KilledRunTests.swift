import OperatingSystem
import TestSupport
import Testing

#if os(Linux)
    extension EndToEnd {
        @Suite("The processes of a killed lane end with it")
        struct KilledRunTests {
            /// Starts a child, a child in its own session, one that ignores SIGINT and SIGTERM, and one without environment.
            /// Records their identifiers.
            private static let hang = """
                steps:
                  - run: |
                      sleep 600 & echo $! >> pids
                      setsid sleep 600 & echo $! >> pids
                      env -i setsid sleep 600 & echo $! >> pids
                      echo $$ >> pids
                      (trap '' TERM INT HUP; touch ready; while :; do sleep 0.1; done) & echo $! >> pids
                      wait
                """
            private static let lanes = ["hang": hang, "hello": "steps:\n  - run: echo hello\n"]

            @Test(
                "After SIGKILL of lane or of its process group, its guard ends all processes",
                arguments: [("", "kill -KILL $lane"), ("set -m", "kill -KILL -- -$lane")])
            func guarded(_ setting: String, _ kill: String) async throws {
                let text = """
                    \(setting)
                    hang
                    \(kill); wait $lane; echo status $?
                    while [ "$(alive)" ]; do sleep 0.02; done
                    echo all gone
                    """
                let (run, _) = try await runScript(text, lanes: Self.lanes)
                #expect(run.text == "status 137\nall gone\n", "\(run.errorText)")
            }

            @Test("After SIGKILL at any time of a run, no process remains")
            func killedEarly() async throws {
                let text = """
                    for time in 0.005 0.01 0.02 0.03 0.04 0.06 0.08 0.1; do
                        "$0" hang > out 2>&1 & lane=$!
                        sleep $time; kill -KILL $lane; wait $lane 2> /dev/null
                    done
                    sleep 3; touch pids; alive; echo none
                    """
                let hang = """
                    steps:
                      - parallel:
                          - run: echo $$ >> pids; exec sleep 600
                          - run: setsid sleep 600 & echo $! >> pids; sleep 600 & echo $! $$ >> pids; wait
                    """
                let (run, _) = try await runScript(text, lanes: ["hang": hang])
                #expect(run.text == "none\n", "\(run.errorText)")
            }

            @Test("If the guard is killed as well, the next run in the directory ends and reports the processes")
            func nextRun() async throws {
                let text = """
                    hang; kill -KILL $(guard) $lane; wait $lane
                    "$0" hello; alive; echo none
                    "$0" hello
                    """
                let (run, _) = try await runScript(text, lanes: Self.lanes)
                #expect(
                    redacted(run.text) == """
                        ▸ echo hello
                        hello

                        ✔ hello passed in <time>
                        none
                        ▸ echo hello
                        hello

                        ✔ hello passed in <time>

                        """)
                let notes = run.errorText.split(separator: "\n").filter { $0.hasPrefix("note: ") }
                #expect(notes.count == 1, "\(run.errorText)")
                #expect(notes.first?.hasPrefix("note: 'lane hang (process ") == true)
                #expect(notes.first?.contains(" that it left running") == true)
            }

            @Test("A leaked build is found without marks in its environment")
            func hiddenMarks() async throws {
                let text = """
                    mkdir bin; export PATH="$PWD/bin:$PATH"
                    echo 'export -p | grep LANE_; sleep 600 & echo $! $$ >> pids; touch ready; wait' > bin/swift
                    chmod +x bin/swift
                    hang; kill -KILL $(guard) $lane; wait $lane; cat out
                    "$0" hello; alive; echo none
                    """
                let lanes = ["hang": "steps:\n  - build: {}\n", "hello": "steps:\n  - run: echo hello\n"]
                let (run, _) = try await runScript(text, lanes: lanes)
                #expect(run.text.hasSuffix("\nnone\n"), "\(run.text)")
                #expect(
                    redacted(run.text) == """
                        ▸ build  swift build
                        ▸ echo hello
                        hello

                        ✔ hello passed in <time>
                        none

                        """)
            }

            @Test("The next run computes hashes after the leaked processes have ended")
            func filesOfBefore() async throws {
                let hang = """
                    steps:
                      - run: |
                          trap '' TERM; touch ready; until [ -e go ]; do sleep 0.02; done
                          sleep 0.3; echo changed > in/100.txt
                    """
                let copy = "steps: [{ run: cat in/*.txt > out.txt, inputs: [in/**], outputs: [out.txt] }]\n"
                // Starts so many processes that the next run examines them before it has the lock.
                let text = """
                    mkdir in; for number in $(seq 100 500); do echo $number > in/$number.txt; done
                    "$0" copy > first; sleep 0.1; "$0" copy > second; grep -c '▸ cat in' first second
                    hang; kill -KILL $(guard) $lane; wait $lane
                    touch go; "$0" copy > third 2>&1; cat in/*.txt | cmp - out.txt && echo same
                    """
                let (run, package) = try await runScript(text, lanes: ["hang": hang, "copy": copy])
                let third = try? package.directory.read("third")
                #expect(run.text == "first:1\nsecond:0\nsame\n", "\(run.errorText)\(third ?? "")")
            }

            @Test("A run directly afterwards is not refused and finds no leaked process")
            func rightAfter() async throws {
                let text = """
                    hang
                    kill -KILL $lane; "$0" hello; echo status $?; alive; echo none
                    """
                let (run, _) = try await runScript(text, lanes: Self.lanes)
                #expect(run.text.hasSuffix("status 0\nnone\n"), "\(run.text)\(run.errorText)")
            }

            @Test("No guard remains after a run")
            func noGuardIsLeft() async throws {
                let lane = "steps:\n  - run: touch ready; while [ ! -e go ]; do sleep 0.05; done\n"
                let text = """
                    hang; one=$(guard); touch go; wait $lane; echo status $?
                    kill -0 $one 2> /dev/null || echo no guard
                    """
                let (run, _) = try await runScript(text, lanes: ["hang": lane])
                #expect(run.text == "status 0\nno guard\n", "\(run.errorText)")
            }
        }
    }
#endif
