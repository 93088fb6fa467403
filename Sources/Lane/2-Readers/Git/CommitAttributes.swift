import OperatingSystem
import Text

/// The attributes of a commit's files according to its `.gitattributes`. Attributes of the user and the checkout are
/// ignored.
struct CommitAttributes {
    let git: Git
    let commit: String
    /// The directory for an empty repository that shares the objects. Its contents are replaced.
    let directory: String

    private static let names = ["export-ignore", "export-subst", "filter"]

    func apply(to files: inout [CommitFile]) throws(OperationFailure) {
        let prefix = try git.text(["rev-parse", "--show-prefix"])
        // A `.gitattributes` file may be in a directory above the package.
        guard !prefix.isEmpty || files.contains(where: { lastPathComponent($0.path) == ".gitattributes" }) else {
            return
        }
        // Like `git archive`, applies the attributes of a directory to its files.
        let directories = Set(files.flatMap { Self.directories(of: $0.path) })
        let found = try attributes(of: files.map(\.path) + directories.sorted(), below: prefix)
        for index in files.indices {
            let path = files[index].path
            files[index].isExported = !([path] + Self.directories(of: path)).contains {
                found[$0]?["export-ignore"] == "set"
            }
            files[index].hasPlaceholders = found[path]?["export-subst"] == "set"
            files[index].isLarge = found[path]?["filter"] == "lfs"
        }
    }

    /// Returns the directories of a path, each with a trailing slash.
    private static func directories(of path: String) -> [String] {
        path.indices.filter { path[$0] == "/" }.map { String(path[...$0]) }
    }

    private func attributes(
        of paths: [String], below prefix: String
    ) throws(OperationFailure) -> [String: [String: String]] {
        let store = try git.text([
            "rev-parse", "--path-format=absolute", "--show-object-format", "--git-path", "objects",
        ])
        .lines
        guard store.count == 2 else { throw OperationFailure("git rev-parse did not name the objects") }
        try convertingFileErrors { () throws(FileError) in
            try removeTree(directory)
            try makeDirectories(parentDirectory(directory))
        }
        try git.run(["init", "--quiet", "--bare", "--template=", "--object-format=\(store[0])", directory])
        let settings = [
            "GIT_DIR": directory, "GIT_OBJECT_DIRECTORY": store[1], "GIT_INDEX_FILE": "\(directory)/index",
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1",
            "GIT_CONFIG_COUNT": "0",
        ]
        // Without this setting, the user's attributes would apply.
        let isolation = ["-c", "core.attributesFile=/dev/null"]
        let tree = try git.text(["rev-parse", "--verify", "\(commit)^{tree}"])
        try git.run(isolation + ["read-tree", tree], settings: settings)
        let input = paths.flatMap { path -> [UInt8] in Array((prefix + path).utf8) + [0] }
        let output = try git.run(
            isolation + ["check-attr", "--cached", "-z", "--stdin"] + Self.names, input: input, settings: settings)
        try convertingFileErrors { () throws(FileError) in try removeTree(directory) }
        let fields = output.standardOutput.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        var found: [String: [String: String]] = [:]
        for index in stride(from: 0, to: fields.count - 2, by: 3) {
            found[String(fields[index].dropFirst(prefix.count)), default: [:]][fields[index + 1]] = fields[index + 2]
        }
        return found
    }
}
