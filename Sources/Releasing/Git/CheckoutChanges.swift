import Files
import LaneRun
import Processes

/// The differences between the checkout and its last commit, including those that git ignores by configuration.
enum CheckoutChanges {
    /// Compares all files with the commit through a private index, in which no file is marked `assume-unchanged` or
    /// `skip-worktree`.
    ///
    /// - Parameters:
    ///   - made: Paths to ignore, relative to the directory of `git`.
    ///   - directory: The directory for the index.
    static func read(_ git: Git, except made: [String], in directory: String) throws(StepFailure) -> [String] {
        let index = ["GIT_INDEX_FILE": "\(directory)/index"]
        let plain = [
            "core.ignoreStat=false", "core.sparseCheckout=false", "index.sparse=false", "core.fsmonitor=false",
            "core.untrackedCache=false",
        ].flatMap { ["-c", $0] }
        try git.run(plain + ["read-tree", "HEAD"], settings: index)
        let excluded = [".build", ".lane"] + made
        let status = try git.run(
            plain + [
                "status", "--porcelain=v2", "-z", "--untracked-files=normal", "--ignore-submodules=none", "--", ":/",
            ] + excluded.map { ":(exclude,literal)\($0)" }, settings: index)
        return GitStatus(porcelain: status.standardOutput).changes
    }
}
