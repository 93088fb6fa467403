import OperatingSystem
import Text

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The container engine: Docker, or Podman if there is no Docker.
struct ContainerEngine {
    /// The state of a container according to the engine.
    struct End: Equatable {
        let status: Int32
        let isRunning: Bool
        let hasStarted: Bool
    }

    /// The name of the client.
    let program: String
    private let root: String
    private let world: World

    static func find(in world: World, root: String) throws(CommandFailure) -> ContainerEngine {
        guard let program = ["docker", "podman"].first(where: { world.path(of: $0) != nil }) else {
            throw CommandFailure(
                .toolMissing, "'docker' is not installed", hint: "'lane doctor' explains how to install it")
        }
        let engine = ContainerEngine(program: program, root: root, world: world)
        let (status, message) = engine.ask(["version", "--format", "{{.Server.Version}}"])
        // Podman has no server.
        guard status == 0 || program == "podman" && engine.ask(["version"]).status == 0 else {
            throw CommandFailure(
                .toolMissing, "\(program) is not running: \(message)",
                hint: "start the engine, and run the command again")
        }
        return engine
    }

    /// The options with which new files belong to the caller.
    var userOptions: [String] {
        let user = ["--user", "\(getuid()):\(getgid())"]
        // Without root permissions, Podman would map the caller to another user.
        return program == "podman" && getuid() != 0 ? ["--userns", "keep-id"] + user : user
    }

    /// Runs the client. Returns its status and the last line of its output.
    func ask(_ arguments: [String]) -> (status: Int32, lastLine: String) {
        guard let run = capture(arguments) else {
            return (ExitStatus.toolMissing.rawValue, "the client does not start")
        }
        let lines = (run.report.succeeded ? run.text : run.errorText).split(whereSeparator: \.isNewline)
        return (run.report.status, lines.last.map(String.init) ?? "")
    }

    /// Returns the end of a container, or `nil` if the engine did not create it.
    func end(of name: String) -> End? {
        let form = "{{.State.ExitCode}} {{.State.Running}} {{.State.StartedAt}}"
        guard let run = capture(["container", "inspect", "--format", form, name]), run.report.succeeded else {
            return nil
        }
        let words = run.text.split(separator: " ")
        guard words.count >= 3, let status = Int32(words[0]) else { return nil }
        // A start time in the year 1 means that the container did not start.
        return End(status: status, isRunning: words[1] == "true", hasStarted: !words[2].hasPrefix("0001-"))
    }

    /// Removes containers whose outer `lane` was killed. They may be running.
    func endAbandoned(labeled label: String) {
        let filter = ["--filter", "label=\(label)", "--format", "{{.Names}}"]
        guard let run = capture(["ps", "--all"] + filter) else { return }
        let names = run.text.split(separator: "\n").map(String.init).filter { name in
            guard let owner = name.split(separator: "-").dropFirst().first.flatMap({ pid_t($0) }) else { return false }
            return !processIsRunning(owner)
        }
        if !names.isEmpty { remove(names) }
    }

    func remove(_ names: [String]) { _ = capture(["rm", "--force"] + names) }

    /// Runs the client. Returns `nil` if it does not start.
    private func capture(_ arguments: [String]) -> CapturedRun? {
        let command = Command(program, arguments, environment: world.environment, directory: root)
        return try? world.processes.capture(command, limits: RunLimits(timeout: .seconds(30)))
    }
}
