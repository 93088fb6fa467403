import Diagnostics
package import LaneRun
import Processes

/// The last common commit of HEAD and the branch or commit that its changes are compared with.
package struct BaseCommit: Sendable, Equatable {
    /// The full hash of the commit.
    package let hash: String
    /// The name of the branch or commit.
    package let base: String

    /// The variables with the target branch of a pull request, of GitHub, Azure, GitLab and Buildkite.
    private static let targets = [
        "GITHUB_BASE_REF", "SYSTEM_PULLREQUEST_TARGETBRANCH", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
        "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
    ]

    /// Finds the commit. Without a given base, it is the target branch of a pull request, or else the default branch of
    /// the remote. Returns `nil` in a run of CI for no pull request.
    package static func find(_ git: Git, given: String?) throws(StepFailure) -> BaseCommit? {
        let target = targets.lazy.compactMap { git[variable: $0] }.first { !$0.isEmpty }
        if given == nil, target == nil, let isCI = git[variable: "CI"] ?? git[variable: "TF_BUILD"], !isCI.isEmpty {
            return nil
        }
        let candidates =
            given.map { [$0] } ?? target.map { ["origin/\($0.split(separator: "/").last.map(String.init) ?? $0)"] }
            ?? [line(git, ["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"])].compactMap(\.self)
            + ["origin/main", "origin/master"]
        let base = candidates.first {
            line(git, ["rev-parse", "--quiet", "--verify", "--end-of-options", "\($0)^{commit}"]) != nil
        }
        guard let base else {
            let names = list(candidates.map { "'\($0)'" })
            throw StepFailure(
                status: ExitStatus.usage.rawValue, "expected a branch or commit to compare with, found no \(names)")
        }
        guard let hash = line(git, ["merge-base", "HEAD", "\(base)^{commit}"]) else {
            throw StepFailure(
                status: ExitStatus.failed.rawValue,
                "HEAD and '\(base)' have no common commit\nhint: a shallow clone lacks it; use 'git fetch --unshallow'")
        }
        return BaseCommit(hash: hash, base: base)
    }

    /// Returns the first line that git prints, or `nil` if it fails.
    private static func line(_ git: Git, _ words: [String]) -> String? {
        guard let run = try? git.attempt(words), run.report.succeeded else { return nil }
        return run.text.split(separator: "\n").first.map(String.init)
    }
}
