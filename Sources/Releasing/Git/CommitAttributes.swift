import Files
import LaneRun
import Processes

/// The attributes that a commit's `.gitattributes` give its files, whatever the person and the checkout add to them.
struct CommitAttributes {
    let git: Git
    let commit: String
    /// A folder for an empty repository that shares the objects; emptied.
    let folder: String

    private static let names = ["export-ignore", "filter"]

    func apply(to files: inout [CommitFile]) throws(StepFailure) {
        let prefix = try git.text(["rev-parse", "--show-prefix"])
        // Attributes may also stand above a package that is not all of its repository.
        guard !prefix.isEmpty || files.contains(where: { lastPathComponent($0.path) == ".gitattributes" }) else {
            return
        }
        // As in `git archive`, what is said of a folder holds for all that is in it.
        let folders = Set(files.flatMap { Self.folders(of: $0.path) })
        let found = try attributes(of: files.map(\.path) + folders.sorted(), below: prefix)
        for index in files.indices {
            let path = files[index].path
            files[index].isExported = !([path] + Self.folders(of: path)).contains {
                found[$0]?["export-ignore"] == "set"
            }
            files[index].isLarge = found[path]?["filter"] == "lfs"
        }
    }

    /// The folders on the way to a file, each with a slash at its end.
    private static func folders(of path: String) -> [String] {
        path.indices.filter { path[$0] == "/" }.map { String(path[...$0]) }
    }

    private func attributes(
        of paths: [String], below prefix: String
    ) throws(StepFailure) -> [String: [String: String]] {
        let store = try git.text([
            "rev-parse", "--path-format=absolute", "--show-object-format", "--git-path", "objects",
        ])
        .lines
        guard store.count == 2 else { throw StepFailure("git rev-parse did not name the objects") }
        try onFiles { () throws(FileError) in
            try removeTree(folder)
            try makeDirectories(parentDirectory(folder))
        }
        try git.run(["init", "--quiet", "--bare", "--template=", "--object-format=\(store[0])", folder])
        let settings = [
            "GIT_DIR": folder, "GIT_OBJECT_DIRECTORY": store[1], "GIT_INDEX_FILE": "\(folder)/index",
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1",
            "GIT_CONFIG_COUNT": "0",
        ]
        // The user's own attributes lie in this folder where nothing names another one.
        let isolation = ["-c", "core.attributesFile=/dev/null"]
        let tree = try git.text(["rev-parse", "--verify", "\(commit)^{tree}"])
        try git.run(isolation + ["read-tree", tree], settings: settings)
        let input = paths.flatMap { path -> [UInt8] in Array((prefix + path).utf8) + [0] }
        let output = try git.run(
            isolation + ["check-attr", "--cached", "-z", "--stdin"] + Self.names, input: input, settings: settings)
        try onFiles { () throws(FileError) in try removeTree(folder) }
        let fields = output.standardOutput.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        var found: [String: [String: String]] = [:]
        for index in stride(from: 0, to: fields.count - 2, by: 3) {
            found[String(fields[index].dropFirst(prefix.count)), default: [:]][fields[index + 1]] = fields[index + 2]
        }
        return found
    }
}
