import Files
import Processes
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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

    /// Uses a fake client that prints the messages of engines.
    @Suite("Without a container engine") struct NoContainerTests {
        /// A fake Docker client. Like some clients, it exits with status 0. The state of the engine is in `state`.
        private static let client = """
            #!/bin/sh
            case $1 in
            run) printf '%s\\n' "$@" > run.log; [ -z "$GITHUB_STEP_SUMMARY" ] || echo inside >> "$GITHUB_STEP_SUMMARY" ;;
            container) [ -s state ] && cat state ;;
            esac

            """

        @Test(
            "The status is that of the lane in the container, and errors of the engine have another",
            arguments: [
                ("0 false 2026-01-01T00:00:00Z", 0, ""), ("125 false 2026-01-01T00:00:00Z", 125, ""),
                ("127 false 2026-01-01 00:00:00 +0000 UTC", 127, ""), ("137 false 2026-01-01T00:00:00Z", 137, ""),
                ("127 false 0001-01-01T00:00:00Z", 69, "error: there is no 'lane' in the image 'other'"),
                ("126 false 0001-01-01 00:00:00 +0000 UTC", 69, "error: the container could not be started"),
                ("", 69, "error: the container could not be started"),
            ])
        func statuses(_ state: String, _ status: Int, _ message: String) async throws {
            for program in ["docker", "podman"] {
                let package = try MiniPackage()
                try package.directory.write(Self.client, to: "tools/\(program)", mode: 0o755)
                try package.directory.write(state, to: "state")
                let text = """
                    for tool in git sh env cat; do ln -s "$(command -v $tool)" tools; done
                    PATH=$PWD/tools "$0" hello --in docker --image other; echo status $?
                    """
                let (run, _) = try await runScript(text, lanes: ["hello": "steps: [run: date]\n"], in: package)
                #expect(run.text == "status \(status)\n", "\(run.errorText)")
                #expect(
                    run.errorText.hasPrefix(message) && run.errorText.isEmpty == message.isEmpty, "\(run.errorText)")
            }
        }

        @Test("The variables of the CI service and the file of the summary reach lane in the container")
        func serviceVariables() async throws {
            let package = try MiniPackage()
            let outside = try TemporaryDirectory()
            try outside.write("", to: "summary")
            try package.directory.write(Self.client, to: "tools/docker", mode: 0o755)
            try package.directory.write("0 false 2026-01-01T00:00:00Z", to: "state")
            let variables = [
                "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": package.path,
                "GITHUB_STEP_SUMMARY": "\(outside.path)/summary",
                "TF_BUILD": "True", "BUILD_SOURCESDIRECTORY": package.path, "CIRCLECI": "true", "OTHER": "x",
            ]
            let (run, _) = try await runScript(
                "PATH=$PWD/tools:$PATH \"$0\" hello --in docker --image other",
                lanes: ["hello": "steps: [run: date]\n"], environment: variables, in: package)
            #expect(run.report.status == 0, "\(run.errorText)")
            let words = try package.directory.read("run.log").split(separator: "\n").map(String.init)
            for name in variables.keys {
                let isPassed = words.indices.contains { words[$0] == "--env" && words[$0 + 1] == name }
                #expect(isPassed == (name != "OTHER"), "\(name)")
            }
            let path = "\(outside.path)/summary"
            #expect(words.contains("type=bind,source=\(path),target=\(path)"), "\(words)")
        }

        @Test("--in docker is an error with a fix")
        func missing() async throws {
            let text = """
                mkdir tools; for tool in git sh env; do ln -s "$(command -v $tool)" tools; done
                PATH=$PWD/tools "$0" hello --in docker; echo status $?
                printf '#!/bin/sh\\necho "Cannot connect" >&2; exit 1\\n' > tools/docker; chmod +x tools/docker
                PATH=$PWD/tools "$0" hello --in docker; echo status $?
                """
            let (run, _) = try await runScript(text, lanes: ["hello": "steps:\n  - run: [\"true\"]\n"])
            #expect(run.text == "status 69\nstatus 69\n")
            #expect(
                run.errorText == """
                    error: 'docker' is not installed
                    hint: 'lane doctor' explains how to install it
                    error: docker is not running: Cannot connect
                    hint: start the engine, and run the command again

                    """)
        }
    }
}
