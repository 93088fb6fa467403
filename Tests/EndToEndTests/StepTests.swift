import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("lane handles unusual output and processes of steps")
    struct StepTests {
        @Test("A name that contains the arguments of the command shows their values")
        func names() async throws {
            let lane = "steps:\n  - run: printf '<%s>' ${{ arguments }}\n"
            let (run, _) = try await runScript("\"$0\" x -- a 'b c'", lanes: ["x": lane])
            #expect(
                redacted(run.text) == """
                    ▸ printf '<%s>' a 'b c'
                    <a><b c>

                    ✔ x passed in <time>

                    """)
        }

        @Test("A changed 'let' prevents a resumption, and a changed lane explains missing outputs")
        func changedLane() async throws {
            let lane = """
                let: { v: { run: cat v } }
                steps:
                  - id: a
                    run: echo "x=1" >> "$LANE_OUTPUT"
                  - id: b
                    run: test ${{ let.v }} = 2 && echo ${{ steps.a.x }}
                """
            let script = """
                exec 2>&1
                echo 1 >v; "$0" x >/dev/null || echo "status $?"
                echo 2 >v; "$0" x --resume || echo "status $?"
                "$0" x --step b | grep '^1$'
                echo '  - run: echo more' >>Lanes/x.yml
                "$0" x --step b | grep -E "has no value|^ *note:" || true
                """
            let (run, _) = try await runScript(script, lanes: ["x": lane + "\n"])
            let lines = run.text.split(separator: "\n")
            #expect(lines.contains { $0.contains("cannot be resumed: its values of 'let' changed") }, "\(run.text)")
            #expect(lines.contains("1"), "\(run.text)")
            #expect(lines.last?.contains("the lane changed since its last run") == true, "\(run.text)")
        }

        @Test("NUL, invalid UTF-8 and a last line without a newline are kept byte for byte")
        func odd() async throws {
            let lane = """
                steps:
                  - id: odd
                    run: printf 'a\\000b\\377c\\nno end'
                """
            let (run, package) = try await runScript("\"$0\" odd", lanes: ["odd": lane])
            #expect(run.report.status == 0)
            #expect(run.text.contains("no end"))
            let log = try contents(of: "\(package.path)/.lane/logs/odd/odd.log")
            #expect(log == [0x61, 0, 0x62, 0xFF, 0x63, 0x0A] + Array("no end".utf8))
        }

        @Test("The timeout of a step ends all its processes, with status 124")
        func timeout() async throws {
            let lane = """
                steps:
                  - run: (setsid sleep 600 > /dev/null 2>&1 & echo $! > pids); sleep 600
                    timeout: 300ms
                """
            let (run, _) = try await runScript(
                "\"$0\" slow; echo status $?; alive", lanes: ["slow": lane])
            #expect(run.text.hasSuffix("status 124\n"), "\(run.text)")
        }

        @Test(
            "A daemon is ended, also during another step, for which it does not count",
            arguments: [("0.3", "0.3"), ("0.1", "0.6")])
        func untracedDaemon(leader: String, neighbor: String) async throws {
            let lane = """
                steps:
                  - parallel:
                      - run: (env -i setsid sleep 600 > /dev/null 2>&1 & echo $! > pids); sleep \(leader)
                      - run: sleep \(neighbor)
                """
            let (run, _) = try await runScript(
                "\"$0\" both -j 2 > out 2>&1; grep outlived out; alive; echo end", lanes: ["both": lane])
            #expect(run.text == "end\n", "\(run.text)")
        }

        @Test("A signal to the process and to its group counts once, and hooks run")
        func echoedSignal() async throws {
            let lane = """
                steps:
                  - run: touch ready; sleep 600
                always:
                  - run: touch tidied
                """
            let text = """
                set -m
                "$0" hang > out 2>&1 & lane=$!
                while [ ! -e ready ]; do sleep 0.05; kill -0 $lane || exit 1; done
                now() { read -r time rest < /proc/uptime; }
                now; before=$time
                kill -TERM -- $lane -$lane
                now; echo $before $time
                wait $lane; echo status $?; ls tidied
                """
            // On a busy machine, the shell may stop between the signals. Then they count as two.
            for _ in 1...10 {
                let (run, _) = try await runScript(text, lanes: ["hang": lane])
                let lines = run.text.split(separator: "\n", maxSplits: 1)
                let times = lines.first?.split(separator: " ").compactMap { Double($0) } ?? []
                // Only Linux has `/proc/uptime`.
                if times.count == 2, times[1] - times[0] >= 0.05 { continue }
                #expect(lines.last == "status 143\ntidied\n", "\(run.errorText)")
                return
            }
            Issue.record("the signals never came together")
        }

        @Test("An interactive step reads the standard input of lane, and any other step has none")
        func input() async throws {
            let lane = "steps:\n  - run: echo \"[$(cat)]\"\n  - run: echo \"<$(cat)>\"\n    interactive: true\n"
            let (run, _) = try await runScript("echo piped | \"$0\" reads", lanes: ["reads": lane])
            let lines = run.text.split(separator: "\n")
            #expect(lines.contains("[]") && lines.contains("<piped>"), "\(run.text)\(run.errorText)")
        }

        @Test("A stopped lane stops its children, and SIGCONT continues all of them")
        func stop() async throws {
            let lane = """
                steps:
                  - run: mkfifo go; echo $$ > pid; touch ready; read -r line < go
                """
            // A shell that starts a program with vfork does not stop before the program runs, so the step only reads.
            let text = """
                set -m
                "$0" hang > out 2>&1 & lane=$!
                while [ ! -e ready ]; do sleep 0.05; kill -0 $lane || exit 1; done
                kill -TSTP $lane
                until [ "$(state $lane)" = T ]; do sleep 0.05; done
                until [ "$(state $(cat pid))" = T ]; do sleep 0.05; done
                echo both stand
                kill -CONT $lane; echo > go
                wait $lane; echo status $?
                """
            let (run, _) = try await runScript(text, lanes: ["hang": lane])
            #expect(run.text == "both stand\nstatus 0\n", "\(run.errorText)")
        }

        @Test("The time for which lane is stopped does not count for time limits")
        func stopTime() async throws {
            let lane = """
                timeout: 1500ms
                steps:
                  - run: touch ready; while [ ! -e go ]; do sleep 0.05; done
                """
            let text = """
                set -m
                "$0" hang > out 2>&1 & lane=$!
                while [ ! -e ready ]; do sleep 0.05; kill -0 $lane || exit 1; done
                kill -TSTP $lane
                until [ "$(state $lane)" = T ]; do sleep 0.05; done
                sleep 2
                kill -CONT $lane; touch go
                wait $lane; echo status $?
                """
            let (run, package) = try await runScript(text, lanes: ["hang": lane])
            #expect(run.text == "status 0\n", "\(run.errorText)\((try? package.directory.read("out")) ?? "")")
        }

        @Test("A second run in a directory names the process with the lock; a run that a step starts does not wait")
        func lock() async throws {
            let hold = "steps:\n  - run: touch ready; while [ ! -e go ]; do sleep 0.05; done\n"
            let inner = "steps:\n  - run: echo inner ran\n"
            let outer = "steps:\n  - run: '\"\(BuiltTool.lane.path)\" inner'\n"
            let text = """
                "$0" hold > /dev/null 2>&1 & lane=$!
                while [ ! -e ready ]; do sleep 0.05; kill -0 $lane || exit 1; done
                "$0" inner; echo status $?
                touch go; wait $lane
                "$0" outer
                """
            let (run, _) = try await runScript(text, lanes: ["hold": hold, "inner": inner, "outer": outer])
            #expect(
                redacted(run.errorText) == """
                    error: 'lane hold (process <id>)' is running in this directory
                    hint: wait for it, or end it

                    """)
            #expect(!run.text.hasPrefix("inner ran"))
            #expect(
                redacted(run.text, replacing: [BuiltTool.lane.path: "lane"]) == """
                    status 65
                    ▸ "lane" inner
                    ▸ echo inner ran
                    inner ran

                    ✔ inner passed in <time>

                    ✔ outer passed in <time>

                    """)
            #expect(run.report.succeeded)
        }

        @Test("Without HOME, with a minimal PATH, and in a path with spaces and non-ASCII letters")
        func bareWorld() async throws {
            let package = try MiniPackage()
            try package.directory.write("steps:\n  - run: pwd; touch \"é here\"\n", to: "über all/Lanes/here.yml")
            try package.directory.write("// swift-tools-version: 6.0\n", to: "über all/Package.swift")
            let environment = ["PATH": plainEnvironment()["PATH"] ?? "/usr/bin:/bin"]
            let run = try await capture(
                Command(BuiltTool.lane.path, ["here"], environment: environment, directory: "\(package.path)/über all"))
            #expect(run.report.status == 0, "\(run.text)\(run.errorText)")
            #expect(try package.directory.read("über all/é here") == "")
        }

        @Test(
            "As PID 1 it ends on a signal with all its processes",
            .enabled(if: Privilege.processNamespaces, "needs leave to make a process namespace"))
        func signalledFirstProcess() async throws {
            let lane = """
                steps:
                  - run: sleep 600 & touch ready; wait
                always:
                  - run: touch tidied
                """
            let text = """
                unshare -pf --mount-proc "$0" hang > out 2>&1 & outer=$!
                while [ ! -e ready ]; do sleep 0.02; kill -0 $outer || exit 1; done
                kill -TERM $(children $outer)
                wait $outer; echo status $?; ls tidied
                """
            let (run, _) = try await runScript(text, lanes: ["hang": lane])
            #expect(run.text == "status 143\ntidied\n", "\(run.errorText)")
        }

        @Test(
            "As PID 1 it reaps orphaned processes",
            .enabled(if: Privilege.processNamespaces, "needs leave to make a process namespace"))
        func firstProcess() async throws {
            let lane = """
                steps:
                  - run: |
                      for i in 1 2 3 4 5 6 7 8 9; do (setsid true > /dev/null 2>&1 &); done
                      sleep 1.5; echo zombies: $(cat /proc/[0-9]*/stat | grep -c ') Z')
                """
            let (run, _) = try await runScript("unshare -pf --mount-proc \"$0\" orphans", lanes: ["orphans": lane])
            #expect(
                redacted(run.text) == """
                    ▸ for i in 1 2 3 4 5 6 7 8 9; do (setsid true > /dev/null 2>&1 &); done …
                    zombies: 0

                    ✔ orphans passed in <time>

                    """, "\(run.errorText)")
        }
    }
}
