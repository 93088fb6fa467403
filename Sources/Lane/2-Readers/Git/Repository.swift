package import OperatingSystem
import Text

/// The paths of a repository and its checkout.
package struct Repository: Sendable, Equatable {
    /// The root directory of the checkout.
    package internal(set) var topLevel: String
    /// The directory of the checkout's index and HEAD.
    package let gitDirectory: String
    /// The directory of references, objects and configuration, which all worktrees share.
    package let commonDirectory: String
    /// The path of the requested directory in the checkout, with a trailing slash. Empty for the root.
    package let prefix: String
    /// A Boolean value that indicates whether the clone lacks older commits.
    package let isShallow: Bool
    /// The hash function of object names: `sha1` or `sha256`.
    package let objectFormat: String

    private static let questions = [
        "rev-parse", Git.absolutePaths, "--show-toplevel", "--absolute-git-dir", "--git-common-dir",
        "--is-shallow-repository", "--show-object-format", "--show-prefix",
    ]

    /// Returns the repository that contains a directory.
    package static func find(_ git: Git) throws(OperationFailure) -> Repository {
        let (run, lines) = try ask(git, questions)
        guard run.report.succeeded, lines.count >= 6 else {
            throw OperationFailure(
                status: ExitStatus.refused.rawValue,
                "'\(git.directory)' is not in a git repository with a checkout\nhint: git init")
        }
        return Repository(lines)
    }

    /// Returns the repository that contains a directory, the hash of its HEAD, and the full name of the branch. The
    /// branch is `nil` if HEAD is detached.
    package static func findWithHead(
        _ git: Git
    ) throws(OperationFailure) -> (repository: Repository, head: String, branch: String?) {
        let (run, lines) = try ask(git, questions + ["HEAD^{commit}", "--symbolic-full-name", "HEAD"])
        guard run.report.succeeded, lines.count >= 8 else {
            // `find` reports the reason.
            let repository = try find(git)
            return (repository, try git.head(), try git.currentBranch())
        }
        return (Repository(lines), lines[6], lines[7] == "HEAD" ? nil : lines[7])
    }

    private static func ask(
        _ git: Git, _ questions: [String]
    ) throws(OperationFailure) -> (run: CapturedRun, lines: [String]) {
        let run = try git.attempt(questions)
        let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.first == Git.absolutePaths { throw try git.tooOld() }
        return (run, lines)
    }

    /// - Parameter lines: The answers to `questions`.
    private init(_ lines: [String]) {
        topLevel = lines[0]
        gitDirectory = lines[1]
        commonDirectory = lines[2]
        isShallow = lines[3] == "true"
        objectFormat = lines[4]
        prefix = lines[5]
    }

    /// Returns the repository for the same directory in another worktree.
    package func inWorktree(of directory: String) -> Repository {
        var other = self
        other.topLevel = String(directory.dropLast(prefix.count))
        return other
    }

    /// The operations in progress that the user must complete first, such as `a merge`.
    package var operationsInProgress: [String] {
        let marks = [
            ("MERGE_HEAD", "a merge"), ("rebase-merge", "a rebase"), ("rebase-apply", "a rebase"),
            ("CHERRY_PICK_HEAD", "a cherry-pick"), ("REVERT_HEAD", "a revert"), ("BISECT_LOG", "a bisection"),
        ]
        return marks.filter { fileExists("\(gitDirectory)/\($0.0)") }.map(\.1)
    }
}
