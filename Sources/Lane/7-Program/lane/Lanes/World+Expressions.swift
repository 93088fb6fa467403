import Expressions
import Git
import LaneModel
import OperatingSystem
import TestActions
import Text

extension World {
    /// Returns the context with `env`, `ci` and `git`. Git runs only if an expression reads its values, because it
    /// takes longer than the rest of a short run.
    func evaluationContext(for catalog: LaneCatalog) -> EvaluationContext {
        EvaluationContext(
            environment: environment, git: DeferredValues { gitValues(in: catalog.project.root) },
            ci: DeferredValues { ciValues })
    }

    private var ciValues: [String: Value] { ["active": .bool(isCI), "name": .string(ciName ?? "")] }

    /// A Boolean value that indicates whether the program runs on a CI service.
    var isCI: Bool { ciName != nil || environment["CI"].map { !$0.isEmpty && $0 != "false" } ?? false }

    private var ciName: String? {
        Self.services.first { environment[$0.variable].map { !$0.isEmpty } ?? false }?.name
    }

    /// The CI services for `ci.name`, with an environment variable that each service sets.
    private static let services: [(variable: String, name: String)] = [
        ("GITHUB_ACTIONS", "github"), ("GITLAB_CI", "gitlab"), ("CIRCLECI", "circleci"),
        ("TF_BUILD", "azure"), ("BUILDKITE", "buildkite"), ("JENKINS_URL", "jenkins"), ("TEAMCITY_VERSION", "teamcity"),
    ]

    /// The variables of CI services that `lane` reads.
    static let serviceVariables =
        services.map(\.variable) + [
            "CI", "GITHUB_WORKSPACE", "GITHUB_STEP_SUMMARY", "GITHUB_REPOSITORY", "GITHUB_API_URL",
            "BUILD_SOURCESDIRECTORY",
        ] + ChangedTests.variables

    private func gitValues(in root: String) -> [String: Value] {
        let status = git(["status", "--porcelain=v2", "-z", "--untracked-files=normal"], in: root)
        return [
            "branch": .string(git(["symbolic-ref", "--quiet", "--short", "HEAD"], in: root) ?? ""),
            "commit": .string(git(["rev-parse", "--quiet", "--verify", "HEAD"], in: root) ?? ""),
            "tag": .string(git(["describe", "--tags", "--exact-match"], in: root) ?? ""),
            "clean": .bool(status.map { GitStatus(porcelain: Array($0.utf8)).changes.isEmpty } ?? false),
        ]
    }

    /// Returns the output of a git command without its last line break, or `nil` if it fails.
    func git(_ arguments: [String], in root: String) -> String? {
        let command = Command("git", arguments, environment: gitEnvironment(environment), directory: root)
        guard let run = try? processes.capture(command), run.report.succeeded else { return nil }
        return run.text.hasSuffix("\n") ? String(run.text.dropLast()) : run.text
    }
}
