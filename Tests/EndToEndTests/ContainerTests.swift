import CLibrary
import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite("The image of the Dockerfile runs lane for any user", .enabled(Engine.need) { try await Engine.isReady() })
    struct ContainerTests {
        @Test("Tests pass or fail with the status of lane, and the files that they create belong to the caller")
        func tests() async throws {
            try await Engine.buildImage()
            for (greeting, status) in [("hello", Int32(0)), ("good day", 1)] {
                let package = try MiniPackage(expecting: greeting)
                let run = try await Engine.run(["test"], in: package)
                #expect(run.report.status == status, "\(run.text)\(run.errorText)")
                let owner = try Engine.owner(of: "\(package.path)/.build")
                #expect(owner == Engine.user)
            }
        }

        private static let hang = """
            parameters:
              greeting: { type: string, position: 1, default: hello, help: What to say }
              note: { type: string, default: none, help: More }
            secrets: [TOKEN]
            steps:
              - secrets: [TOKEN]
                run: |
                  echo "$(id -u):$(id -g) in $PWD"; echo ${{ parameters.greeting }}; echo ${{ parameters.note }}
                  test "$TOKEN" = secret-value && echo "token $TOKEN"
                  echo made > made
              - run: touch ready; [ ! -e hang ] || sleep 600
              - run: exit 7
            """
        static let label = "docker ps --filter label=lane.directory=\"$PWD\" --format '{{.Names}}'"

        @Test("--in docker runs the same lane with its arguments, user, secrets and status")
        func inside() async throws {
            try await Engine.buildImage()
            let text = """
                "$0" hang 'it'\\''s "one" word' --in docker --note='$(touch owned)' --image=\(Engine.image); echo status $?
                stat -c %u:%g made; ls owned 2> /dev/null; \(Self.label)
                """
            let (run, package) = try await runScript(
                text, lanes: ["hang": Self.hang], environment: ["TOKEN": "secret-value"])
            #expect(
                run.text.contains("\(getuid()):\(getgid()) in \(resolvedPath(package.path) ?? "")\n"),
                "\(run.text)\(run.errorText)")
            #expect(run.text.contains("it's \"one\" word\n$(touch owned)\ntoken ***\n"), "\(run.text)")
            #expect(run.text.hasSuffix("status 7\n\(getuid()):\(getgid())\n"), "\(run.text)\(run.errorText)")
        }

        @Test("In the container, statuses and the CI service are the same as outside")
        func sameInside() async throws {
            try await Engine.buildImage()
            let lane =
                "parameters: { status: { type: int, position: 1 } }\nsteps:\n  - run: exit ${{ parameters.status }}\n"
            let name = "steps: [run: \"echo it is ${{ ci.name }}\"]\n"
            let text = """
                for status in 0 1 125 126 127 137; do
                    "$0" end $status --in docker --image \(Engine.image) > log 2>&1; echo $status: $?
                done
                export GITHUB_ACTIONS=true GITHUB_WORKSPACE=$PWD/.. GITHUB_STEP_SUMMARY=$(mktemp)
                "$0" name --in docker --image \(Engine.image) | grep -x 'it is github'
                grep -c name "$GITHUB_STEP_SUMMARY"; rm "$GITHUB_STEP_SUMMARY"
                docker ps --all --quiet --filter label=lane.directory="$PWD"
                """
            let (run, _) = try await runScript(text, lanes: ["end": lane, "name": name])
            let expected = "0: 0\n1: 1\n125: 125\n126: 126\n127: 127\n137: 137\nit is github\n"
            #expect(run.text.hasPrefix(expected), "\(run.text)\(run.errorText)")
            #expect(Int(run.text.dropFirst(expected.count).dropLast()) ?? 0 > 0, "\(run.text)")
        }

        @Test("A secret reaches only the lanes that declare it, and of these only the steps that name it")
        func secrets() async throws {
            try await Engine.buildImage()
            let lanes = [
                "declares": """
                secrets: [TOKEN]
                steps:
                  - run: env | grep -c secret-value || true
                  - run: env | grep -c secret-value
                    secrets: [TOKEN]
                """,
                "undeclared": """
                steps:
                  - run: env | grep -c secret-value || true
                  - run: cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -c secret-value || true
                """,
            ]
            let text = """
                for lane in declares undeclared; do
                    "$0" $lane --verbose --in docker --image \(Engine.image) > log; echo $?; grep -xE '[0-9]+' log
                done
                """
            let (run, _) = try await runScript(text, lanes: lanes, environment: ["TOKEN": "secret-value"])
            #expect(run.text == "0\n0\n1\n0\n0\n0\n", "\(run.errorText)")
        }

        @Test("A test that the system kills for lack of memory is reported as such")
        func outOfMemory() async throws {
            try await Engine.buildImage()
            let package = try MiniPackage()
            try package.directory.write(
                """
                import Testing

                @Test func eats() {
                    var bytes: [[UInt8]] = []
                    for number in 0..<40_000 { bytes.append([UInt8](repeating: UInt8(number & 255), count: 100_000)) }
                    #expect(bytes.count == 40_000)
                }

                """, to: "Tests/MiniTests/Hungry.swift")
            // Built without the limit, which would stop the compiler first.
            let built = try await Engine.run(["test", "--filter", "greets"], in: package)
            #expect(built.report.status == 0, "\(built.text)")
            let limit = ["--memory", "400m", "--memory-swap", "400m"]
            let run = try await Engine.run(["test"], in: package, options: limit)
            #expect(run.report.status == 5 && run.text.contains("signal 9 (SIGKILL), out of memory"), "\(run.text)")
        }

        @Test("In a read-only container it reports missing directories and runs")
        func readOnly() async throws {
            try await Engine.buildImage()
            let package = try MiniPackage()
            let run = try await Engine.run(["test"], in: package, options: ["--read-only"])
            #expect(run.report.status == 74)
            #expect(
                run.errorText == """
                    error: '/tmp' is on a read-only file system
                    hint: a container with '--read-only' also needs '--tmpfs /tmp:exec --tmpfs /home/lane:exec'

                    """)
            let again = try await Engine.run(
                ["test"], in: package, options: ["--read-only", "--tmpfs", "/tmp:exec", "--tmpfs", "/home/lane:exec"])
            #expect(again.report.status == 0, "\(again.text)\(again.errorText)")
        }

        @Test("A signal ends the container as it ends the lane", arguments: [("INT", 130), ("TERM", 143)])
        func interrupted(_ signal: String, _ status: Int) async throws {
            try await Engine.buildImage()
            let text = """
                set -m; touch hang; hang --in docker --image \(Engine.image)
                tr '\\0' ' ' < /proc/$(pgrep -P $lane docker)/cmdline | grep -c secret-value
                kill -\(signal) $lane; wait $lane; echo status $?; \(Self.label)
                """
            let (run, _) = try await runScript(
                text, lanes: ["hang": Self.hang], environment: ["TOKEN": "secret-value"])
            #expect(run.text == "0\nstatus \(status)\n", "\(run.errorText)")
        }

        #if os(Linux)
            @Test("In a terminal the container has one, too; Ctrl-C ends the lane, and the terminal is restored")
            func terminal() async throws {
                try await Engine.buildImage()
                let package = try MiniPackage(lanes: [
                    "talk": """
                    steps:
                      - interactive: true
                        run: test -t 0; printf 'name? '; read -r name; echo "hello $name"; sleep 600
                    """
                ])
                let terminal = try PseudoTerminal(in: package.path)
                terminal.type("stty -g > before; lane talk --in docker --image \(Engine.image)\n")
                #expect(terminal.shows("name? "), "\(terminal.screen)")
                terminal.type("Ada\n")
                #expect(terminal.shows("hello Ada"), "\(terminal.screen)")
                terminal.type("\u{3}")
                #expect(terminal.shows("$ "), "\(terminal.screen)")
                terminal.type("echo status $?; stty -g > after; echo 'com''pared'\n")
                #expect(terminal.shows("status 130") && terminal.shows("compared"), "\(terminal.screen)")
                #expect(try package.directory.read("after") == package.directory.read("before"))
            }
        #endif

        @Test("The next run ends the container of a killed lane")
        func abandoned() async throws {
            try await Engine.buildImage()
            let text = """
                touch hang; hang --in docker --image \(Engine.image); kill -KILL $lane; wait $lane
                rm hang; "$0" hang --in docker --image \(Engine.image) > /dev/null; \(Self.label)
                """
            let (run, _) = try await runScript(
                text, lanes: ["hang": Self.hang], environment: ["TOKEN": "secret-value"])
            #expect(run.text == "", "\(run.errorText)")
        }
    }
}
