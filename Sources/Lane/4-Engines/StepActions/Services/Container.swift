import Actions
import CLibrary
import Events
import LaneModel
package import OperatingSystem
import Text

/// A container of a service.
struct Container {
    /// The client that starts it.
    let client: ContainerClient
    private let name: String
    private let arguments: [String]
    /// The port inside the container.
    let port: Int?

    /// Finds the container engine, and removes the containers of a `lane` that was killed.
    ///
    /// - Parameter environment: The variables of the step.
    init(
        _ image: String, _ settings: Settings, _ environment: [String: String], in context: StepContext
    ) throws(OperationFailure) {
        client = try ContainerClient(by: context.processes, context.environment)
        port = settings.integer("port")
        let label = "lane.service=\(context.root)"
        client.removeAbandoned(label: label)
        // The name is unique, because step IDs and process IDs are.
        let step = context.step.description.utf8.map { byte in
            byte.isAlphanumeric || "_.".utf8.contains(byte) ? byte : UInt8(ascii: "-")
        }
        let suffix = "\(String(decoding: step, as: UTF8.self))-\(Monotonic.now.components.attoseconds)"
        let (name, options) = client.nameOptions(suffix, label: label)
        self.name = name
        // The client reads the values from its environment, which other users cannot read.
        let names = settings.strings("variables") ?? []
        for name in names where environment[name] == nil {
            context.report(.warning, "'\(name)' is not set, so the container does not get it")
        }
        arguments = options + names.flatMap { ["--env", $0] } + [image] + (settings.strings("arguments") ?? [])
    }

    /// Returns the arguments of the client.
    ///
    /// - Parameter published: The port of this machine at which the container's port is published.
    func arguments(publishedAt published: Int?) -> [String] {
        var ports: [String] = []
        if let port, let published { ports = ["--publish", "127.0.0.1:\(published):\(port)"] }
        return ["run", "--init", "--rm"] + ports + arguments
    }

    /// A Boolean value that indicates whether the container runs. Until then, its network may be incomplete, and
    /// connections to its port may seem to succeed.
    var isRunning: Bool { client.state(of: name)?.isRunning ?? false }

    /// Removes the container, which keeps running if only its client has ended.
    func remove(by processes: any ProcessRunner) {
        var client = client
        client.processes = processes
        client.remove([name])
    }
}

/// The client of the first container engine that answers: Docker, or else Podman.
package struct ContainerClient: Sendable {
    /// The state of a container according to the engine.
    package struct State: Equatable, Sendable {
        package let status: Int32
        package let isRunning: Bool
        package let hasStarted: Bool
    }

    /// The variable of the container of `--in docker` with the options that started it.
    package static let optionsVariable = ExecutableSearch.containerVariable

    private static let ownerLabel = "lane.host"

    /// The name of the program.
    package let program: String
    /// A Boolean value that indicates whether the program is Podman. With the package `podman-docker`, its name is
    /// `docker`.
    private let isPodman: Bool
    /// The runner that runs the program.
    var processes: any ProcessRunner
    private let environment: [String: String]

    /// Finds a client whose engine runs.
    package init(
        by processes: any ProcessRunner, _ environment: [String: String]
    ) throws(OperationFailure) {
        self.processes = processes
        self.environment = environment
        var refusal: String?
        for program in ["docker", "podman"] {
            let command = Command(program, ["version"], environment: environment)
            guard let run = try? processes.capture(command, limits: Self.limits) else { continue }
            guard run.report.succeeded else {
                let detail = run.errorText.split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
                let (reason, fix) = Self.refusal(by: program, errors: run.errorText)
                refusal = refusal ?? "\(program) \(reason)\(detail)\nhint: \(fix)"
                continue
            }
            self.program = program
            isPodman = run.text.split(separator: "\n").first?.contains("Podman") ?? false
            return
        }
        if let refusal { throw OperationFailure(status: ExitStatus.toolMissing.rawValue, refusal) }
        if let options = environment[Self.optionsVariable] {
            throw OperationFailure(
                status: ExitStatus.toolMissing.rawValue,
                "the container of '\(options)' has no Docker\nhint: run the lane without '\(options)'")
        }
        throw OperationFailure(
            status: ExitStatus.toolMissing.rawValue,
            "'docker' is not installed\nhint: 'lane doctor' explains how to install it")
    }

    /// Returns the reason why an engine does not answer its client, and a fix.
    ///
    /// - Parameter errors: The client's error output.
    package static func refusal(by program: String, errors: String) -> (reason: String, fix: String) {
        // Docker's socket belongs to root and to the group 'docker'.
        guard program == "docker", errors.lowercased().contains("permission denied") else {
            return ("is not running", "start the engine")
        }
        return ("refuses this user", "run 'sudo usermod -aG docker \"$USER\"', and log in again")
    }

    /// Returns the options with which the container can use the files of the caller, and new files belong to the
    /// caller.
    package func userOptions() -> [String] {
        // Otherwise, SELinux denies access to mounted files, as in Fedora.
        let access = ["--security-opt", "label=disable"]
        let user = ["--user", "\(getuid()):\(getgid())"]
        // Without root permissions, Podman would map the caller to another user.
        if isPodman { return access + (getuid() == 0 ? [] : ["--userns", "keep-id"]) + user }
        let security = capture(["info", "--format", "{{.SecurityOptions}}"])?.text ?? ""
        // The caller is root in the containers of an engine without root permissions.
        if security.contains("name=rootless") { return access + ["--user", "0:0"] }
        // The engine maps all users, unless the container has those of the host.
        return access + (security.contains("name=userns") ? ["--userns", "host"] : []) + user
    }

    /// Returns the options that name a container of this process and label it, so that `removeAbandoned` finds it.
    ///
    /// - Parameter suffix: Letters, digits, `_`, `.` and `-` that tell the containers of this process apart.
    package func nameOptions(_ suffix: String, label: String) -> (name: String, options: [String]) {
        let name = "lane-\(getpid())-\(suffix)"
        return (name, ["--name", name, "--label", label, "--label", "\(Self.ownerLabel)=\(Self.host)"])
    }

    /// Removes the containers with a label whose `lane` was killed. They may be running.
    package func removeAbandoned(label: String) {
        let filters = [label, "\(Self.ownerLabel)=\(Self.host)"].flatMap { ["--filter", "label=\($0)"] }
        guard let run = capture(["ps", "--all"] + filters + ["--format", "{{.Names}}"]) else { return }
        let names = run.text.split(separator: "\n").map(String.init).filter { name in
            guard let owner = name.split(separator: "-").dropFirst().first.flatMap({ pid_t($0) }) else { return false }
            return !processIsRunning(owner)
        }
        if !names.isEmpty { remove(names) }
    }

    /// Removes containers, which may be running.
    package func remove(_ names: [String]) { _ = capture(["rm", "--force"] + names) }

    /// Returns the state of a container, or `nil` if the engine did not create it.
    package func state(of name: String) -> State? {
        let form = "{{.State.ExitCode}} {{.State.Running}} {{.State.StartedAt}}"
        guard let run = capture(["container", "inspect", "--format", form, name]), run.report.succeeded else {
            return nil
        }
        let words = run.text.split(separator: " ")
        guard words.count >= 3, let status = Int32(words[0]) else { return nil }
        // A start time in the year 1 means that the container did not start.
        return State(status: status, isRunning: words[1] == "true", hasStarted: !words[2].hasPrefix("0001-"))
    }

    /// Returns a Boolean value that indicates whether the engine has an image.
    package func hasImage(_ name: String) -> Bool { capture(["image", "inspect", name])?.report.succeeded ?? false }

    /// Returns a Boolean value that indicates whether an image has a program with the option `--version`.
    ///
    /// - Parameter label: The label of the container that runs the program.
    package func hasProgram(_ program: String, in image: String, label: String) -> Bool {
        let (name, options) = nameOptions("version", label: label)
        // The client has a time limit. Its container would run on.
        defer { remove([name]) }
        return capture(["run"] + options + ["--entrypoint", program, image, "--version"])?.report.status != 127
    }

    private static let limits = RunLimits(timeout: .seconds(30))

    /// Where process IDs have their meaning: jobs that share one engine may run in containers or on other machines.
    private static var host: String { hostName + ((try? linkTarget("/proc/self/ns/pid")) ?? "") }

    /// The name of this host. In a container, it is the ID of the container.
    package static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Runs the client. Returns `nil` if it does not start.
    private func capture(_ arguments: [String]) -> CapturedRun? {
        try? processes.capture(Command(program, arguments, environment: environment), limits: Self.limits)
    }
}
