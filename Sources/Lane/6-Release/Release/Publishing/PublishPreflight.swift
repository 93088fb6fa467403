import Actions
import Events
import Expressions
import Git
import LaneModel
import OperatingSystem
import Text
import Versioning

/// Checks that run before the build: would the remote and GitHub accept the release?
struct PublishPreflight {
    let settings: Settings
    let context: StepContext
    let clock: PublishClock

    struct Findings {
        /// The reasons why the remote or GitHub would reject the release.
        var problems: [String] = []
        /// The messages about checks that could not run.
        var notes: [String] = []
    }

    private var remote: String { settings.string("remote") ?? ActionSchema.publishRemote }

    func check() -> Findings {
        let git = Git(context, in: context.root)
        var findings = Findings()
        do throws(OperationFailure) {
            let target = try PublishTarget.find(settings, context.environment, remote, git)
            findings.problems += try pushProblems(git)
            if let note = try askForRepository(target.repository, at: target.base) { findings.notes.append(note) }
        } catch {
            findings.problems.append(error.message)
        }
        return findings
    }

    /// Returns the problems of a dry-run push: the remote has other commits, has the tag, or rejects the credentials.
    private func pushProblems(_ git: Git) throws(OperationFailure) -> [String] {
        guard try git.attempt(["remote", "get-url", remote]).report.succeeded,
            let branch = try git.attempt(["symbolic-ref", "--quiet", "HEAD"]).text.lines.first,
            try git.attempt(["rev-parse", "--verify", "--quiet", "HEAD"]).report.succeeded
        else { return [] }
        let run = try git.attempt([
            "push", "--dry-run", "--no-verify", "--porcelain", "--no-follow-tags", "--", remote, "HEAD:\(branch)",
        ])
        var problems: [String] = []
        if !run.report.succeeded {
            let report = PushReport(run)
            guard let branch = report.branchAhead else {
                let reason = [report.otherRejection ?? report.error] + report.explanation
                return ["pushing to '\(remote)' would fail: \(reason.joined(separator: "\n"))"]
            }
            problems.append(
                "'\(remote)' has commits in '\(branch)' that are not in this repository\nhint: git pull --rebase \(remote) \(branch)"
            )
        }
        if let tag = try plannedTag(git),
            try !git.text(["ls-remote", "--tags", "--", remote, "refs/tags/\(tag)"]).isEmpty
        {
            problems.append("'\(remote)' already has a tag '\(tag)'")
        }
        return problems
    }

    /// Returns the tag of the requested version, or `nil` if the lane names no version.
    private func plannedTag(_ git: Git) throws(OperationFailure) -> String? {
        guard let text = settings.string("version") ?? context.parameters["version"]?.text,
            let request = VersionRequest(text)
        else { return nil }
        let facts = try VersionFacts.read(git, root: context.root)
        guard let version = try? facts.version(for: request) else { return nil }
        return facts.tags.prefix + version.description
    }

    /// Checks the token and the repository on GitHub.
    ///
    /// - Returns: A note if there is no token for the check.
    private func askForRepository(_ repository: String, at base: String) throws(OperationFailure) -> String? {
        let name = settings.string("token") ?? ActionSchema.publishToken
        let token = (context.environment[name] ?? "").filter { !$0.isWhitespace }
        guard !token.isEmpty else {
            return "GitHub was not asked about '\(repository)': \(name) has no value"
        }
        let directory = try context.makeScratchDirectory("preflight")
        defer { try? removeTree(directory) }
        let client = GitHubClient(
            curl: Curl(
                processes: context.processes, environment: context.without(name).environment, directory: directory),
            base: base, token: token, tokenName: name, clock: clock, cancellation: context.cancellation,
            note: { context.report(.note, $0) })
        let response = try client.ask(HTTPRequest(url: "\(base)/repos/\(repository)"))
        guard response.isSuccess else { throw client.failure(response, to: "return the repository '\(repository)'") }
        return nil
    }
}
