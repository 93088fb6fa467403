import Diagnostics
import Files
import LaneModel
import Processes
import Releasing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `lane NAME --in docker`: the same lane with the same words, run by `lane` in a container.
///
/// The checkout is mounted at its own path, so that places in messages are right on both sides. Files that are made belong
/// to the caller; products lie apart from the host's, which are another platform's.
struct ContainerRun {
    /// The image that the project's Dockerfile makes.
    static let defaultImage = "lane"
    /// Relative to the package; the image says the same.
    private static let buildFolder = ".build/container"
    private static let folderLabel = "lane.folder"

    let root: String
    let plan: Plan
    let image: String
    /// The lane's name and the words after it, without those that ask for the container.
    let words: [String]
    /// Files that the lane is to write, as they were given.
    let reports: [String]

    func run(in world: World) throws(CommandFailure) -> ExitStatus {
        try requireEngine(in: world)
        world.watchSignals()
        endAbandoned(in: world)
        let name = "lane-\(getpid())-\(Int(world.date() * 1000) % 1_000_000)"
        let isInteractive = isatty(STDIN_FILENO) == 1 && world.output.isTerminal
        let command = Command(
            "docker", try arguments(name: name, isInteractive: isInteractive, in: world),
            environment: world.environment, directory: world.directory,
            input: isInteractive ? .inherited : .nothing, output: .inherited)
        let report: ExitReport
        do {
            report = try world.processes.run(command, limits: RunLimits(cancellation: world.cancellation)) { _, _ in }
        } catch {
            throw failure(error.description, hint: nil)
        }
        // A client that was ended, or lost its engine, may leave the container running.
        if report.stoppedBy != nil || report.status > 128 { remove([name], in: world) }
        return try status(of: report)
    }

    /// The engine's own failures are told from those of the lane.
    private func status(of report: ExitReport) throws(CommandFailure) -> ExitStatus {
        switch report.status {
        case 125: throw failure("the container could not be started", hint: "the engine's message is above")
        case 127: throw failure("there is no 'lane' in the image '\(image)'", hint: imageHint)
        default: return ExitStatus(rawValue: report.status)
        }
    }

    private var imageHint: String {
        "'docker build -t lane .' in the checkout of lane makes one, which '--image' may name"
    }

    // MARK: The engine

    private func requireEngine(in world: World) throws(CommandFailure) {
        guard world.path(of: "docker") != nil else {
            throw failure("'docker' is not installed", hint: "'lane doctor' says how to get it")
        }
        let (status, message) = ask(["version", "--format", "{{.Server.Version}}"], in: world)
        guard status == 0 else {
            throw failure("docker has no engine: \(message)", hint: "start it, and try again")
        }
        // Any other is fetched by the engine.
        if image == Self.defaultImage, ask(["image", "inspect", image], in: world).status != 0 {
            throw failure("there is no image '\(image)'", hint: imageHint)
        }
    }

    private func failure(_ message: String, hint: String?) -> CommandFailure {
        CommandFailure(.toolMissing, message, hint: hint)
    }

    /// Calls the client for a moment; `nil` when it does not start.
    private func docker(_ arguments: [String], in world: World) -> CapturedRun? {
        let command = Command("docker", arguments, environment: world.environment, directory: root)
        return try? world.processes.capture(command, limits: RunLimits(timeout: .seconds(30)))
    }

    /// The client's status and the last line that it prints.
    private func ask(_ arguments: [String], in world: World) -> (status: Int32, lastLine: String) {
        guard let run = docker(arguments, in: world) else {
            return (ExitStatus.toolMissing.rawValue, "it does not start")
        }
        let lines = (run.report.succeeded ? run.text : run.errorText).split(whereSeparator: \.isNewline)
        return (run.report.status, lines.last.map(String.init) ?? "")
    }

    /// Containers of this folder whose `lane` outside was killed.
    private func endAbandoned(in world: World) {
        let filter = "label=\(Self.folderLabel)=\(root)"
        guard let run = docker(["ps", "--filter", filter, "--format", "{{.Names}}"], in: world) else { return }
        let names = run.text.split(separator: "\n").map(String.init).filter { name in
            guard let owner = name.split(separator: "-").dropFirst().first.flatMap({ pid_t($0) }) else { return false }
            return kill(owner, 0) != 0 && errno == ESRCH
        }
        if !names.isEmpty { remove(names, in: world) }
    }

    private func remove(_ names: [String], in world: World) {
        _ = docker(["rm", "--force"] + names, in: world)
    }

    // MARK: The command line

    private func arguments(
        name: String, isInteractive: Bool, in world: World
    ) throws(CommandFailure) -> [String] {
        var arguments = ["run", "--rm", "--init", "--name", name, "--label", "\(Self.folderLabel)=\(root)"]
        if isInteractive { arguments += ["--interactive", "--tty"] }
        arguments += ["--user", "\(getuid()):\(getgid())"]
        let mounts = mounts(in: world)
        for report in reports.map({ absolutePath($0, from: world.directory) }) {
            guard !mounts.contains(where: { report.hasPrefix($0 + "/") }) else { continue }
            let text = "'\(report)' lies outside of what the container sees"
            throw CommandFailure(
                .usage, text, hint: "give a path below \(mounts[0])")
        }
        for folder in mounts {
            // With `--volume` a folder that is not there would be made, as root.
            arguments += ["--mount", "type=bind,source=\(folder),target=\(folder)"]
        }
        arguments += ["--workdir", world.directory]
        let fixed = [
            "HOME": "/tmp", "SWIFTPM_BUILD_DIR": Self.buildFolder,
            // The checkout may belong to somebody else, as far as the container knows.
            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
        ]
        for (name, value) in fixed.sorted(by: { $0.key < $1.key }) { arguments += ["--env", "\(name)=\(value)"] }
        // By name alone: the client takes the values from its own environment, where nobody else reads them.
        for name in passedVariables(in: world) { arguments += ["--env", name] }
        if let program = staticProgram {
            arguments += ["--mount", "type=bind,source=\(program),target=/usr/local/bin/lane,readonly"]
        }
        return arguments + ["--entrypoint", "lane", image] + words
    }

    /// Secrets, what expressions ask the environment for, and what decides how output looks.
    private func passedVariables(in world: World) -> [String] {
        let looks = ["TERM", "COLUMNS", "NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "LANG", "CI", "GITHUB_ACTIONS"]
        let names = Set(looks + plan.secrets).union(plan.environmentNames)
        return names.filter { world.environment[$0] != nil }.sorted()
    }

    /// The repository around the package, and where its objects are when the checkout is a worktree.
    private func mounts(in world: World) -> [String] {
        let command = Command(
            "git", ["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir"],
            environment: gitEnvironment(world.environment), directory: root)
        guard let run = try? world.processes.capture(command), run.report.succeeded else { return [root] }
        let folders = run.text.split(separator: "\n").map(String.init)
        guard let top = folders.first, root == top || root.hasPrefix(top + "/") else { return [root] }
        return [top] + folders.dropFirst().filter { !$0.hasPrefix(top + "/") }
    }

    /// This very program, where it runs in any image: on Linux, when it was linked with all that it needs.
    private var staticProgram: String? {
        #if os(Linux)
            guard let maps = try? readText("/proc/self/maps"), !maps.contains(".so") else { return nil }
            return resolvedPath("/proc/self/exe")
        #else
            return nil
        #endif
    }
}
