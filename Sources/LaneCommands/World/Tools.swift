import Processes

/// A program that `lane` calls, and where to get it.
struct Tool: Sendable {
    let name: String
    /// What can't be done without it.
    let purpose: String
    let isRequired: Bool
    /// Prints the version on its first line; empty for a tool that does not tell one.
    let versionArguments: [String]
    /// Fails when the program is there and the service that does its work is not; empty for a tool that has none.
    var serviceArguments: [String] = []
    /// What a person types to get it.
    let installation: String

    static let all = [
        Tool(
            name: "swift", purpose: "build, test, coverage, format, lint, docs, package", isRequired: true,
            versionArguments: ["--version"],
            installation: "see swift.org/install"),
        Tool(
            name: "git", purpose: "bump, changelog, commit, tag, package, publish", isRequired: true,
            versionArguments: ["--version"],
            installation: "apt-get install git, or xcode-select --install"),
        Tool(
            name: "docc", purpose: "docs", isRequired: false, versionArguments: [],
            installation: "comes with the toolchains of swift.org and of Xcode"),
        Tool(
            name: "docker", purpose: "running in a container", isRequired: false, versionArguments: ["--version"],
            serviceArguments: ["version", "--format", "{{.Server.Version}}"],
            installation: "apt-get install docker.io, or brew install --cask docker"),
        Tool(
            name: "curl", purpose: "publish", isRequired: false, versionArguments: ["--version"],
            installation: "apt-get install curl, or brew install curl"),
    ]
}

extension World {
    /// Where `PATH` finds a program; `nil` when it does not.
    func path(of tool: String) -> String? {
        try? ExecutableSearch(environment: environment, directory: directory).locate(tool)
    }

    /// The first line that a tool prints about its version; what curl lists behind the system is of no use here.
    func version(of tool: Tool) -> String? {
        if tool.versionArguments.isEmpty { return path(of: tool.name) }
        guard let line = answer(of: tool, to: tool.versionArguments)?.split(separator: "\n").first else { return nil }
        return line.utf8.firstIndex(of: UInt8(ascii: ")")).map { String(line[...$0]) } ?? String(line)
    }

    /// Whether what the tool only speaks to is there as well.
    func hasService(_ tool: Tool) -> Bool {
        tool.serviceArguments.isEmpty || answer(of: tool, to: tool.serviceArguments) != nil
    }

    /// What the tool prints; `nil` when it fails.
    private func answer(of tool: Tool, to arguments: [String]) -> String? {
        let command = Command(tool.name, arguments, environment: environment, directory: directory)
        let run = try? processes.capture(command, limits: RunLimits(timeout: .seconds(20)))
        return run.flatMap { $0.report.succeeded ? $0.text : nil }
    }
}
