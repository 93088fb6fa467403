import OperatingSystem
import TestSupport
import Testing

#if os(Linux)
    extension EndToEnd {
        @Suite("In a terminal, lane supports job control", .enabled(if: hasTool("bash"), "needs bash"))
        struct TerminalTests {
            private let package: MiniPackage
            private let terminal: PseudoTerminal

            init() throws {
                package = try MiniPackage(lanes: [
                    "hang": """
                    steps:
                      - run: echo $$ > pid; touch ready; while [ ! -e go ]; do sleep 0.05; done
                    """,
                    "two": """
                    steps:
                      - parallel:
                          - name: \(String(repeating: "a long name ", count: 6))
                            run: touch ready; while [ ! -e go ]; do sleep 0.05; done
                          - run: while [ ! -e go ]; do sleep 0.05; done
                    """,
                    "talk": """
                    steps:
                      - interactive: true
                        run: |
                          printf 'name? '; read -r name; echo "hello $name"
                          cut -d ' ' -f 5,8 /proc/$$/stat > groups
                    """,
                    "edit": """
                    steps:
                      - interactive: true
                        run: |
                          stty -echo -icanon; trap 'echo caught; exit 7' INT
                          echo $$ > pid; touch ready; while [ ! -e go ]; do sleep 0.5; done
                    """,
                ])
                terminal = try PseudoTerminal(in: package.path)
                terminal.type("stty -g > before; stty -a > modes\n")
                #expect(made("modes"))
            }

            private func made(_ file: String) -> Bool {
                terminal.waits { ((try? package.directory.read(file)) ?? "").isEmpty == false }
            }

            /// Waits for a state of the step's shell: `T` is stopped, `S` sleeps.
            private func stepIs(_ states: String) -> Bool {
                terminal.waits {
                    guard let pid = try? package.directory.read("pid").dropLast(),
                        let status = try? String(decoding: contents(of: "/proc/\(pid)/stat"), as: UTF8.self),
                        let state = status.split(separator: ")").last?.dropFirst().first
                    else { return states == "gone" }
                    return states.contains(state)
                }
            }

            private func expectTerminalAsBefore() throws {
                terminal.type("stty -g > after; echo 'com''pared'\n")
                #expect(terminal.shows("compared"), "\(terminal.screen)")
                #expect(try package.directory.read("after") == package.directory.read("before"))
            }

            /// Stops the lane with Ctrl-Z and continues it with `fg`. The shell has the terminal in between.
            private func stopAndGoOn() throws {
                terminal.type("\u{1A}")
                #expect(terminal.shows("Stopped"), "\(terminal.screen)")
                #expect(stepIs("T"))
                try expectTerminalAsBefore()
                terminal.type("fg\n")
                #expect(stepIs("SR"))
            }

            @Test("Ctrl-Z stops lane and its step, and fg continues both")
            func stop() throws {
                terminal.type("lane hang\n")
                #expect(terminal.waits { fileExists("\(package.path)/ready") })
                try stopAndGoOn()
                try package.directory.write("", to: "go")
                terminal.type("echo status $?\n")
                #expect(terminal.shows("status 0"), "\(terminal.screen)")
                try expectTerminalAsBefore()
            }

            @Test("Ctrl-C ends lane by a signal, so that the shell stops its list, and the terminal is restored")
            func interrupt() throws {
                terminal.type("lane hang; echo 'went' 'on'\n")
                #expect(terminal.waits { fileExists("\(package.path)/ready") })
                terminal.type("\u{3}")
                #expect(stepIs("gone"))
                terminal.type("echo status $?\n")
                #expect(terminal.shows("status 130"), "\(terminal.screen)")
                #expect(!terminal.screen.contains("went on"))
                try expectTerminalAsBefore()
            }

            @Test("An interactive step reads from the terminal in the foreground")
            func conversation() throws {
                terminal.type("lane talk\n")
                #expect(terminal.shows("name? "), "\(terminal.screen)")
                terminal.type("Ada\n")
                #expect(terminal.shows("hello Ada"), "\(terminal.screen)")
                terminal.type("echo status $?\n")
                #expect(terminal.shows("status 0"), "\(terminal.screen)")
                let groups = try package.directory.read("groups").split(whereSeparator: \.isWhitespace)
                #expect(groups.count == 2 && groups.first == groups.last)
                try expectTerminalAsBefore()
            }

            @Test("Ctrl-C goes to an interactive step, whose status counts, and the terminal's modes are restored")
            func interruptedStep() throws {
                terminal.type("lane edit\n")
                #expect(terminal.waits { fileExists("\(package.path)/ready") })
                terminal.type("\u{3}")
                #expect(terminal.shows("caught"), "\(terminal.screen)")
                terminal.type("echo status $?\n")
                #expect(terminal.shows("status 7"), "\(terminal.screen)")
                try expectTerminalAsBefore()
            }

            @Test("Ctrl-Z in an interactive step returns the terminal to the shell, and fg to the step")
            func stoppedStep() throws {
                terminal.type("lane edit\n")
                #expect(terminal.waits { fileExists("\(package.path)/ready") })
                try stopAndGoOn()
                terminal.type("\u{3}")
                #expect(terminal.shows("caught"), "\(terminal.screen)")
                terminal.type("echo status $?\n")
                #expect(terminal.shows("status 7"), "\(terminal.screen)")
                try expectTerminalAsBefore()
            }

            @Test(
                "Colors and symbols are only for terminals that support them",
                arguments: [
                    ("", true, true), ("NO_COLOR=1", false, true), ("TERM=dumb", false, true),
                    ("LC_ALL=C", true, false),
                    ("NO_COLOR= CLICOLOR_FORCE=1 TERM=dumb", true, true),
                ])
            func looks(_ variables: String, _ isColored: Bool, _ isUnicode: Bool) throws {
                try package.directory.write("steps:\n  - run: echo 'hel''lo'\n", to: "Lanes/hello.yml")
                terminal.type("\(variables) lane hello; echo 'com''pared'\n")
                #expect(terminal.shows("compared"), "\(terminal.screen)")
                #expect(terminal.screen.contains("\u{1B}[") == isColored, "\(terminal.screen)")
                #expect(terminal.screen.contains("✔") == isUnicode, "\(terminal.screen)")
            }

            @Test("After the window gets narrower, new rows fit its width")
            func resize() throws {
                terminal.type("lane two -j 2\n")
                #expect(terminal.waits { fileExists("\(package.path)/ready") })
                terminal.resize(columns: 40)
                let seen = terminal.screen.count
                #expect(terminal.waits { terminal.screen.dropFirst(seen).split(separator: "\u{1B}[J").count > 4 })
                // The first frame may be from before the change, and the last one may be incomplete.
                let frames = terminal.screen.dropFirst(seen).split(separator: "\u{1B}[J").dropFirst(2).dropLast()
                try package.directory.write("", to: "go")
                #expect(terminal.shows("passed"), "\(terminal.screen)")
                let rows = frames.flatMap { $0.split(whereSeparator: \.isNewline) }.map { row in
                    row.replacing(#/\u{1B}\[[0-9;]*[A-Za-z]/#, with: "")
                }
                #expect(!rows.isEmpty)
                for row in rows { #expect(row.count < 40, "\(row)") }
            }
        }
    }
#endif
