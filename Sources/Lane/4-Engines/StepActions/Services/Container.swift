import Actions
import Events
import LaneModel
import OperatingSystem
import Text

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A container of a service.
struct Container {
    private static let label = "lane.service"

    /// The client of the container engine: Docker, or Podman if Docker is not installed.
    let client: String
    private let name: String
    private let image: String
    private let port: Int?
    private let variables: [String]
    private let words: [String]
    private let root: String

    /// Finds the container engine, and removes the containers of a `lane` that was killed.
    init(_ image: String, _ settings: Settings, in context: StepContext) throws(OperationFailure) {
        self.image = image
        root = context.root
        port = settings.integer("port")
        variables = settings.strings("variables") ?? []
        words = settings.strings("arguments") ?? []
        client = try Self.client(in: context)
        // The name is unique, because step IDs and process IDs are.
        let step = context.step.description.utf8.map { $0.isContainerName ? $0 : UInt8(ascii: "-") }
        name = "lane-\(getpid())-\(String(decoding: step, as: UTF8.self))-\(Monotonic.now.components.attoseconds)"
        removeAbandoned(by: context.processes, context.environment)
    }

    private static func client(in context: StepContext) throws(OperationFailure) -> String {
        for program in ["docker", "podman"] {
            let command = Command(program, ["version"], environment: context.environment)
            guard let run = try? context.processes.capture(command, limits: RunLimits(timeout: .seconds(30))) else {
                continue
            }
            guard run.report.succeeded else {
                let reason = run.errorText.split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
                throw OperationFailure(
                    status: ExitStatus.toolMissing.rawValue,
                    "\(program) is not running\(reason)\nhint: start the engine")
            }
            return program
        }
        throw OperationFailure(
            status: ExitStatus.toolMissing.rawValue,
            "'docker' is not installed\nhint: 'lane doctor' explains how to install it"
        )
    }

    /// Returns the arguments of the client.
    ///
    /// - Parameter published: The port of this machine at which the container's port is published.
    func arguments(publishedAt published: Int?) -> [String] {
        var arguments = ["run", "--init", "--rm", "--name", name, "--label", "\(Self.label)=\(root)"]
        if let port, let published { arguments += ["--publish", "127.0.0.1:\(published):\(port)"] }
        // The client reads the values from its environment, which other users cannot read.
        for variable in variables { arguments += ["--env", variable] }
        return arguments + [image] + words
    }

    /// Returns a Boolean value that indicates whether the container runs. Until then, its network may be incomplete,
    /// and connections to its port may seem to succeed.
    func isRunning(in context: StepContext) -> Bool {
        let command = Command(
            client, ["container", "inspect", "--format", "{{.State.Running}}", name], environment: context.environment)
        let run = try? context.processes.capture(command, limits: RunLimits(timeout: .seconds(30)))
        return run?.text.hasPrefix("true") ?? false
    }

    /// Removes the container, which keeps running if only its client has ended.
    func remove(by processes: any ProcessRunner, _ environment: [String: String]) {
        remove([name], by: processes, environment)
    }

    private func remove(_ names: [String], by processes: any ProcessRunner, _ environment: [String: String]) {
        let command = Command(client, ["rm", "--force"] + names, environment: environment)
        _ = try? processes.capture(command, limits: RunLimits(timeout: .seconds(30)))
    }

    private func removeAbandoned(by processes: any ProcessRunner, _ environment: [String: String]) {
        let command = Command(
            client, ["ps", "--all", "--filter", "label=\(Self.label)=\(root)", "--format", "{{.Names}}"],
            environment: environment)
        guard let run = try? processes.capture(command, limits: RunLimits(timeout: .seconds(30))) else { return }
        let names = run.text.split(separator: "\n").map(String.init).filter { name in
            guard let owner = name.split(separator: "-").dropFirst().first.flatMap({ pid_t($0) }) else { return false }
            return !processIsRunning(owner)
        }
        if !names.isEmpty { remove(names, by: processes, environment) }
    }
}

extension UInt8 {
    fileprivate var isContainerName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
