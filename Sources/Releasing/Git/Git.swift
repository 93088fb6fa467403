import LaneRun
import Processes

/// Calls `git` in one folder, with an environment in which neither a surrounding hook nor the user's language changes
/// what it says.
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

    /// The same repository seen from another folder.
    func inside(_ directory: String) -> Git {
        Git(in: directory, environment: environment, processes: processes)
    }

    /// What a variable says in its environment.
    subscript(variable name: String) -> String? { environment[name] }

    /// Runs it to its end, whatever that is.
    func attempt(
        _ arguments: [String], input: [UInt8]? = nil, settings: [String: String] = [:]
    ) throws(StepFailure) -> CapturedRun {
        try capture(
            "git", ["--no-pager"] + arguments, input: input, settings: settings, purpose: "git is needed for releases")
    }

    /// Runs it and fails with what it said when it fails.
    @discardableResult
    func run(
        _ arguments: [String], input: [UInt8]? = nil, settings: [String: String] = [:]
    ) throws(StepFailure) -> CapturedRun {
        let run = try attempt(arguments, input: input, settings: settings)
        guard run.report.succeeded else { throw StepFailure(of: "git \(arguments.first ?? "")", run) }
        return run
    }

    /// What it prints, without the last line feed.
    func text(_ arguments: [String]) throws(StepFailure) -> String {
        let text = try run(arguments).text
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// Runs a shell script beside git, for what has to go on without `lane`.
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
