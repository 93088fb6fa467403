import ChangeImpact
import Git
import OperatingSystem
import Text

/// A search for the last common commit of HEAD and a base. In a shallow clone, it fetches older commits.
struct ChangeBaseCommit {
    let git: Git
    let environment: [String: String]

    /// The numbers of commits by which a shallow clone is deepened before all commits are fetched.
    private static let depths = [50, 200, 1000]

    /// Returns the commit and the name of the base.
    ///
    /// - Parameter given: The revision that the user gave, if any.
    func find(_ given: String?) throws(Undecided) -> (commit: String, name: String) {
        let remotes = try orUndecided { () throws(OperationFailure) in try git.text(["remote"]) }.split(separator: "\n")
        let remote = remotes.contains("origin") ? "origin" : remotes.first.map(String.init)
        let base = ChangeBase(given: given, environment: environment)
        let name: String
        switch base {
        case .none(let reason): throw Undecided(reason)
        case .revision(let revision): name = revision
        case .target(let branch): name = "\(remote ?? "origin")/\(branch)"
        case .usual: name = usual(remote)
        }
        if resolve(name) == nil { try fetch(name, remote, given) }
        guard resolve(name) != nil else { throw missing(name, given) }
        if let commit = mergeBase(name) { return (commit, name) }
        try deepen(name, remote)
        guard let commit = mergeBase(name) else { throw Undecided("HEAD and '\(name)' have no common commit") }
        return (commit, name)
    }

    /// Returns the upstream branch or the default branch. Without them, the base is the last commit.
    private func usual(_ remote: String?) -> String {
        let upstream = line(["rev-parse", "--abbrev-ref", "--symbolic-full-name", "HEAD@{upstream}"])
        let branch = line(["symbolic-ref", "--quiet", "--short", "HEAD"]) ?? ""
        // An upstream to which the branch is pushed, perhaps in a fork or below `users/me`, has the same commits.
        let pushed = line(["rev-parse", "--abbrev-ref", "--symbolic-full-name", "HEAD@{push}"])
        if let upstream, upstream != branch, upstream != pushed, !upstream.hasSuffix("/\(branch)") { return upstream }
        let main = git.defaultBranch(of: remote)
        if let remote, let main, resolve("refs/remotes/\(remote)/\(main)") != nil { return "\(remote)/\(main)" }
        if let upstream { return upstream }
        return main.flatMap { resolve("refs/heads/\($0)") == nil ? nil : $0 } ?? "HEAD"
    }

    private func resolve(_ name: String) -> String? {
        line(["rev-parse", "--quiet", "--verify", "--end-of-options", "\(name)^{commit}"])
    }

    private func mergeBase(_ name: String) -> String? { line(["merge-base", "HEAD", "\(name)^{commit}"]) }

    /// Returns the first line of git's output, or `nil` if git fails.
    private func line(_ words: [String]) -> String? {
        guard let run = try? git.attempt(words), run.report.succeeded else { return nil }
        return run.text.split(separator: "\n").first.map(String.init)
    }

    private func missing(_ name: String, _ given: String?) -> Undecided {
        guard let given else { return Undecided("'\(name)' does not exist in this clone") }
        return Undecided(
            name,
            failure: OperationFailure(
                status: ExitStatus.usage.rawValue, "there is no branch or commit '\(given)' to compare with"))
    }

    /// Fetches the branch of a remote that CI has not fetched.
    private func fetch(_ name: String, _ remote: String?, _ given: String?) throws(Undecided) {
        guard let remote, name.hasPrefix("\(remote)/"), CIService.isActive(in: environment) else {
            throw missing(name, given)
        }
        let branch = name.dropFirst(remote.count + 1)
        let depth = isShallow ? ["--depth=\(Self.depths[0])"] : []
        let run = try? git.attempt(
            ["fetch", "--quiet", "--no-tags"] + depth + [remote, "+refs/heads/\(branch):refs/remotes/\(name)"])
        guard let run, run.report.succeeded else {
            throw Undecided("'\(name)' is not in this clone and could not be fetched\(Self.cause(run))")
        }
    }

    private var isShallow: Bool { (try? git.text(["rev-parse", "--is-shallow-repository"])) == "true" }

    /// Fetches older commits until there is a common commit.
    private func deepen(_ name: String, _ remote: String?) throws(Undecided) {
        guard isShallow else { return }
        guard let remote, name.hasPrefix("\(remote)/"), let head = resolve("HEAD") else {
            throw Undecided("this clone is shallow and has no common commit of HEAD and '\(name)'")
        }
        let branch = "+refs/heads/\(name.dropFirst(remote.count + 1)):refs/remotes/\(name)"
        var failed: CapturedRun?
        for depth in Self.depths.map({ "--deepen=\($0)" }) + ["--unshallow"] {
            // Git deepens only the fetched references. HEAD may be in no branch, so it is fetched by its hash.
            let run = try? git.attempt(["fetch", "--quiet", "--no-tags", depth, remote, branch, head])
            if run?.report.succeeded != true { failed = run }
            if mergeBase(name) != nil || !isShallow { return }
        }
        throw Undecided("this clone is shallow, and older commits could not be fetched\(Self.cause(failed))")
    }

    private static func cause(_ run: CapturedRun?) -> String {
        let line = run?.errorText.split(separator: "\n").first { !$0.isEmpty }
        return line.map { ": \($0)" } ?? ""
    }
}
