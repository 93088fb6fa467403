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
    /// The build directory inside, relative to the package. It is not that of the image, which lies at another path where
    /// the package is mounted elsewhere.
    private static let buildFolder = ".build/docker"
    private static let folderLabel = "lane.folder"

    let root: String
    let plan: Plan
    let image: String
    /// The lane's name and the words after it, without those that ask for the container.
    let words: [String]
    /// Files that the lane is to write, as they were given.
    let reports: [String]

    func run(in world: World) throws(CommandFailure) -> ExitStatus {
        let engine = try ContainerEngine.find(in: world, root: root)
        // Any other is fetched by the engine.
        if image == Self.defaultImage, engine.ask(["image", "inspect", image]).status != 0 {
            throw failure("there is no image '\(image)'", hint: imageHint)
        }
        world.watchSignals()
        engine.endAbandoned(labelled: "\(Self.folderLabel)=\(root)")
        let name = "lane-\(getpid())-\(Int(world.date() * 1000) % 1_000_000)"
        let isInteractive = isatty(STDIN_FILENO) == 1 && world.output.isTerminal
        let command = Command(
            engine.program, try arguments(engine, name: name, isInteractive: isInteractive, in: world),
            environment: world.environment, directory: world.directory,
            input: isInteractive ? .inherited : .nothing, output: .inherited)
        let report: ExitReport
        do {
            report = try world.processes.run(command, limits: RunLimits(cancellation: world.cancellation)) { _, _ in }
        } catch {
            throw failure(error.description, hint: nil)
        }
        let end = engine.end(of: name)
        // A client that was ended, or lost its engine, may leave the container running.
        engine.remove([name])
        return try status(of: report, end)
    }

    /// The client's status is no evidence: 125 and 127 are also those of a lane, and not every client passes a status on.
    private func status(
        of client: ExitReport, _ end: ContainerEngine.End?
    ) throws(CommandFailure) -> ExitStatus {
        if client.stoppedBy == nil, end?.hasStarted != true {
            guard end?.status == 127 else {
                throw failure("the container could not be started", hint: "the engine's message is above")
            }
            throw failure("there is no 'lane' in the image '\(image)'", hint: imageHint)
        }
        guard let end, !end.isRunning else { return ExitStatus(rawValue: client.status) }
        return ExitStatus(rawValue: end.status)
    }

    private var imageHint: String {
        "'docker build -t lane .' in the checkout of lane makes one, which '--image' may name"
    }

    private func failure(_ message: String, hint: String?) -> CommandFailure {
        CommandFailure(.toolMissing, message, hint: hint)
    }

    // MARK: The command line

    private func arguments(
        _ engine: ContainerEngine, name: String, isInteractive: Bool, in world: World
    ) throws(CommandFailure) -> [String] {
        // Removed afterwards: `--rm` would take the status with it.
        var arguments = ["run", "--init", "--name", name, "--label", "\(Self.folderLabel)=\(root)"]
        if isInteractive { arguments += ["--interactive", "--tty"] }
        arguments += engine.userOptions
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
        if let summary = summaryFile(in: world), !mounts.contains(where: { summary.hasPrefix($0 + "/") }) {
            arguments += ["--mount", "type=bind,source=\(summary),target=\(summary)"]
        }
        arguments += ["--workdir", world.directory]
        let fixed = ["HOME": "/tmp", "SWIFTPM_BUILD_DIR": Self.buildFolder].merging(gitSettings(in: world)) { $1 }
        for (name, value) in fixed.sorted(by: { $0.key < $1.key }) { arguments += ["--env", "\(name)=\(value)"] }
        // By name alone: the client takes the values from its own environment, where nobody else reads them.
        for name in passedVariables(in: world) { arguments += ["--env", name] }
        if let program = staticProgram {
            arguments += ["--mount", "type=bind,source=\(program),target=/usr/local/bin/lane,readonly"]
        }
        return arguments + ["--entrypoint", "lane", image] + words
    }

    /// The settings of git inside: the caller's name for commits, and trust in a checkout that another user may own.
    private func gitSettings(in world: World) -> [String: String] {
        var settings = [("safe.directory", "*")]
        for name in ["user.name", "user.email"] {
            if let value = world.git(["config", "--get", name], in: root) { settings.append((name, value)) }
        }
        var variables = ["GIT_CONFIG_COUNT": "\(settings.count)"]
        for (index, setting) in settings.enumerated() {
            variables["GIT_CONFIG_KEY_\(index)"] = setting.0
            variables["GIT_CONFIG_VALUE_\(index)"] = setting.1
        }
        return variables
    }

    /// Secrets, what expressions ask the environment for, what decides how output looks, and what `lane` itself reads of a
    /// CI service.
    private func passedVariables(in world: World) -> [String] {
        let looks = ["TERM", "COLUMNS", "NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "LANG"]
        let names = Set(looks + World.serviceVariables + plan.secrets).union(plan.environmentNames)
        return names.filter { world.environment[$0] != nil }.sorted()
    }

    /// The file that the service shows as the job's summary, where it is there.
    private func summaryFile(in world: World) -> String? {
        guard world.isGitHub, let path = world.environment["GITHUB_STEP_SUMMARY"], fileKind(path) == .file else {
            return nil
        }
        return path
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
