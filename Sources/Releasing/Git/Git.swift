import LaneRun
import Processes

/// The `git` command in a directory, with an environment in which neither a surrounding hook nor the user's language
/// affects its output.
struct Git: Sendable {
    let directory: String
    private let environment: [String: String]
    private let processes: any ProcessRunner

    init(in directory: String, environment: [String: String], processes: any ProcessRunner) {
        self.directory = directory
        self.processes = processes
        self.environment = gitEnvironment(environment)
    }

    init(_ context: StepContext, in directory: String? = nil) {
        self.init(
            in: directory ?? context.directory, environment: context.environment, processes: context.processes)
    }

    /// Returns the same repository in another directory.
    func inside(_ directory: String) -> Git {
        Git(in: directory, environment: environment, processes: processes)
    }

    /// The value of a variable in the environment.
    subscript(variable name: String) -> String? { environment[name] }

    /// Runs git and returns its result, whatever the exit status is.
    func attempt(
        _ arguments: [String], input: [UInt8]? = nil, settings: [String: String] = [:]
    ) throws(StepFailure) -> CapturedRun {
        try capture(
            "git", ["--no-pager"] + arguments, input: input, settings: settings, purpose: "git is needed for releases")
    }

    /// Runs git and throws its output if it fails.
    @discardableResult
    func run(
        _ arguments: [String], input: [UInt8]? = nil, settings: [String: String] = [:]
    ) throws(StepFailure) -> CapturedRun {
        let run = try attempt(arguments, input: input, settings: settings)
        guard run.report.succeeded else { throw StepFailure(of: "git \(arguments.first ?? "")", run) }
        return run
    }

    /// Returns the output of git without its last line break.
    func text(_ arguments: [String]) throws(StepFailure) -> String {
        let text = try run(arguments).text
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// Runs a shell script in the same environment, for work that must continue without `lane`.
    func shell(_ script: String) throws(StepFailure) -> CapturedRun {
        try capture("sh", ["-c", script], input: nil, settings: [:], purpose: "a POSIX shell is needed for releases")
    }

    private func capture(
        _ executable: String, _ arguments: [String], input: [UInt8]?, settings: [String: String], purpose: String
    ) throws(StepFailure) -> CapturedRun {
        let command = Command(
            executable, arguments, environment: environment.merging(settings) { $1 }, directory: directory,
            input: input.map { .bytes($0) } ?? .nothing)
        do throws(SpawnError) {
            return try processes.capture(command)
        } catch {
            throw StepFailure(error, neededFor: purpose)
        }
    }
}
