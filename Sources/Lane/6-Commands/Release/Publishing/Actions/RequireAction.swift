package import Actions
import Events
package import Expressions
import Git
package import LaneModel
package import OperatingSystem
import Text
import Versioning

/// The `require` action: checks the requirements of a release, and reports all unmet requirements together.
package struct RequireAction: BuiltInStepAction {
    package static let schema = ActionSchema(
        "require", "Check the requirements before anything is changed",
        settings: [
            SettingSchema("clean", .bool, "The checkout has no changes and no untracked files"),
            SettingSchema("branch", .string, "The branch that must be checked out"),
            SettingSchema(
                "tools", .either([.list(.string), .map(.string)]),
                "Programs that must be installed, with their required versions"),
            SettingSchema("secrets", .list(.string), "Environment variables that must have a value"),
            SettingSchema("publish-to", .choice(["github"]), "The service to which publishing must be possible"),
            SettingSchema("remote", .string, "The remote for 'publish-to'; by default the remote of 'publish'"),
            SettingSchema(
                "repository", .string,
                "The repository as owner/name for 'publish-to'; by default the repository of 'publish'"),
            SettingSchema(
                "token", .string, "The secret with the token for 'publish-to'; by default the token of 'publish'"),
            SettingSchema(
                ReleaseNames.pullRequest, .bool,
                "Check for 'publish-to' that a pull request can be opened, not that a push of the branch is possible; by default the condition of 'pull-request'"
            ),
            SettingSchema("version", .version, "A version that is unused and greater than the last one"),
            VersionOccurrences.NamedFile.setting(
                "The files that name the version; by default the files of the lane's 'bump', or the detected files"),
        ],
        outputs: [],
        example: """
            - require: { clean: true, branch: main, version: "${{ parameters.version }}" }
            - require:
                tools: { swift: ">= 6.2", git: "2" }
                secrets: [GITHUB_TOKEN]
                publish-to: github
                remote: origin
                repository: example/shape
                token: GITHUB_TOKEN
                pull-request: false
                files: [VERSION]
            """)

    package init() {}

    package func summary(of settings: Settings) -> String {
        summary(settings, version: settings.string("version"))
    }

    package func forecast(
        of settings: Settings, in context: StepContext, after earlier: [String: Value]
    ) -> StepForecast {
        do throws(OperationFailure) {
            // A plan does not run the tools, so their versions are unknown.
            let found = try findings(settings, context, runsTools: false)
            return StepForecast(
                summary(settings, version: found.version?.shown, branch: found.branch), obstacles: found.problems,
                notes: found.notes, details: checks(settings, found.version))
        } catch {
            return StepForecast(summary(of: settings), obstacles: [error.message])
        }
    }

    /// Returns all checks of the step.
    private func checks(_ settings: Settings, _ version: VersionCheck?) -> [ForecastDetail] {
        var checks: [String] = []
        if settings.bool("clean") == true { checks.append("the checkout has no changes and no untracked files") }
        if let branches = settings.strings("branch") { checks.append("the branch is \(list(branches))") }
        if let version {
            checks += [
                "\(version.shown) is greater than the last version, and has no tag",
                "a branch is checked out, no merge or rebase is in progress, and git has an author for commits",
            ]
        }
        checks += (settings.strings("secrets") ?? []).map { "\($0) has a value" }
        if settings["publish-to"] != nil {
            let remote = settings.remote
            checks += [
                settings.isProposal
                    ? "'\(remote)' accepts the branch of the pull request, and is at the same commit"
                    : "'\(remote)' accepts the branch, and has no tag of this version",
                "GitHub returns the repository for the token",
            ]
        }
        checks += tools(settings).map { "\($0.name) is installed\($0.version.map { ", version \($0)" } ?? "")" }
        return checks.map { .check($0) }
    }

    private func summary(_ settings: Settings, version: String?, branch: String? = nil) -> String {
        var words: [String] = []
        if settings.bool("clean") == true { words.append("a clean checkout") }
        if let branches = settings.strings("branch") { words.append("branch \(list(branches))") }
        if let version {
            let place = settings["branch"] == nil ? branch.map { " from '\($0)'" } ?? "" : ""
            words.append("that \(version) can be released\(place)")
        }
        let secrets = settings.strings("secrets") ?? []
        if !secrets.isEmpty { words.append("a value in \(list(secrets, joinedBy: "and"))") }
        if settings["publish-to"] != nil {
            words.append("a remote that accepts the \(settings.isProposal ? "pull request" : "release")")
        }
        let tools = tools(settings).map(\.name)
        if !tools.isEmpty { words.append(list(tools, joinedBy: "and")) }
        return "require " + (words.isEmpty ? "nothing" : list(words, joinedBy: "and"))
    }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        let found = try findings(settings, context, runsTools: true)
        for note in found.notes { context.report(.warning, note) }
        guard found.problems.isEmpty else { throw .refused(found.problems) }
        return StepResult()
    }

    /// Returns the version and the branch, the unmet requirements, and the warnings.
    private func findings(
        _ settings: Settings, _ context: StepContext, runsTools: Bool
    ) throws(OperationFailure) -> (version: VersionCheck?, branch: String?, problems: [String], notes: [String]) {
        let checkout = try checkoutProblems(settings, context)
        let version = try VersionCheck(of: settings, in: context)
        let tools = tools(settings).compactMap { tool in
            problem(with: tool.name, version: runsTools ? tool.version : nil, context)
        }
        var target = PublishPreflight.Findings()
        // `publish` runs when the branch and the tag are final.
        if settings["publish-to"] != nil { target = PublishPreflight(settings: settings, context: context).check() }
        let problems = checkout.problems + (version?.problems ?? []) + tools + secretProblems(settings, context)
        let notes = (version?.notes ?? []) + otherBranch(settings, checkout, version, context)
        return (version, checkout.branch, problems + target.problems, notes + target.notes)
    }

    private func secretProblems(_ settings: Settings, _ context: StepContext) -> [String] {
        (settings.strings("secrets") ?? []).filter { context.environment[$0, default: ""].isEmpty }
            .map { "\($0) has no value\nhint: set it in the environment" }
    }

    /// The state of the user's checkout.
    private struct Checkout {
        var problems: [String] = []
        var branch: String?
    }

    /// Returns a warning if a release is made on another branch than the default one.
    private func otherBranch(
        _ settings: Settings, _ checkout: Checkout, _ version: VersionCheck?, _ context: StepContext
    ) -> [String] {
        guard settings["branch"] == nil, let version, let branch = checkout.branch, !version.isExpected(on: branch),
            let main = Git(context, in: context.root).defaultBranch(of: settings.remote), main != branch
        else { return [] }
        return ["the release is made on the branch '\(branch)', not on the default branch '\(main)'"]
    }

    /// Returns the problems of the user's checkout. In a transaction, this is not the private worktree.
    private func checkoutProblems(_ settings: Settings, _ context: StepContext) throws(OperationFailure) -> Checkout {
        let isRelease = settings.string("version") != nil || context.transaction != nil
        guard settings.bool("clean") == true || settings["branch"] != nil || isRelease else { return Checkout() }
        let git = Git(context, in: context.root)
        let status = try GitStatus.read(git)
        let known = context.transaction?.values[Repository.self]
        let repository = if let known { known } else { try Repository.find(git) }
        var problems: [String] = []
        if settings.bool("clean") == true, !status.changes.isEmpty {
            problems.append(Self.unclean(status.changes))
        }
        let lock = "\(repository.gitDirectory)/index.lock"
        if isRelease, fileExists(lock) { problems.append(IndexLock.refusal(lock)) }
        for operation in repository.operationsInProgress { problems.append("\(operation) is in progress") }
        if let branches = settings.strings("branch"), !branches.contains(status.branch ?? "") {
            let found = status.branch.map { "'\($0)'" } ?? "a detached HEAD"
            var hint = "git switch -c \(branches[0]), or change 'branch' in the lane"
            for branch in branches.reversed() where try git.knows(branch: branch) { hint = "git switch \(branch)" }
            problems.append("expected branch \(list(branches.map { "'\($0)'" })), found \(found)\nhint: \(hint)")
        } else if isRelease, status.branch == nil {
            problems.append(
                "HEAD is detached, so there is no branch for the release\nhint: \(try git.switchToBranchAtHead())")
        }
        if isRelease, try !git.attempt(["var", "GIT_COMMITTER_IDENT"]).report.succeeded {
            problems.append(
                "git has no author for commits\nhint: git config user.name and user.email, or GIT_COMMITTER_NAME and _EMAIL"
            )
        }
        if isRelease {
            let settings = try ReleaseSettings.read(git)
            context.transaction?.values[ReleaseSettings.self] = settings
            if let problem = try settings.signingProblem(git) { problems.append(problem) }
        }
        return Checkout(problems: problems, branch: status.branch)
    }

    private static func unclean(_ changes: [String]) -> String {
        let hint =
            changes.contains { $0.hasPrefix(".build/") }
            ? "git rm -r --cached .build, and name it in .gitignore" : "commit, stash or ignore them"
        return "the checkout is not clean: \(list(changes, most: 5))\nhint: \(hint)"
    }

    /// Returns the names of tools with the required versions, if any.
    private func tools(_ settings: Settings) -> [(name: String, version: String?)] {
        if let names = settings.strings("tools") { return names.map { ($0, nil) } }
        return (settings.map("tools") ?? []).map { name, value in
            if case .string(let version) = value { (name, version) } else { (name, nil) }
        }
    }

    private func problem(with tool: String, version: String?, _ context: StepContext) -> String? {
        do throws(SpawnError) {
            _ = try ExecutableSearch(environment: context.environment, directory: context.directory).locate(tool)
            guard let version else { return nil }
            guard let requirement = ToolRequirement(version) else {
                return "'\(version)' is not a version for '\(tool)': expected 6.2 or >= 6.2"
            }
            let command = Command(tool, ["--version"], environment: context.environment, directory: context.directory)
            let run = try context.processes.capture(command, limits: RunLimits(timeout: .seconds(30)))
            let found = (run.text + run.errorText).lines.first ?? ""
            guard !requirement.isMet(by: found) else { return nil }
            let hint = ToolInstallation.line(for: tool).map { "\nhint: \($0)" } ?? ""
            return "expected '\(tool)' \(version), found '\(found)'\(hint)"
        } catch {
            return error.description
        }
    }
}
