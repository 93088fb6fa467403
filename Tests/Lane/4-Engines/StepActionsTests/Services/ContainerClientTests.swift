import CLibrary
import OperatingSystem
import TestSupport
import Testing

@testable import StepActions

@Suite struct ContainerClientTests {
    /// Creates a client that runs a shell script in place of Docker, which records its arguments in `log`.
    private static func client(_ script: String, in directory: TemporaryDirectory) throws -> ContainerClient {
        let text = "#!/bin/sh\necho \"$*\" >> '\(directory.path)/log'\n\(script)\n"
        try directory.write(text, to: "docker", mode: 0o755)
        return try ContainerClient(by: ChildRunner(mark: nil), ["PATH": directory.path])
    }

    @Test func removesOnlyContainersOfEndedProcessesOnThisHost() throws {
        let directory = try TemporaryDirectory()
        let list = "[ $1 != ps ] || printf '%s\\n' lane-\(getpid())-a lane-2147483647-b other lane-x-c"
        let client = try Self.client(list, in: directory)
        client.removeAbandoned(label: "lane.service=/p")
        let (name, options) = client.nameOptions("a", label: "lane.service=/p")
        let labels = options.filter { $0.hasPrefix("lane.") }
        #expect(name == "lane-\(getpid())-a" && labels.count == 2 && options.starts(with: ["--name", name]))
        // Jobs that share an engine have the same directories and process IDs, but not the same host.
        let filters = labels.map { "--filter label=\($0)" }.joined(separator: " ")
        #expect(
            try directory.read("log") == """
                version
                ps --all \(filters) --format {{.Names}}
                rm --force lane-2147483647-b

                """)
    }

    @Test func containersOfProbesAreNamedAndRemoved() throws {
        let directory = try TemporaryDirectory()
        let client = try Self.client("case $* in *absent*) exit 127 ;; esac", in: directory)
        #expect(client.hasProgram("tool", in: "box", label: "lane.directory=/p"))
        #expect(!client.hasProgram("absent", in: "box", label: "lane.directory=/p"))
        let calls = try directory.read("log").split(separator: "\n").filter { $0 != "version" }
        let name = "lane-\(getpid())-version"
        try #require(calls.count == 4)
        for index in [0, 2] {
            #expect(calls[index].hasPrefix("run --name \(name) --label lane.directory=/p --label lane.host="))
            #expect(calls[index + 1] == "rm --force \(name)")
        }
    }

    @Test func readsTheStateOfAContainer() throws {
        let directory = try TemporaryDirectory()
        let client = try Self.client(
            """
            case "$5" in
                new) echo 0 false 0001-01-01T00:00:00Z ;;
                ended) echo 7 false 2026-01-01T00:00:00Z ;;
                running) echo 0 true 2026-01-01T00:00:00Z ;;
                missing) exit 1 ;;
            esac
            """, in: directory)
        #expect(client.state(of: "new") == ContainerClient.State(status: 0, isRunning: false, hasStarted: false))
        #expect(client.state(of: "ended") == ContainerClient.State(status: 7, isRunning: false, hasStarted: true))
        #expect(client.state(of: "running") == ContainerClient.State(status: 0, isRunning: true, hasStarted: true))
        #expect(client.state(of: "missing") == nil)
    }

    @Test(arguments: [
        ("Client: Docker Engine - Community", "[name=seccomp,profile=default]", ["--user", "%"]),
        ("Client:", "[name=seccomp,profile=default name=rootless]", ["--user", "0:0"]),
        ("Client:", "[name=seccomp,profile=default name=userns]", ["--userns", "host", "--user", "%"]),
        ("Client:       Podman Engine", "", (getuid() == 0 ? [] : ["--userns", "keep-id"]) + ["--user", "%"]),
    ])
    func newFilesBelongToTheCaller(version: String, security: String, options: [String]) throws {
        let directory = try TemporaryDirectory()
        let script = "case $1 in version) echo '\(version)' ;; info) echo '\(security)' ;; esac"
        let user = "\(getuid()):\(getgid())"
        let found = try Self.client(script, in: directory).userOptions()
        #expect(found == ["--security-opt", "label=disable"] + options.map { $0 == "%" ? user : $0 })
    }

    @Test func usesTheFirstEngineThatAnswers() throws {
        let directory = try TemporaryDirectory()
        try directory.write("#!/bin/sh\n", to: "podman", mode: 0o755)
        #expect(try Self.client("echo 'permission denied' >&2; exit 1", in: directory).program == "podman")
        #expect(try Self.client("", in: directory).program == "docker")
    }

    @Test func inAContainerNoEngineIsExpected() throws {
        let directory = try TemporaryDirectory()
        let failure = #expect(throws: OperationFailure.self) {
            _ = try ContainerClient(
                by: ChildRunner(mark: nil), ["PATH": directory.path, "LANE_CONTAINER": "--in docker --image box"])
        }
        #expect(
            failure?.message == """
                the container of '--in docker --image box' has no Docker
                hint: run the lane without '--in docker --image box'
                """)
    }

    @Test(arguments: [
        ("cannot connect", "docker is not running: cannot connect\nhint: start the engine"),
        (
            "Got permission denied while trying to connect",
            "docker refuses this user: Got permission denied while trying to connect\n"
                + "hint: run 'sudo usermod -aG docker \"$USER\"', and log in again"
        ),
    ])
    func namesTheReasonWhyTheEngineDoesNotAnswer(error: String, message: String) throws {
        let directory = try TemporaryDirectory()
        let failure = #expect(throws: OperationFailure.self) {
            _ = try Self.client("echo first >&2; echo '\(error)' >&2; exit 1", in: directory)
        }
        #expect(failure?.message == message)
    }
}
