import Actions
import Events
import LaneModel
import OperatingSystem
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
        let step = context.step.description.utf8.map { $0.isContainerName ? $0 : UInt8(ascii: "-") }
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
