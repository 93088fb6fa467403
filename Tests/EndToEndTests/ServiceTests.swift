import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("A service runs beside the steps of its lane, and ends with it")
    struct ServiceTests {
        /// Records its process, prints that it is ready, and runs until a signal ends it.
        private static let server = "echo $$ >> pids; echo up; exec sleep 600"

        private func run(_ lane: String, _ script: String) async throws -> String {
            let (run, _) = try await runScript("exec 2>&1; \(script)", lanes: ["try": lane])
            return run.text
        }

        @Test(
            "A line and a port, a command, or a port makes it ready; it runs until the hooks have ended, and nothing remains",
            .enabled(if: hasTool("python3"), "needs python3"))
        func ready() async throws {
            let lane = """
                steps:
                  - service: { run: "\(Self.server)", ready-line: up }
                  - service: { run: "sleep 0.1; touch made; \(Self.server)", ready-command: test -e made }
                  - id: web
                    service: { run: 'echo $$ >> pids; exec python3 -m http.server --bind 127.0.0.1 "$PORT"', port: 0 }
                  - id: slow
                    service:
                      run: 'echo $$ >> pids; echo up; sleep 0.5; exec python3 -m http.server --bind 127.0.0.1 "$PORT"'
                      port: 0
                      ready-line: up
                  - run: "python3 -c 'import sys, urllib.request as u; u.urlopen(sys.argv[1])' http://127.0.0.1:${{ steps.slow.port }}/"
                  - run: "python3 -c 'import sys, urllib.request as u; u.urlopen(sys.argv[1])' http://127.0.0.1:${{ steps.web.port }}/"
                always:
                  - run: "for pid in $(cat pids); do kill -0 $pid && echo alive; done"
                """
            let text = try await run(lane, "\"$0\" try; [ -z \"$(alive)\" ] && echo none")
            #expect(text.split(separator: "\n").filter { $0 == "alive" }.count == 4, "\(text)")
            #expect(text.hasSuffix("none\n"), "\(text)")
        }

        @Test(
            "A service that does not become ready fails its step with its last output",
            arguments: [
                (
                    "echo warming; sleep 600", "ready-line: up, ready-timeout: 200ms",
                    "the service was not ready within <time>: no line of its output contains 'up'\n\(lastOutput)      warming\n"
                ),
                (
                    "echo broken; exit 3", "port: 0",
                    "the service ended before it was ready: exit status 3\n\(lastOutput)      broken\n"
                ),
                (
                    "sleep 600", "ready-command: 'echo no >&2; exit 1', ready-timeout: 3s",
                    "the service was not ready within <time>: 'ready-command' failed: no; it printed nothing\n"
                ),
                (
                    "exit 127", "port: 0",
                    "the service ended before it was ready: exit status 127; it printed nothing\n"
                ),
            ])
        func neverReady(_ command: String, _ settings: String, _ message: String) async throws {
            let lane = "steps:\n  - service: { run: '\(command)', \(settings) }\n  - run: echo reached\n"
            let text = try await run(lane, "\"$0\" try; echo status $?")
            #expect(
                redacted(text) == """
                    ▸ service  \(command)
                    ✘ service: \(message)
                    Steps
                      ✘ service       <time>  failed with exit status 1
                      ○ echo reached        -  skipped: 'service' failed

                    ✘ try failed after <time>
                      run service again: lane try --step try/service
                    status 1

                    """)
        }

        private static let lastOutput =
            "    its last output, all of which is in .lane/logs/try/service.output.log:\n"

        @Test("A service that ends early is a failure, and its output is shown with the failure of its lane")
        func endsEarly() async throws {
            let early = "steps:\n  - service: { run: 'echo oh no; sleep 0.1; exit 3' }\n  - run: sleep 0.3\n"
            let text = try await run(early, "\"$0\" try; echo status $?")
            #expect(
                redacted(text) == """
                    ▸ service  echo oh no; sleep 0.1; exit 3
                    ▸ sleep 0.3
                    warning: service has ended: exit status 3
                    error: service ended before the lane did: exit status 3
                        its last output, all of which is in .lane/logs/try/service.output.log:
                          oh no

                    Steps
                      ✔ service    <time>
                      ✔ sleep 0.3  <time>

                    ✘ try failed after <time>
                    status 1

                    """)
            let fails = "steps:\n  - service: { run: 'echo oh no; sleep 600', ready-line: oh }\n  - run: exit 4\n"
            let other = try await run(fails, "\"$0\" try; echo status $?")
            #expect(
                redacted(other) == """
                    ▸ service  echo oh no; sleep 600
                    ▸ exit 4
                    ✘ exit 4: exit status 4
                    note: service: its last output, all of which is in .lane/logs/try/service.output.log:
                          oh no

                    Steps
                      ✔ service  <time>
                      ✘ exit 4   <time>  failed with exit status 4

                    ✘ try failed with exit status 4 after <time>
                      run exit 4 again: lane try --step try/run
                    status 4

                    """)
            #expect(other.hasSuffix("status 4\n"), "\(other)")
        }

        private static let interruptions = ["kill -TERM $lane", "kill -TERM $lane; sleep 0.15; kill -TERM $lane"]

        #if os(Linux)
            private static let kills = ["guard > /dev/null; kill -KILL $lane"]
        #else
            private static let kills: [String] = []
        #endif

        @Test("It ends with a lane that is interrupted once or twice, or killed", arguments: interruptions + kills)
        func interrupted(_ kill: String) async throws {
            let stubborn = "trap '' TERM; echo $$ >> pids; echo up; while :; do sleep 0.1; done"
            let lane = """
                steps:
                  - service: { run: "\(stubborn)", ready-line: up }
                  - run: touch ready; exec sleep 600
                """
            let script = """
                "$0" try > out & lane=$!
                while [ ! -e ready ]; do sleep 0.02; done
                \(kill); wait $lane; echo status $?
                while [ "$(alive)" ]; do sleep 0.02; done
                echo all gone
                """
            let (run, _) = try await runScript(script, lanes: ["try": lane])
            let status = kill.contains("KILL") ? 137 : 143
            #expect(run.text == "status \(status)\nall gone\n", "\(run.errorText)")
        }

        @Test("It has its own port in each parallel lane, and is restarted for a single step")
        func again() async throws {
            let lane = """
                matrix: { side: [left, right] }
                steps:
                  - id: web
                    service: { run: 'echo "$PORT" >> ports; \(Self.server)', port: 0, ready-command: 'grep -qx "$PORT" ports' }
                  - id: use
                    run: echo used
                """
            let text = try await run(
                lane, "\"$0\" try > out && sort -u ports | wc -l; \"$0\" try --step 'try[side=left]/use'; wc -l < ports"
            )
            #expect(
                redacted(text) == """
                    2
                    ▸ web (side: left)  echo "$PORT" >> ports; echo $$ >> pids; echo up; exec sleep 600
                    ▸ echo used (side: left)
                    used

                    Steps
                      ✔ web (side: left)         <time>
                      ✔ echo used (side: left)   <time>
                      ○ web (side: right)              -  skipped: not asked for
                      ○ echo used (side: right)        -  skipped: done in the last run

                    ✔ try passed in <time>
                    3

                    """)
        }

        @Test(
            "A service can be a container with variables",
            .enabled("needs Docker with its image debian:bookworm-slim") { await hasContainerImage() })
        func container() async throws {
            let serve =
                "my $s = IO::Socket::INET->new(LocalPort => 7000, Listen => 5); while (my $c = $s->accept) { print $c \\\"hello $ENV{NAME}\\\\n\\\"; close $c }"
            let lane = """
                steps:
                  - id: box
                    service:
                      image: debian:bookworm-slim
                      arguments: [perl, -MIO::Socket::INET, -e, "sleep 1; \(serve)"]
                      variables: [NAME]
                      port: 7000
                    env: { NAME: you }
                  - run:
                      shell: bash
                      command: exec 3<> /dev/tcp/127.0.0.1/${{ steps.box.port }}; head -1 <&3
                """
            let text = try await run(
                lane, "\"$0\" try; docker ps --all --filter label=lane.service=$PWD --format '{{.Names}}'; echo end")
            #expect(text.contains("\nhello you\n") && text.hasSuffix("\nend\n"), "\(text)")
        }

        @Test("Contradictory settings are errors before anything runs")
        func checked() async throws {
            let lane = """
                steps:
                  - service: { port: 0 }
                  - service: { run: a, image: b }
                  - service: { image: b, port: 0 }
                  - service: { run: a, variables: [A], ready-line: a, ready-command: b }
                services: {}
                """
            expectGolden(try await run(lane, "\"$0\" check; echo status $?"), "services-check.txt")
        }
    }
}

private func hasContainerImage() async -> Bool {
    guard hasTool("docker") else { return false }
    let command = Command("docker", ["image", "inspect", "debian:bookworm-slim"], environment: plainEnvironment())
    return (try? await capture(command).report.succeeded) ?? false
}
