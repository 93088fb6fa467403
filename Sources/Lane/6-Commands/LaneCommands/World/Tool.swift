import Git
import OperatingSystem
import StepActions

/// A program that `lane` uses.
struct Tool: Sendable {
    var name: String
    /// The features that require it.
    let purpose: String
    let isRequired: Bool
    /// The arguments that print the version on the first line. Empty for a tool without a version.
    let versionArguments: [String]
    /// The arguments of a command that fails if the tool's service is not running. Empty for a tool without a service.
    var serviceArguments: [String] = []
    /// The name of a program that replaces it, with the same arguments.
    var substitute: String?
    /// The oldest version that is sufficient, such as `>= 6.0`, or `nil` for any version.
    var required: String?

    /// The instructions for the installation.
    var installation: String { ToolInstallation.line(for: name) ?? "" }

    static let all = [
        Tool(
            name: "swift", purpose: "build, test, coverage, format, lint, docs, package", isRequired: true,
            versionArguments: ["--version"], required: ">= 6.0"),
        Tool(
            name: "git", purpose: "bump, changelog, commit, tag, package, publish", isRequired: true,
            versionArguments: ["--version"], required: Git.requirement),
        Tool(
            name: "docc", purpose: "docs", isRequired: false, versionArguments: []),
        Tool(
            name: "docker", purpose: "running in a container", isRequired: false, versionArguments: ["--version"],
            serviceArguments: ["version", "--format", "{{.Server.Version}}"], substitute: "podman"),
        Tool(
            name: "curl", purpose: "publish", isRequired: false, versionArguments: ["--version"]),
        Tool(
            name: "eu-stack", purpose: "the stacks of hanging tests", isRequired: false,
            versionArguments: ["--version"]),
    ]
}

extension World {
    /// Returns the path of a program in `PATH`, or `nil` if it is not installed.
    package func path(of tool: String) -> String? {
        try? ExecutableSearch(environment: environment, directory: directory).locate(tool)
    }

    /// Returns the version of a tool: the first line of its output, without the details that curl appends.
    func version(of tool: Tool) -> String? {
        if tool.versionArguments.isEmpty { return path(of: tool.name) }
        guard let run = answer(of: tool, to: tool.versionArguments), run.report.succeeded,
            let line = run.text.split(separator: "\n").first
        else { return nil }
        return line.utf8.firstIndex(of: UInt8(ascii: ")")).map { String(line[...$0]) } ?? String(line)
    }

    /// Returns the reason why the service of a tool does not answer, and a fix, or `nil` if it answers.
    func refusal(byServiceOf tool: Tool) -> (reason: String, fix: String)? {
        guard !tool.serviceArguments.isEmpty else { return nil }
        let run = answer(of: tool, to: tool.serviceArguments)
        if let run, run.report.succeeded { return nil }
        return ContainerClient.refusal(by: tool.name, errors: run?.errorText ?? "")
    }

    /// Returns the run of a tool, or `nil` if it does not start.
    private func answer(of tool: Tool, to arguments: [String]) -> CapturedRun? {
        let command = Command(tool.name, arguments, environment: environment, directory: directory)
        return try? processes.capture(command, limits: RunLimits(timeout: .seconds(20)))
    }
}
