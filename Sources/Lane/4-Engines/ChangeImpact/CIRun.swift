import OperatingSystem
import Text

/// The run of a CI service in which the tests are selected, or a run on the machine of a user.
///
/// A definition of CI is no input of the tests. It can only change the machine and the toolchain of a run that it defines.
package struct CIRun: Sendable {
    private let environment: [String: String]
    /// The root of the repository.
    private let repository: String

    /// A run outside CI.
    package static let none = Self(environment: [:], repository: "")

    package init(environment: [String: String], repository: String) {
        self.environment = environment
        self.repository = repository
    }

    /// The variable that each service sets, and the beginning of the paths of its definitions.
    private static let services = [
        ("GITHUB_ACTIONS", ".github/actions/"), ("CIRCLECI", ".circleci/"), ("GITLAB_CI", ".gitlab-ci"),
        ("BUILDKITE", ".buildkite/"),
    ]

    /// Returns a Boolean value that indicates whether a changed file may define the run.
    func isDefined(by file: String) -> Bool {
        if file.hasPrefix(".github/workflows/") { return isWorkflow(file) }
        if lastPathComponent(file) == "azure-pipelines.yml" { return environment["TF_BUILD"] != nil }
        return Self.services.contains { file.hasPrefix($0.1) && environment[$0.0] != nil }
    }

    /// Returns a Boolean value that indicates whether a workflow of GitHub is the one that runs, or may be a part of it.
    private func isWorkflow(_ file: String) -> Bool {
        guard environment["GITHUB_ACTIONS"] != nil else { return false }
        // Such as `owner/name/.github/workflows/ci.yml@refs/heads/main`.
        guard let current = environment["GITHUB_WORKFLOW_REF"], !current.contains("/\(file)@") else { return true }
        // A workflow that others call. One that was removed is part of none.
        return (try? readText("\(repository)/\(file)"))?.contains("workflow_call") == true
    }
}
