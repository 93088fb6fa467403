/// A CI service that runs `lane`: the variables that it sets, the files that define its runs, and the commands in its logs.
package struct CIService: Sendable {
    /// The name in expressions, `ci.name`.
    package let name: String
    /// The name in messages.
    package let title: String
    /// The variable that the service, and no other one, sets in all runs.
    package let variable: String
    /// The variable with the target branch of a pull request, or `nil` if the service does not name the branch.
    package var targetBranchVariable: String?
    /// The variable with the path of the checkout, for the services that show annotations of files.
    package var checkoutVariable: String?
    /// The variable with the path of a file for the summary of the job, in Markdown.
    package var summaryVariable: String?
    /// The variable that names the file that defines the run, such as `owner/name/.github/workflows/ci.yml@refs/heads/main`.
    package var workflowVariable: String?
    /// The file or directory of the runs' definitions, relative to the root of the repository.
    package let definition: String
    /// The starts of the paths of files that may define a run. Empty if the file may be in any directory, because
    /// pipelines are configured with its path.
    private let definitions: [String]
    /// The commands that the service interprets in the output, or `nil` if `lane` uses none.
    package var commands: (any LogCommands)?
}

extension CIService {
    package static let github = CIService(
        name: "github", title: "GitHub", variable: "GITHUB_ACTIONS", targetBranchVariable: "GITHUB_BASE_REF",
        checkoutVariable: "GITHUB_WORKSPACE", summaryVariable: "GITHUB_STEP_SUMMARY",
        workflowVariable: "GITHUB_WORKFLOW_REF", definition: ".github/workflows",
        definitions: [".github/workflows/", ".github/actions/"], commands: GitHubCommands())

    private static let gitlab = CIService(
        name: "gitlab", title: "GitLab", variable: "GITLAB_CI",
        targetBranchVariable: "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", definition: ".gitlab-ci.yml",
        definitions: [".gitlab-ci"])

    package static let circleci = CIService(
        name: "circleci", title: "CircleCI", variable: "CIRCLECI", definition: ".circleci/config.yml",
        definitions: [".circleci/"])

    package static let azure = CIService(
        name: "azure", title: "Azure", variable: "TF_BUILD", targetBranchVariable: "SYSTEM_PULLREQUEST_TARGETBRANCH",
        checkoutVariable: "BUILD_SOURCESDIRECTORY", definition: "azure-pipelines.yml", definitions: [],
        commands: AzureCommands())

    private static let buildkite = CIService(
        name: "buildkite", title: "Buildkite", variable: "BUILDKITE",
        targetBranchVariable: "BUILDKITE_PULL_REQUEST_BASE_BRANCH", definition: ".buildkite",
        definitions: [".buildkite/"])

    private static let jenkins = CIService(
        name: "jenkins", title: "Jenkins", variable: "JENKINS_URL", definition: "Jenkinsfile", definitions: [])

    private static let teamcity = CIService(
        name: "teamcity", title: "TeamCity", variable: "TEAMCITY_VERSION", definition: ".teamcity",
        definitions: [".teamcity/"])

    /// All known services.
    package static let all = [github, gitlab, circleci, azure, buildkite, jenkins, teamcity]

    /// Returns a Boolean value that indicates whether a file of the repository may define a run of the service.
    package func isDefined(by file: String) -> Bool {
        definitions.isEmpty
            ? file == definition || file.hasSuffix("/\(definition)") : definitions.contains(where: file.hasPrefix)
    }

    /// The variable that most services set.
    private static let commonVariable = "CI"

    /// All variables of the services.
    package static let variables =
        [commonVariable]
        + all.flatMap { service in
            [
                service.variable, service.targetBranchVariable, service.checkoutVariable, service.summaryVariable,
                service.workflowVariable,
            ].compactMap(\.self)
        }

    /// Returns the service in whose environment the program runs, or `nil` outside CI and for an unknown service.
    package static func current(in environment: [String: String]) -> CIService? {
        all.first { isSet($0.variable, in: environment) }
    }

    /// Returns a Boolean value that indicates whether the program runs on a CI service, known or not.
    package static func isActive(in environment: [String: String]) -> Bool {
        current(in: environment) != nil || isSet(commonVariable, in: environment)
    }

    private static func isSet(_ variable: String, in environment: [String: String]) -> Bool {
        environment[variable].map { !$0.isEmpty && $0 != "false" } ?? false
    }
}
