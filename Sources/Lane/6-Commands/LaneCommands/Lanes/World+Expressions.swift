import Expressions
import Git
import OperatingSystem
import Text

extension World {
    /// Returns the context with `env`, `ci` and `git`. Git runs only if an expression reads its values, because it
    /// takes longer than the rest of a short run.
    func evaluationContext(for catalog: LaneCatalog) -> EvaluationContext {
        EvaluationContext(
            environment: environment, git: DeferredValues { gitValues(in: catalog.project.root) },
            ci: ["active": .bool(isCI), "name": .string(ciService?.name ?? "")])
    }

    /// A Boolean value that indicates whether the program runs on a CI service.
    var isCI: Bool { CIService.isActive(in: environment) }

    /// The CI service on which the program runs, if it is a known one.
    var ciService: CIService? { CIService.current(in: environment) }

    /// The path of the file to which the CI service expects a summary of the job, if it has one.
    var jobSummary: String? { ciService?.summaryVariable.flatMap { environment[$0] } }

    /// The variables of CI services that `lane` reads.
    static let serviceVariables =
        CIService.variables + ["GITHUB_REPOSITORY", "GITHUB_API_URL"]

    /// Returns git in a directory.
    func git(in directory: String) -> Git { Git(in: directory, environment: environment, processes: processes) }

    private func gitValues(in root: String) -> [String: Value] {
        let status = try? GitStatus.read(git(in: root))
        var values: [String: Value] = [
            "branch": .string(git(["symbolic-ref", "--quiet", "--short", "HEAD"], in: root) ?? ""),
            "commit": .string(git(["rev-parse", "--quiet", "--verify", "HEAD"], in: root) ?? ""),
            "tag": .string(git(["describe", "--tags", "--exact-match"], in: root) ?? ""),
            "clean": .bool(status?.changes.isEmpty == true),
        ]
        if status == nil, let reason = gitError(in: root) {
            values[EvaluationContext.gitReason] = .string(reason)
        }
        return values
    }

    /// Returns the first line of git's message if it refuses a directory, or a message with a hint if it cannot use the
    /// repository.
    private func gitError(in root: String) -> String? {
        let command = Command("git", ["rev-parse"], environment: gitEnvironment(environment), directory: root)
        guard let run = try? processes.capture(command) else { return "git is not installed" }
        return Git.unusable(in: run.errorText)?.message
            ?? run.errorText.split(separator: "\n").first.map { "git: \($0)" }
    }

    /// Returns the reason why git cannot use the repository of a directory, with the command that changes this, or `nil`
    /// if it can or if there is none.
    func gitProblem(in root: String) -> String? {
        guard let error = gitError(in: root), error.contains("\nhint: ") else { return nil }
        return error.replacing("\nhint: ", with: "; ")
    }

    /// Returns the output of a git command without its last line break, or `nil` if it fails.
    func git(_ arguments: [String], in root: String) -> String? { try? git(in: root).text(arguments) }
}
