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
        @Test("Tests pass, and fail with the status of lane; what they build belongs to the caller")
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
              - run: |
                  echo "$(id -u):$(id -g) in $PWD"; echo ${{ parameters.greeting }}; echo ${{ parameters.note }}
                  test "$TOKEN" = secret-value && echo "token $TOKEN"
                  echo made > made
              - run: touch ready; [ ! -e hang ] || sleep 600
              - run: exit 7
            """
        private static let label = "docker ps --filter label=lane.folder=\"$PWD\" --format '{{.Names}}'"

        @Test("--in docker: the same lane with its words, for the same user, with its secrets and its status")
        func inside() async throws {
            try await Engine.buildImage()
            let text = """
                "$0" hang 'it'\\''s "one" word' --in docker --note='$(touch owned)' --image=lane:test; echo status $?
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

        @Test("A signal ends the container as it ends the lane", arguments: [("INT", 130), ("TERM", 143)])
        func interrupted(_ signal: String, _ status: Int) async throws {
            try await Engine.buildImage()
            let text = """
                set -m; touch hang; hang --in docker --image lane:test
                tr '\\0' ' ' < /proc/$(pgrep -P $lane docker)/cmdline | grep -c secret-value
                kill -\(signal) $lane; wait $lane; echo status $?; \(Self.label)
                """
            let (run, _) = try await runScript(
                text, lanes: ["hang": Self.hang], environment: ["TOKEN": "secret-value"])
            #expect(run.text == "0\nstatus \(status)\n", "\(run.errorText)")
        }

        #if os(Linux)
            @Test("In a terminal, it has one inside as well; Ctrl-C ends it there, and the terminal is as it was")
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
                terminal.type("stty -g > before; lane talk --in docker --image lane:test\n")
                #expect(terminal.shows("name? "), "\(terminal.screen)")
                terminal.type("Ada\n")
                #expect(terminal.shows("hello Ada"), "\(terminal.screen)")
                terminal.type("\u{3}")
                #expect(terminal.shows("$ "), "\(terminal.screen)")
                terminal.type("echo status $?; stty -g > after; echo 'com''pared'\n")
                #expect(terminal.shows("status 130") && terminal.shows("compared"), "\(terminal.screen)")
                #expect(try package.folder.read("after") == package.folder.read("before"))
            }
        #endif

        @Test("What a killed lane has left running there, the next one ends")
        func abandoned() async throws {
            try await Engine.buildImage()
            let text = """
                touch hang; hang --in docker --image lane:test; kill -KILL $lane; wait $lane
                rm hang; "$0" hang --in docker --image lane:test > /dev/null; \(Self.label)
                """
            let (run, _) = try await runScript(
                text, lanes: ["hang": Self.hang], environment: ["TOKEN": "secret-value"])
            #expect(run.text == "", "\(run.errorText)")
        }
    }

    @Suite("Without a container engine") struct NoContainerTests {
        @Test("--in docker is an error of a missing tool, with what to do")
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
                    hint: 'lane doctor' says how to get it
                    error: docker has no engine: Cannot connect
                    hint: start it, and try again

                    """)
        }
    }
}

/// The container engine of this machine, if it has one that can build our image without fetching anything.
enum Engine {
    static let need: Comment = "takes minutes: needs LANE_TEST_CONTAINER=1, Docker, and its image swift:6.3-bookworm"

    static func isReady() async throws -> Bool {
        guard processEnvironment()["LANE_TEST_CONTAINER"] == "1" else { return false }
        return (try? await docker(["image", "inspect", "swift:6.3-bookworm"]).report.succeeded) ?? false
    }

    private static let image = "lane:test"

    /// Never root, so that a file that root has made is noticed.
    static let user = getuid() == 0 ? 1234 : getuid()

    static func buildImage() async throws {
        let project = repositoryRoot
        let build = try await docker(["build", "-q", "-t", image, project])
        try #require(build.report.succeeded, "\(build.errorText)")
    }

    static func run(_ arguments: [String], in package: MiniPackage) async throws -> CapturedRun {
        _ = try await capture(
            Command("chmod", ["-R", "a+rwX", package.path], environment: plainEnvironment()))
        return try await docker(
            [
                "run", "--rm", "--init", "-u", "\(user):\(user)", "--mount",
                "type=bind,src=\(package.path),dst=/workspace",
            ]
                + ["-w", "/workspace", image] + arguments)
    }

    static func owner(of path: String) throws -> uid_t {
        var status = stat()
        guard stat(path, &status) == 0 else { throw POSIXFailure("stat \(path)", errno) }
        return status.st_uid
    }

    private static func docker(_ arguments: [String]) async throws -> CapturedRun {
        try await capture(
            Command("docker", arguments, environment: plainEnvironment()), limits: RunLimits(timeout: .seconds(900)))
    }
}
