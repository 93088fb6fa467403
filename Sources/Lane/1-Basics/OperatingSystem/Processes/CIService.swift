import Text

/// The table of CI services: the variables that each of them sets, and the files that define its runs.
package enum CIService: String, Sendable, CaseIterable {
    case github, gitlab, circleci, azure, buildkite, jenkins, teamcity

    /// The variable that the service, and no other one, sets in all runs.
    package var variable: String {
        switch self {
        case .github: "GITHUB_ACTIONS"
        case .gitlab: "GITLAB_CI"
        case .circleci: "CIRCLECI"
        case .azure: "TF_BUILD"
        case .buildkite: "BUILDKITE"
        case .jenkins: "JENKINS_URL"
        case .teamcity: "TEAMCITY_VERSION"
        }
    }

    /// The variable with the target branch of a pull request, or `nil` if the service does not name the branch.
    package var targetBranchVariable: String? {
        switch self {
        case .github: "GITHUB_BASE_REF"
        case .gitlab: "CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
        case .azure: "SYSTEM_PULLREQUEST_TARGETBRANCH"
        case .buildkite: "BUILDKITE_PULL_REQUEST_BASE_BRANCH"
        case .circleci, .jenkins, .teamcity: nil
        }
    }

    /// The variable with the path of the checkout, for the services that show annotations of files.
    package var checkoutVariable: String? {
        switch self {
        case .github: "GITHUB_WORKSPACE"
        case .azure: "BUILD_SOURCESDIRECTORY"
        case .gitlab, .circleci, .buildkite, .jenkins, .teamcity: nil
        }
    }

    /// The file or directory of the runs' definitions, relative to the root of the repository.
    package var definition: String {
        switch self {
        case .github: ".github/workflows"
        case .gitlab: ".gitlab-ci.yml"
        case .circleci: ".circleci/config.yml"
        case .azure: "azure-pipelines.yml"
        case .buildkite: ".buildkite"
        case .jenkins: "Jenkinsfile"
        case .teamcity: ".teamcity"
        }
    }

    /// Returns a Boolean value that indicates whether a file of the repository may define a run of the service.
    package func isDefined(by file: String) -> Bool {
        switch self {
        case .github: file.hasPrefix("\(definition)/") || file.hasPrefix(".github/actions/")
        case .gitlab: file.hasPrefix(".gitlab-ci")
        case .circleci: file.hasPrefix(".circleci/")
        case .buildkite, .teamcity: file.hasPrefix("\(definition)/")
        // A pipeline is configured with the path of its file, which may be in any directory.
        case .azure, .jenkins: lastPathComponent(file) == definition
        }
    }

    /// The name in messages.
    package var title: String {
        switch self {
        case .github: "GitHub"
        case .gitlab: "GitLab"
        case .circleci: "CircleCI"
        case .azure: "Azure"
        case .buildkite: "Buildkite"
        case .jenkins: "Jenkins"
        case .teamcity: "TeamCity"
        }
    }

    /// The variable that most services set.
    private static let commonVariable = "CI"

    /// All variables of the table.
    package static let variables =
        [commonVariable]
        + allCases.flatMap { [$0.variable, $0.targetBranchVariable, $0.checkoutVariable].compactMap(\.self) }

    /// Returns the service in whose environment the program runs, or `nil` outside CI and for an unknown service.
    package static func current(in environment: [String: String]) -> CIService? {
        allCases.first { isSet($0.variable, in: environment) }
    }

    /// Returns a Boolean value that indicates whether the program runs on a CI service, known or not.
    package static func isActive(in environment: [String: String]) -> Bool {
        current(in: environment) != nil || isSet(commonVariable, in: environment)
    }

    private static func isSet(_ variable: String, in environment: [String: String]) -> Bool {
        environment[variable].map { !$0.isEmpty && $0 != "false" } ?? false
    }
}
