import LaneRun

import Diagnostics
import Files
import Processes

/// Where a checkout keeps its things.
struct Repository: Sendable, Equatable {
    /// The checkout's top folder.
    let topLevel: String
    /// What belongs to this checkout alone: index and HEAD.
    let gitDirectory: String
    /// What all worktrees share: refs, objects, configuration.
    let commonDirectory: String
    /// The folder that was asked for below the top folder, with a slash at its end; empty for the top itself.
    let prefix: String
    let isShallow: Bool
    /// `sha1` or `sha256`.
    let objectFormat: String

    /// The repository around a folder, in one call of git.
    static func find(_ git: Git) throws(StepFailure) -> Repository {
        let run = try git.attempt([
            "rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-common-dir", "--is-shallow-repository",
            "--show-object-format", "--show-prefix",
        ])
        let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if run.errorText.contains("dubious ownership") {
            // Usual in containers, where the checkout belongs to someone outside.
            throw .refused([
                "git does not trust '\(git.directory)', because it belongs to another user\n"
                    + "hint: git config --global --add safe.directory '\(git.directory)'"
            ])
        }
        guard run.report.succeeded, lines.count >= 6 else {
            throw StepFailure(
                status: ExitStatus.refused.rawValue,
                "'\(git.directory)' is not in a git repository with a checkout\nhint: git init")
        }
        return Repository(
            topLevel: lines[0], gitDirectory: lines[1], commonDirectory: absolutePath(lines[2], from: git.directory),
            prefix: lines[5], isShallow: lines[3] == "true", objectFormat: lines[4])
    }

    /// What is under way in this checkout and has to be ended first: `a merge`, `a rebase`.
    var operationsInProgress: [String] {
        let marks = [
            ("MERGE_HEAD", "a merge"), ("rebase-merge", "a rebase"), ("rebase-apply", "a rebase"),
            ("CHERRY_PICK_HEAD", "a cherry-pick"), ("REVERT_HEAD", "a revert"), ("BISECT_LOG", "a bisection"),
        ]
        return marks.filter { fileExists("\(gitDirectory)/\($0.0)") }.map(\.1)
    }
}
