package import Files
package import Git
package import LaneRun

import LaneModel
import Processes
import Text

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A worktree in the git directory, in which commits are checked out and built one after another.
///
/// Ignored files, such as those of builds, are kept from commit to commit. The user's checkout is not changed. The
/// caller ensures that no other process uses the worktree, and removes it at the end with `remove`, which also removes
/// the worktree of a killed process.
package struct PrivateWorktree: Sendable {
    /// The directory that contains the worktree and its lock.
    package let home: String
    private let repository: Repository
    private let git: Git

    /// Creates the description of a worktree for a purpose, such as `bisect`. Does not create the worktree.
    package init(of repository: Repository, for purpose: String, git: Git) {
        home = "\(repository.commonDirectory)/lane/\(purpose)"
        self.repository = repository
        self.git = git
    }

    private var parent: String { "\(home)/worktree" }

    /// The root of the worktree. It has the same name as the checkout, because SwiftPM uses the directory's name for
    /// the package.
    private var root: String { "\(parent)/\(lastPathComponent(repository.topLevel))" }

    /// The directory of the package in the worktree.
    package var package: String { repository.prefix.isEmpty ? root : "\(root)/\(repository.prefix.dropLast())" }

    /// Checks out a commit. Creates the worktree for the first commit.
    package func checkOut(_ hash: String) throws(StepFailure) {
        // Hooks are disabled in the private worktree.
        let quietly = ["-c", "core.hooksPath=/dev/null"]
        if isDirectory(root) {
            let inside = git.inside(root)
            try inside.run(quietly + ["checkout", "--quiet", "--force", "--detach", hash])
            try inside.run(["clean", "-ffdq", "-e", ".build", "-e", ".lane"])
        } else {
            try convertingFileErrors { () throws(FileError) in try makeDirectories(parent) }
            try git.run(quietly + ["worktree", "add", "--quiet", "--force", "--detach", root, hash])
        }
        try setTimesByContent()
        guard fileExists("\(root)/.gitmodules") else { return }
        try copySubmodules()
        try git.inside(root).run(["submodule", "--quiet", "update", "--init", "--recursive", "--force"])
    }

    /// Replaces the lane files of the commit with those of a checkout, if the commit lacks a lane file that the checkout
    /// has. The next commit has its own lane files again.
    package func addLanes(of checkout: String, ifMissing file: String) throws(StepFailure) {
        guard isDirectory(package), !fileExists("\(package)/\(file)"), fileExists("\(checkout)/\(file)") else { return }
        try convertingFileErrors { () throws(FileError) in try removeTree("\(package)/Lanes") }
        try copy("\(checkout)/Lanes", to: "\(package)/Lanes")
        // The next checkout does not remove ignored files.
        try git.inside(package).run(["clean", "-ffdqX", "Lanes"])
    }

    private func copy(_ source: String, to target: String) throws(StepFailure) {
        let run = try git.shell("cp -R \(ShellWords.quoted(source)) \(ShellWords.quoted(target))")
        guard run.report.succeeded else { throw StepFailure(of: "cp", run) }
    }

    /// Sets the modification times of the files to values computed from git's hashes of their contents.
    ///
    /// A build directory outside the worktree is then up to date for files that do not differ. `swift build` does not
    /// notice a change within the same second (Swift 6.3), in which two commits may be checked out. Submodules keep
    /// their new times.
    private func setTimesByContent() throws(StepFailure) {
        for entry in try git.inside(root).text(["ls-files", "--stage", "-z"]).split(separator: "\0") {
            // `100644 HASH 0\tPATH`; links and submodules have other modes.
            let parts = entry.split(separator: "\t", maxSplits: 1)
            let words = parts[0].split(separator: " ")
            guard parts.count == 2, entry.hasPrefix("100"), words.count == 3,
                let number = UInt32(words[1].prefix(8), radix: 16)
            else { continue }
            // The times are in a range of about sixteen years from 2001, so none is in the future.
            let time = Double(1_000_000_000 + number % 500_000_000)
            let path = "\(root)/\(parts[1])"
            // A sparse checkout omits files.
            guard fileExists(path) else { continue }
            try convertingFileErrors { () throws(FileError) in try setModificationTime(of: path, to: time) }
        }
    }

    /// Copies the submodules of the checkout, so that those commits of them that it has need no network.
    private func copySubmodules() throws(StepFailure) {
        let modules = [repository.gitDirectory, repository.commonDirectory].map { "\($0)/modules" }
        let target = "\(try git.inside(root).text(["rev-parse", "--absolute-git-dir"]))/modules"
        guard let source = modules.first(where: isDirectory), !isDirectory(target) else { return }
        try copy(source, to: target)
    }

    /// Removes the worktree and git's record of it. Does nothing if there is none.
    ///
    /// The removal can be killed at any time and repeated, because records and directories are renamed before they are
    /// removed.
    package func remove() throws(FileError) {
        guard isDirectory(home) else { return }
        for (number, record) in records.enumerated() {
            try moveFile(record, to: unusedPath("\(home)/discarded.record-\(number)."))
        }
        if fileExists(parent) { try moveFile(parent, to: unusedPath("\(home)/discarded.worktree.")) }
        rmdir("\(repository.commonDirectory)/worktrees")
        for name in try listDirectory(home) where name.hasPrefix("discarded.") { try removeTree("\(home)/\(name)") }
    }

    /// The directories in which git records the worktree, including incomplete records. `git worktree prune` would also
    /// remove records of the user's worktrees on unmounted drives.
    private var records: [String] {
        let directory = "\(repository.commonDirectory)/worktrees"
        let name = lastPathComponent(root)
        return ((try? listDirectory(directory)) ?? []).filter { $0.hasPrefix(name) }.map { "\(directory)/\($0)" }
            .filter { record in
                guard let target = (try? readText("\(record)/gitdir"))?.lines.first, !target.isEmpty else {
                    return isDirectory(record) && fileExists(parent)
                }
                return [parent, resolvedPath(parent) ?? parent].contains { target.hasPrefix("\($0)/") }
            }
    }

    private func unusedPath(_ prefix: String, from number: Int = 0) -> String {
        fileExists("\(prefix)\(number)") ? unusedPath(prefix, from: number + 1) : "\(prefix)\(number)"
    }
}
