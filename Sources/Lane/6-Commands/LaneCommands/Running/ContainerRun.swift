import Arguments
import CI
import CLibrary
import Git
import LaneModel
import OperatingSystem
import StepActions
import Text

/// The option `--in docker`: runs the same command line in a container.
///
/// The checkout is mounted at its own path, so paths in messages are valid inside and outside the container. New files
/// belong to the caller. The container has its own build directory, because the host may be another platform.
struct ContainerRun {
    /// The image of the project's Dockerfile.
    static let defaultImage = "lane"
    /// The build directory in the container, relative to the package.
    ///
    /// It is not the image's `SWIFTPM_BUILD_DIR`, because that directory has another path if the package is mounted
    /// elsewhere.
    private static let buildDirectory = ".build/docker"
    /// The build directory in the container if the checkout is read-only. It ends with the container.
    private static let temporaryBuildDirectory = "/tmp/lane-build"

    let root: String
    let plan: Plan
    let image: String
    /// The name of the lane and the words after it, without the options for the container.
    let words: [String]
    /// The paths of files on the command line that the lane reads or writes, such as reports.
    let files: [String]

    /// Returns the options that started the container in which this program runs, or no words outside a container.
    static func options(in world: World) -> [String] {
        world.environment[ContainerClient.optionsVariable]?.split(separator: " ").map(String.init) ?? []
    }

    /// The label of the containers of this package.
    private var label: String { Self.label(root) }

    private static func label(_ root: String) -> String { "lane.directory=\(root)" }

    /// Returns the description of this process for other runs in the directory. In a container, it names the container,
    /// because the process has another ID outside.
    static func holder(of lane: String, in world: World) -> String {
        let container = options(in: world).isEmpty ? "" : "\(containerMark)\(ContainerClient.hostName)"
        return "lane \(lane) (process \(getpid())\(container))"
    }

    /// Removes the containers of a killed `lane` if a run in a container holds the lock of the directory.
    ///
    /// - Parameter holder: The description of the run.
    /// - Returns: A Boolean value that indicates whether the lock may be free now.
    static func removeAbandoned(holder: String, root: String, in world: World) -> Bool {
        guard holder.contains(containerMark),
            let client = try? ContainerClient(by: world.processes, world.environment)
        else { return false }
        client.removeAbandoned(label: label(root))
        return true
    }

    private static let containerMark = " in the container "

    private var options: String {
        "--\(LaneOptions.container.spec.name) docker"
            + (image == Self.defaultImage ? "" : " --\(LaneOptions.image.spec.name) \(image)")
    }

    func run(in world: World) throws(CommandFailure) -> ExitStatus {
        let client: ContainerClient
        do {
            client = try ContainerClient(by: world.processes, world.environment)
        } catch {
            throw CommandFailure(error)
        }
        // The engine fetches other images.
        if image == Self.defaultImage, !client.hasImage(image) {
            throw failure(
                "there is no image '\(image)'",
                hint: "run '\(client.program) build -t lane .' in the checkout of lane, or use '--image'")
        }
        world.watchSignals()
        client.removeAbandoned(label: label)
        let (name, options) = client.nameOptions("\(Int(world.now() * 1000) % 1_000_000)", label: label)
        let isInteractive = world.terminal.contains(STDIN_FILENO) && world.isTerminal(world.output)
        let command = Command(
            client.program,
            try arguments(options + client.userOptions(), isInteractive: isInteractive, in: world),
            environment: world.environment, directory: world.directory,
            input: isInteractive ? .inherited : .nothing, output: .inherited)
        let report: ExitReport
        do {
            report = try world.processes.run(command, limits: RunLimits(cancellation: world.cancellation)) { _, _ in }
        } catch {
            throw failure("\(error)", hint: nil)
        }
        let end = client.state(of: name)
        // The container may still be running if the client was killed or lost the connection to the engine.
        client.remove([name])
        return try status(of: report, end, client)
    }

    /// Returns the exit status of the lane. The status of the client is ambiguous, because a lane may also end with
    /// status 125 or 127.
    private func status(
        of client: ExitReport, _ end: ContainerClient.State?, _ engine: ContainerClient
    ) throws(CommandFailure) -> ExitStatus {
        if client.stoppedBy == nil, end?.hasStarted != true {
            guard end?.status == 127 else {
                throw failure("the container could not be started", hint: "see the message of the engine above")
            }
            throw noProgram
        }
        // An init process starts also in an image without 'lane', and ends like a command that the shell does not find.
        if end?.status == 127, staticProgram == nil, !engine.hasProgram("lane", in: image, label: label) {
            throw noProgram
        }
        guard let end, !end.isRunning else { return ExitStatus(rawValue: client.status) }
        return ExitStatus(rawValue: end.status)
    }

    private var noProgram: CommandFailure {
        failure(
            "there is no 'lane' in the image '\(image)'",
            hint: "a static 'lane', as ci/install.sh installs it, copies itself into any image")
    }

    private func failure(_ message: String, hint: String?) -> CommandFailure {
        CommandFailure(.toolMissing, message, hint: hint)
    }

    // MARK: The command line

    private func arguments(
        _ engineOptions: [String], isInteractive: Bool, in world: World
    ) throws(CommandFailure) -> [String] {
        // `--rm` would discard the status of the container, so it is removed later.
        var arguments = ["run"] + initOptions(in: world) + engineOptions
        if isInteractive { arguments += ["--interactive", "--tty"] }
        let mounts = mounts(in: world)
        for file in files.map({ absolutePath($0, from: world.directory) }) {
            guard !mounts.contains(where: { file.hasPrefix($0 + "/") }) else { continue }
            let text = "'\(file)' is not in a directory that the container mounts"
            throw CommandFailure(
                .usage, text, hint: "use a path in \(mounts[0])")
        }
        for directory in mounts {
            // `--volume` would create a missing directory as root.
            arguments += Self.mount(directory, at: directory)
        }
        if let summary = world.jobSummary, fileKind(summary) == .file,
            !mounts.contains(where: { summary.hasPrefix($0 + "/") })
        {
            arguments += Self.mount(summary, at: summary)
        }
        arguments += ["--workdir", world.directory]
        let isWritable = canWrite("\(root)/\(Self.buildDirectory)")
        if !isWritable {
            world.errors.writeLine("note: '\(root)' is read-only, so the build products end with the container")
        }
        let fixed = [
            "HOME": "/tmp", "SWIFTPM_BUILD_DIR": isWritable ? Self.buildDirectory : Self.temporaryBuildDirectory,
            ContainerClient.optionsVariable: options,
        ].merging(gitSettings(in: world)) { $1 }
        for (name, value) in fixed.sorted(by: { $0.key < $1.key }) { arguments += ["--env", "\(name)=\(value)"] }
        // Other users can read arguments, so only the names are passed. The client reads the values from its
        // environment.
        for name in passedVariables(in: world) { arguments += ["--env", name] }
        if let program = staticProgram {
            arguments += Self.mount(program, at: "/usr/local/bin/lane", isReadOnly: true)
        }
        return arguments + ["--entrypoint", "lane", image] + words
    }

    /// Returns the option that mounts a file or directory. Its value is a line of CSV, in which a comma needs quotes.
    private static func mount(_ source: String, at target: String, isReadOnly: Bool = false) -> [String] {
        let fields = ["type=bind", "source=\(source)", "target=\(target)"] + (isReadOnly ? ["readonly"] : [])
        let line = fields.map { field in
            field.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }
                ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
        }
        return ["--mount", line.joined(separator: ",")]
    }

    /// Returns a Boolean value that indicates whether this user can write to a directory, or create it.
    private func canWrite(_ directory: String) -> Bool {
        var directory = directory
        while !fileExists(directory), directory != root { directory = parentDirectory(directory) }
        return access(directory, W_OK) == 0
    }

    /// Returns the option for an init process. Such a process keeps the variables of the container where tests can read
    /// them, so with secrets, `lane` is the first process itself.
    private func initOptions(in world: World) -> [String] {
        plan.secrets.contains { world.environment[$0] != nil } ? [] : ["--init"]
    }

    /// Returns git's settings as variables: the author's name and address, and trust in a checkout with another owner.
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

    /// Returns the names of secrets, and of variables for expressions, output, proxies and CI services.
    private func passedVariables(in world: World) -> [String] {
        let looks = ["TERM", "COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "LANG"]
        // curl reads `http_proxy` only in lowercase, and other programs read either spelling.
        let proxies = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"].flatMap { [$0, $0.uppercased()] }
        let names = Set(looks + proxies + World.serviceVariables + plan.secrets).union(plan.environmentNames)
        return names.filter { world.environment[$0] != nil }.sorted()
    }

    /// Returns the repository of the package, and the packages outside it that the manifest names as `path: "../…"`.
    private func mounts(in world: World) -> [String] {
        let own = repository(in: world)
        return RepositorySurroundings(of: root).outerPackages.reduce(into: own) { mounts, directory in
            if !mounts.contains(where: { directory.hasPrefix($0 + "/") }) { mounts.append(directory) }
        }
    }

    /// Returns the repository of the package, and the directory of its objects if the checkout is a worktree.
    private func repository(in world: World) -> [String] {
        let command = Command(
            "git", ["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir"],
            environment: gitEnvironment(world.environment), directory: root)
        guard let run = try? world.processes.capture(command), run.report.succeeded else { return [root] }
        let directories = run.text.split(separator: "\n").map(String.init)
        guard let top = directories.first, root == top || root.hasPrefix(top + "/") else { return [root] }
        return [top] + directories.dropFirst().filter { !$0.hasPrefix(top + "/") }
    }

    /// The path of this program if it is linked statically, or `nil`. A static program runs in any image.
    private var staticProgram: String? {
        #if os(Linux)
            guard let maps = try? readText("/proc/self/maps"), !maps.contains(".so") else { return nil }
            return resolvedPath("/proc/self/exe")
        #else
            return nil
        #endif
    }
}
