import Archives
import Git
import OperatingSystem

/// The build directory of a release that failed, for the next attempt. The tests of a release are then built
/// incrementally. Archives are always built from scratch.
struct KeptBuild {
    let paths: TransactionPaths

    private var directory: String { "\(paths.home)/build" }
    private var build: String { "\(paths.package)/.build" }
    /// The prefix of the directories of `lane`, such as that of archives.
    private static let own = "lane-"
    /// The file with the path of the package in the private worktree.
    private static let place = "lane-place"

    /// Moves the build directory out of the private worktree.
    func keep() throws(FileError) {
        guard isDirectory(build) else { return }
        for name in try listDirectory(build) where name.hasPrefix(Self.own) { try removeTree("\(build)/\(name)") }
        try removeTree(directory)
        // A build directory contains absolute paths.
        try writeFile("\(paths.package)\n", to: "\(build)/\(Self.place)")
        try moveFile(build, to: directory)
    }

    /// Moves the build directory into the private worktree, whose files get times by their contents.
    func restore() throws(OperationFailure) {
        let place = try? readText("\(directory)/\(Self.place)")
        guard isDirectory(directory), place == "\(paths.package)\n", !fileExists(build) else { return try remove() }
        try convertingFileErrors { () throws(FileError) in try moveFile(directory, to: build) }
    }

    /// Sets the times of the files in git, so that an unchanged file is up to date in a kept build directory.
    func setTimes(_ git: Git) throws(OperationFailure) {
        let files = try git.run(["ls-files", "-z", "--recurse-submodules"]).standardOutput.split(separator: 0)
            .map { "\(paths.worktree)/\(String(pathBytes: $0))" }
        try convertingFileErrors { () throws(FileError) in
            for file in files where fileKind(file) == .file { try ContentTime.set(of: file) }
        }
    }

    /// Removes the kept build directory.
    func remove() throws(OperationFailure) {
        try convertingFileErrors { () throws(FileError) in try removeTree(directory) }
    }
}
