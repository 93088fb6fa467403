import OperatingSystem
import TestSupport
import Testing

#if os(Linux)
    import Glibc

    extension EndToEnd {
        @Suite("Processes of steps find no secret of lane in /proc")
        struct SecretMemoryTests {
            private static let secret = "correct-horse-battery"

            /// Reads the files of all ancestors up to the outermost `lane`, and of their children.
            private static let spy = """
                lane=$(cat lane) pid=$$
                while [ $pid != $lane ]; do
                    pid=$(sed 's/.*) . \\([0-9]*\\) .*/\\1/' /proc/$pid/stat)
                    for process in $pid $(cat /proc/$pid/task/*/children); do
                        cat /proc/$process/environ /proc/$process/cmdline /proc/$process/comm || :
                        echo
                    done >> seen 2> /dev/null
                    case $(cat /proc/$pid/comm) in
                    lane*)
                        echo lane >> access
                        for file in environ maps mem; do
                            ! (: < /proc/$pid/$file) 2> /dev/null || echo $file >> access
                        done
                        ;;
                    esac
                done

                """

            private static let lanes = [
                "spy": """
                secrets: [TOKEN]
                steps:
                  - run: sh spy.sh
                  - { run: test "$TOKEN" = \(secret) && touch given, secrets: [TOKEN] }
                """,
                "outer": """
                secrets: [TOKEN]
                steps: [{ run: exec "$PROGRAM" spy, secrets: [TOKEN] }]
                """,
            ]

            /// A command line that starts `lane` as the program `$0`, and the number of its processes.
            static let starts = [
                ("\"$0\" spy", 1), ("sh -c 'exec \"$0\" spy' \"$0\"", 1), ("\"$0\" spy --verbose", 1),
                ("PROGRAM=\"$0\" \"$0\" outer", 2),
            ]

            @Test("As root", .enabled(if: getuid() == 0, "needs root"), arguments: starts)
            func root(_ start: String, _ count: Int) async throws {
                let access = try await access(of: start)
                #expect(access.filter { $0 == "lane" }.count == count)
            }

            @Test(
                "As an ordinary user, who cannot read the memory either",
                .enabled(if: OrdinaryUser.isAvailable, "needs setpriv, and a build that other users can read"),
                arguments: starts)
            func user(_ start: String, _ count: Int) async throws {
                let access = try await access(of: start, prefix: OrdinaryUser.prefix)
                #expect(access == Array(repeating: "lane", count: count))
            }

            /// Runs a command line and expects that no form of the secret is visible. Returns the lines of `access`.
            private func access(of start: String, prefix: String = "") async throws -> [String] {
                let package = try MiniPackage()
                try package.directory.write(Self.spy, to: "spy.sh")
                let text = """
                    chmod -R a+rwX .
                    export TOKEN=\(Self.secret)
                    grep -ac "TOKEN=$TOKEN" /proc/self/environ
                    (echo $BASHPID > lane; exec \(prefix) env \(start)) > output 2>&1; echo status $?
                    cat output access
                    """
                let (run, _) = try await runScript(text, lanes: Self.lanes, in: package)
                let lines = run.text.split(separator: "\n").map(String.init)
                // The secret is in the environment block with which `lane` was started.
                #expect(lines.first == "1")
                #expect(lines.contains("status 0"), "\(run.text)\(run.errorText)")
                #expect(fileExists("\(package.path)/given"))
                let seen = try package.directory.read("seen")
                #expect(seen.contains("lane-guard\n") && seen.contains("LANE_CHILD="))
                for form in [
                    Self.secret, String(Self.secret.reversed()), "636f72726563742d686f727365",
                    // Two of three alignments of Base64.
                    "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5", "NvcnJlY3QtaG9yc2UtYmF0dGVye",
                ] {
                    #expect(!seen.contains(form))
                }
                let start = lines.lastIndex { !["lane", "environ", "maps", "mem"].contains($0) } ?? 0
                return Array(lines[(start + 1)...])
            }

            @Test(
                "A lane in a step of a killed lane is found although its environment is not readable",
                .enabled(if: OrdinaryUser.isAvailable, "needs setpriv, and a build that other users can read"))
            func killed() async throws {
                let lanes = [
                    "hang": "steps: [run: exec \"$PROGRAM\" -C inner wait]\n",
                    "hello": "steps: [run: echo hello]\n",
                ]
                let package = try MiniPackage()
                let wait = "steps: [run: echo $PPID $$ > ../pids; touch ../ready; sleep 600]\n"
                try package.directory.write(wait, to: "inner/Lanes/wait.yml")
                let text = """
                    chmod -R a+rwX .; export PROGRAM="$0"
                    \(OrdinaryUser.prefix) "$0" hang > out 2>&1 & lane=$!
                    while [ ! -e ready ]; do sleep 0.02; kill -0 $lane || { cat out; exit 99; }; done
                    \(OrdinaryUser.prefix) cat /proc/$(cut -d ' ' -f 1 pids)/environ > /dev/null 2>&1 || echo denied
                    kill -KILL $(guard) $lane; wait $lane
                    \(OrdinaryUser.prefix) "$0" hello > /dev/null; echo status $?; alive; echo none
                    """
                let (run, _) = try await runScript(text, lanes: lanes, in: package)
                #expect(run.text == "denied\nstatus 0\nnone\n", "\(run.errorText)")
            }
        }
    }

    /// An ordinary user of the machine.
    private enum OrdinaryUser {
        /// The words before a command of the user.
        static let prefix = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/tmp" : ""

        static let isAvailable: Bool = {
            let command = Command(
                "sh", ["-c", "\(prefix) \"$0\" --version", BuiltTool.lane.path], environment: plainEnvironment())
            return (try? ChildRunner().capture(command).report.succeeded) ?? false
        }()
    }
#endif
