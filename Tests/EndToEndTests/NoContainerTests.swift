import OperatingSystem
import TestSupport
import Testing

extension EndToEnd {
    /// Uses a fake client that prints the messages of engines.
    @Suite("Without a container engine") struct NoContainerTests {
        /// A fake Docker client. Like some clients, it exits with status 0. The state of the engine is in `state`.
        private static let client = """
            #!/bin/sh
            case "$*" in
            'run --name lane-'*'-version --label lane.directory='*' --entrypoint lane other --version') [ -s state-of-version ] || exit 127; exit 0 ;;
            esac
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
                ("127 false 2026-01-01T00:00:01Z", 69, "error: there is no 'lane' in the image 'other'"),
                ("126 false 0001-01-01 00:00:00 +0000 UTC", 69, "error: the container could not be started"),
                ("", 69, "error: the container could not be started"),
            ])
        func statuses(_ state: String, _ status: Int, _ message: String) async throws {
            for program in ["docker", "podman"] {
                let package = try MiniPackage()
                try package.directory.write(Self.client, to: "tools/\(program)", mode: 0o755)
                try package.directory.write(state, to: "state")
                // The init process of a container without 'lane' started.
                try package.directory.write(status == 127 ? "0" : "", to: "state-of-version")
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

        @Test("The variables of services and proxies, and the file of the summary, reach lane in the container")
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
                "http_proxy": "http://proxy:1", "HTTPS_PROXY": "http://user:word@proxy:1", "no_proxy": "a.b",
            ]
            let (run, _) = try await runScript(
                "PATH=$PWD/tools:$PATH \"$0\" hello --in docker --image other",
                lanes: ["hello": "steps: [run: date]\n"], environment: variables, in: package)
            #expect(run.report.status == 0, "\(run.errorText)")
            let words = try package.directory.read("run.log").split(separator: "\n").map(String.init)
            #expect(!words.contains { $0.contains("word") }, "\(words)")
            for name in variables.keys {
                let isPassed = words.indices.contains { words[$0] == "--env" && words[$0 + 1] == name }
                #expect(isPassed == (name != "OTHER"), "\(name)")
            }
            let path = "\(outside.path)/summary"
            #expect(words.contains("type=bind,source=\(path),target=\(path)"), "\(words)")
        }

        @Test("A variable that a service does not get is named")
        func missingVariable() async throws {
            let package = try MiniPackage()
            let client = """
                #!/bin/sh
                case $1 in
                run) echo up; exec sleep 600 ;;
                container) echo "0 true 2026-01-01T00:00:00Z" ;;
                esac

                """
            try package.directory.write(client, to: "tools/docker", mode: 0o755)
            let lane = """
                steps:
                  - service: { image: box, variables: [NAME, OTHER], ready-line: up }
                    env: { NAME: x }
                """
            let (run, _) = try await runScript(
                "PATH=$PWD/tools:$PATH \"$0\" try 2>&1", lanes: ["try": lane], in: package)
            #expect(run.report.status == 0, "\(run.text)")
            #expect(run.text.contains("'OTHER' is not set, so the container does not get it"), "\(run.text)")
            #expect(!run.text.contains("'NAME'"), "\(run.text)")
        }

        @Test("The command that runs a failed step again names the container")
        func commandAfterFailure() async throws {
            let package = try MiniPackage()
            // A fake client that runs `lane` itself with the variables of the container.
            let client = """
                #!/bin/sh
                case $1 in
                container) echo "7 false 2026-01-01T00:00:00Z" ;;
                run)
                    while [ "$1" != --entrypoint ]; do
                        [ "$1" != --env ] || case $2 in *=*) export "$2" ;; esac
                        shift
                    done
                    shift 3
                    exec "$LANE_PROGRAM" "$@" ;;
                esac

                """
            try package.directory.write(client, to: "tools/docker", mode: 0o755)
            let (run, _) = try await runScript(
                "LANE_PROGRAM=$0 PATH=$PWD/tools:$PATH \"$0\" hello -k --in docker --image other",
                lanes: ["hello": "steps: [run: exit 7]\n"], in: package)
            #expect(run.report.status == 7, "\(run.errorText)")
            #expect(
                run.text.hasSuffix("\n  run exit 7 again: lane hello --in docker --image other -k\n"), "\(run.text)")
        }

        @Test(
            "A file outside the mounted directories is an error before the container starts",
            arguments: ["archive", "from", "timings", "coverage-html", "attachments", "junit"])
        func fileOutside(_ option: String) async throws {
            let package = try MiniPackage()
            try package.directory.write(Self.client, to: "tools/docker", mode: 0o755)
            let text = """
                PATH=$PWD/tools:$PATH "$0" test --in docker --image other --\(option) /elsewhere/file; echo status $?
                [ ! -e run.log ] || echo started
                """
            let (run, _) = try await runScript(text, lanes: [:], in: package)
            #expect(run.text == "status 64\n")
            #expect(
                run.errorText.hasPrefix(
                    "error: '/elsewhere/file' is not in a directory that the container mounts\nhint: use a path in /"),
                "\(run.errorText)")
        }

        @Test(
            "The build directory of a read-only checkout is in the container",
            .enabled(if: Privilege.attributes, "files cannot be made immutable"))
        func readOnlyCheckout() async throws {
            let package = try MiniPackage()
            try package.directory.write(Self.client, to: "tools/docker", mode: 0o755)
            try package.directory.write("0 false 2026-01-01T00:00:00Z", to: "state")
            let text = """
                directory() { PATH=$PWD/tools:$PATH "$0" hello --in docker --image other; grep SWIFTPM_BUILD_DIR run.log; }
                directory; mkdir -p .build; chattr +i .build; directory; chattr -i .build
                """
            let (run, _) = try await runScript(text, lanes: ["hello": "steps: [run: date]\n"], in: package)
            #expect(run.text == "SWIFTPM_BUILD_DIR=.build/docker\nSWIFTPM_BUILD_DIR=/tmp/lane-build\n")
            #expect(
                run.errorText.hasSuffix("' is read-only, so the build products end with the container\n"),
                "\(run.errorText)")
        }

        @Test("Packages outside the repository that the package depends on are mounted, and nothing else beside it")
        func outerPackages() async throws {
            let package = try MiniPackage()
            try package.directory.write(Self.client, to: "tools/docker", mode: 0o755)
            try package.directory.write("0 false 2026-01-01T00:00:00Z", to: "state")
            let beside = try TemporaryDirectory()
            try beside.write("", to: "Package.swift")
            try beside.write("", to: "inner/Package.swift")
            #expect(parentDirectory(beside.path) == parentDirectory(package.path))
            let path = "../\(try #require(beside.path.split(separator: "/").last))"
            let names = [".", "inner"].map { "// path: \"\(path)/\($0)\"\n" }
            try package.directory.write(
                try package.directory.read("Package.swift") + names.joined(), to: "Package.swift")
            let (run, _) = try await runScript(
                "PATH=$PWD/tools:$PATH \"$0\" hello --in docker --image other",
                lanes: ["hello": "steps: [run: date]\n"], in: package)
            #expect(run.report.status == 0, "\(run.errorText)")
            let words = try package.directory.read("run.log").split(separator: "\n").map(String.init)
            let mounted = words.indices.filter { words[$0] == "--mount" }.map { words[$0 + 1] }.filter {
                !$0.contains("target=/usr/local/bin/lane")
            }
            #expect(
                mounted == [package.path, beside.path].map { "type=bind,source=\($0),target=\($0)" }, "\(mounted)")
        }

        @Test("A run outside names the container that holds the lock, and removes it if its lane was killed")
        func abandonedLock() async throws {
            let package = try MiniPackage()
            let client = """
                #!/bin/sh
                case $1 in
                ps) [ ! -e killed ] || echo lane-2147483647-1 ;;
                rm) kill -KILL "$(cat holder)" ;;
                esac

                """
            try package.directory.write(client, to: "tools/docker", mode: 0o755)
            let text = """
                LANE_CONTAINER='--in docker' hang; echo $lane > holder
                PATH=$PWD/tools:$PATH "$0" hello; echo status $?
                touch killed; PATH=$PWD/tools:$PATH "$0" hello; echo status $?
                """
            let lanes = ["hang": "steps: [run: touch ready; exec sleep 600]\n", "hello": "steps: [run: echo hello]\n"]
            let (run, _) = try await runScript(text, lanes: lanes, in: package)
            let isRun = run.text.hasPrefix("status 65\n▸ echo hello\n") && run.text.hasSuffix("\nstatus 0\n")
            #expect(isRun, "\(run.text)")
            let lines = run.errorText.replacing(/process \d+ in the container [^)' ]+/, with: "<process>")
            #expect(lines.contains("error: 'lane hang (<process>)' is running in this directory\n"), "\(lines)")
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
                    hint: start the engine

                    """)
        }
    }
}
