import Git
import OperatingSystem

/// The changes that the `commit` action adds to the index.
///
/// Only `.` and the names of changed files are passed to `git add`. If a pathspec names an ignored directory, even one
/// to exclude, `git add` fails as soon as that directory exists.
struct ChangeStaging {
    let git: Git

    /// Stages all changes below the directory, except build products, packages and the state of `lane`, even if
    /// `.gitignore` does not list them.
    func stageAll() throws(OperationFailure) {
        let changes = try changes(of: ["."])
        let committed = changes.filter { !$0.isProduct }
        if committed.count == changes.count {
            try git.run(["add", "--all", "--", "."])
        } else {
            try add(committed)
        }
    }

    /// Stages the changes of files. Throws an error if a pathspec matches no file that can be committed.
    func stage(_ files: [String]) throws(OperationFailure) {
        let run = try git.attempt(["add", "--all", "--"] + files)
        if run.report.succeeded { return }
        // Git also fails with status 1 if a tracked file is in an ignored directory, or if a pathspec excludes one.
        let names = ["ls-files", "--cached", "--others", "--exclude-standard", "--error-unmatch", "--"]
        guard run.report.stoppedBy == nil, run.report.status == 1,
            try git.attempt(names + files).report.succeeded
        else { throw OperationFailure(of: "git add", run) }
        try add(changes(of: files))
    }

    /// Returns the changed and the untracked files that match pathspecs. Git ignores none of them.
    private func changes(of files: [String]) throws(OperationFailure) -> [Change] {
        let kinds = ["--modified", "--deleted", "--others", "--exclude-standard"]
        return try git.run(["ls-files", "-z", "-t"] + kinds + ["--"] + files).standardOutput.split(separator: 0)
            .map(Change.init)
    }

    /// Adds files by their names. A tracked file in an ignored directory needs `--force`.
    private func add(_ changes: [Change]) throws(OperationFailure) {
        guard !changes.isEmpty else { return }
        try git.run(
            ["add", "--all", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"],
            input: Array(changes.map(\.path).joined(separator: [0])), settings: ["GIT_LITERAL_PATHSPECS": "1"])
    }

    init(_ git: Git) { self.git = git }

    /// A line of `git ls-files -t`. The path is relative to the directory of git, and may not be UTF-8.
    private struct Change {
        let isTracked: Bool
        let path: ArraySlice<UInt8>

        init(_ line: ArraySlice<UInt8>) {
            isTracked = line.first != UInt8(ascii: "?")
            path = line.dropFirst(2)
        }

        /// A Boolean value that indicates whether the file was created by a build, by `package` or by `lane`. A nested
        /// package also has build products.
        var isProduct: Bool {
            let components = path.split(separator: UInt8(ascii: "/"))
            guard let first = components.first else { return false }
            if [".build", ".lane", "dist"].contains(where: { first.elementsEqual($0.utf8) }) { return true }
            return !isTracked
                && components.contains { $0.elementsEqual(".build".utf8) || $0.elementsEqual(".lane".utf8) }
        }
    }
}
