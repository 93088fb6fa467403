import Files
import LaneRun
import Processes

/// Differences between the checkout and its last commit, also those that git was told to pass over.
enum CheckoutChanges {
    /// Compares every file with the commit through an index of its own, in which none is marked `assume-unchanged` or
    /// `skip-worktree`, and none is known to be unchanged.
    ///
    /// - Parameters:
    ///   - made: Paths that do not count, relative to git's directory.
    ///   - folder: A directory for the index.
    static func read(_ git: Git, except made: [String], in folder: String) throws(StepFailure) -> [String] {
        let index = ["GIT_INDEX_FILE": "\(folder)/index"]
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
