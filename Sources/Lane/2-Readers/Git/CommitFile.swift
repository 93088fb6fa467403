package import OperatingSystem
import Text

/// A file of a commit. It is read from the repository's objects, so configuration and changes in the checkout do not
/// affect it.
package struct CommitFile: Sendable {
    /// The kind of a file in git.
    package enum Kind: Sendable, Equatable { case file, executable, link }

    /// The path relative to the package.
    package fileprivate(set) var path: String
    package let kind: Kind
    let object: String
    /// The size of the content in bytes.
    package let size: Int
    /// A Boolean value that indicates whether the file is in archives. The attribute `export-ignore` excludes it.
    package internal(set) var isExported = true
    /// A Boolean value that indicates whether `$Format:…$` stands for data of the commit, by the attribute
    /// `export-subst`.
    var hasPlaceholders = false
    /// A Boolean value that indicates whether the commit contains only a Git LFS pointer.
    package internal(set) var isLarge = false
}

/// The files of one repository at a commit.
package struct CommitFiles: Sendable {
    /// The repository of the package, or a submodule.
    package let git: Git
    private let commit: String
    /// The tag that the commit gets, or `nil` if it is unknown.
    private var tag: String?
    /// The files, with paths relative to the package.
    package let files: [CommitFile]

    /// Returns the files of a package at HEAD, and the files of its submodules at their recorded commits.
    ///
    /// - Parameters:
    ///   - tag: The tag that the commit gets, for placeholders. `nil` stands for the tags of the repository.
    ///   - directory: A temporary directory for git, whose contents are replaced.
    ///   - missing: An array to which the paths of missing submodules are appended.
    package static func read(
        of git: Git, tag: String? = nil, notes directory: String, missing: inout [String]
    ) throws(OperationFailure) -> [CommitFiles] {
        var all = try read(of: git, at: "HEAD", below: "", notes: directory, missing: &missing)
        all[0].tag = tag
        return all
    }

    private static func read(
        of git: Git, at commit: String, below prefix: String, notes directory: String, missing: inout [String]
    ) throws(OperationFailure) -> [CommitFiles] {
        let listed = try git.attempt(["ls-tree", "-r", "-l", "-z", commit])
        guard listed.report.succeeded else {
            guard !prefix.isEmpty, listed.report.stoppedBy == nil else {
                throw OperationFailure(of: "git ls-tree", listed)
            }
            throw .refused([
                "the submodule '\(prefix.dropLast())' does not contain the commit \(commit.prefix(12))\n"
                    + "hint: git submodule update --init --recursive"
            ])
        }
        var (files, submodules) = try entries(in: listed.standardOutput)
        try CommitAttributes(git: git, commit: commit, directory: directory).apply(to: &files)
        for index in files.indices { files[index].path = prefix + files[index].path }
        var all = [CommitFiles(git: git, commit: commit, files: files)]
        for (path, commit) in submodules {
            guard let inner = git.submodule(at: path) else {
                missing.append(prefix + path)
                continue
            }
            all += try read(of: inner, at: commit, below: "\(prefix)\(path)/", notes: directory, missing: &missing)
        }
        return all
    }

    /// Returns the files of a directory at a commit, without attributes and submodules. The result is empty if the
    /// directory does not exist.
    package static func list(_ directory: String, of git: Git, at commit: String) throws(OperationFailure)
        -> CommitFiles
    {
        let listed = try git.run(["ls-tree", "-r", "-l", "-z", "--full-tree", commit, "--", "\(directory)/"])
        return CommitFiles(git: git, commit: commit, files: try entries(in: listed.standardOutput).files)
    }

    /// Parses the output of `git ls-tree -l -z`.
    private static func entries(
        in output: [UInt8]
    ) throws(OperationFailure) -> (files: [CommitFile], submodules: [(path: String, commit: String)]) {
        var files: [CommitFile] = []
        var submodules: [(path: String, commit: String)] = []
        for record in output.split(separator: 0) {
            let entry = try TreeEntry(record)
            switch entry.mode {
            case "160000": submodules.append((entry.path, entry.object))
            case "120000": files.append(entry.file(.link))
            case "100755": files.append(entry.file(.executable))
            default: files.append(entry.file(.file))
            }
        }
        return (files, submodules)
    }

    /// The maximum size in bytes of the objects in one request.
    private static let batchSize = 32 << 20

    /// Returns a content with the data of the commit in place of each `$Format:…$`, like `git archive`.
    private func expanded(_ content: [UInt8]) throws(OperationFailure) -> [UInt8] {
        let mark = Array("$Format:".utf8)
        var result: [UInt8] = []
        var index = 0
        while index < content.count {
            guard content[index] == mark[0], content[index...].starts(with: mark),
                let end = content[(index + mark.count)...].firstIndex(of: UInt8(ascii: "$"))
            else {
                result.append(content[index])
                index += 1
                continue
            }
            let format = Array(content[(index + mark.count)..<end])
            let text = String(
                decoding: tag.map { ReferencePlaceholders.expanded(format, tag: $0) } ?? format, as: UTF8.self)
            // Branches and the remotes that are known here must not affect the bytes.
            let log = [
                "log", "-1", "--no-show-signature", "--encoding=UTF-8", "--decorate-refs=refs/tags/",
                "--format=tformat:\(text)", commit, "--",
            ]
            let settings = ["-c", "core.abbrev=12", "-c", "log.date=default"]
            let output = try git.run(settings + log).standardOutput
            result += output.last == UInt8(ascii: "\n") ? output.dropLast() : output[...]
            index = end + 1
        }
        return result
    }

    /// Reads the contents of all files in several requests.
    package func forEachContent(_ body: (CommitFile, [UInt8]) throws(OperationFailure) -> Void) throws(OperationFailure)
    {
        var rest = files[...]
        while !rest.isEmpty {
            var size = 0
            let batchSize = rest.prefix { file in
                defer { size += file.size }
                return size == 0 || size + file.size <= Self.batchSize
            }
            rest = rest.dropFirst(batchSize.count)
            let names = batchSize.map { $0.object + "\n" }.joined()
            let output = try git.run(["cat-file", "--batch"], input: Array(names.utf8)).standardOutput
            var start = output.startIndex
            for file in batchSize {
                // Each answer is a line with the object's size, followed by its bytes and a line feed.
                guard let line = output[start...].firstIndex(of: UInt8(ascii: "\n")),
                    output.count - line > file.size + 1
                else { throw OperationFailure("git does not have the content of '\(file.path)'") }
                start = line + 1
                let content = Array(output[start..<(start + file.size)])
                try body(file, file.hasPlaceholders && file.kind != .link ? expanded(content) : content)
                start += file.size + 1
            }
        }
    }
}

/// A line of `git ls-tree -l`.
private struct TreeEntry {
    let mode: String
    let object: String
    let size: Int
    let path: String

    init(_ record: ArraySlice<UInt8>) throws(OperationFailure) {
        let parts = record.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
        let words = (parts.first ?? []).split(separator: UInt8(ascii: " "))
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 2, words.count == 4 else { throw OperationFailure("git ls-tree did not list files") }
        guard let path = String(validating: parts[1], as: UTF8.self) else {
            let repaired = String(decoding: parts[1], as: UTF8.self)
            throw .refused(["the name of '\(repaired)' is not UTF-8, so it cannot be packaged\nhint: git mv"])
        }
        (mode, object, size) = (words[0], words[2], Int(words[3]) ?? 0)
        self.path = path
    }

    func file(_ kind: CommitFile.Kind) -> CommitFile {
        CommitFile(path: path, kind: kind, object: object, size: size)
    }
}

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
            "rev-parse", Git.absolutePaths, "--show-object-format", "--git-path", "objects",
        ])
        .lines
        guard store.count == 2 else { throw try git.tooOld() }
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
        try convertingFileErrors(of: removeTree(directory))
        let fields = output.standardOutput.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        var found: [String: [String: String]] = [:]
        for index in stride(from: 0, to: fields.count - 2, by: 3) {
            found[String(fields[index].dropFirst(prefix.count)), default: [:]][fields[index + 1]] = fields[index + 2]
        }
        return found
    }
}

/// The placeholders of `git log` that stand for references: `%D`, `%d` and `%(describe)`.
///
/// A release is packaged before its tag exists in the repository.
enum ReferencePlaceholders {
    /// Returns a format with a tag in place of these placeholders.
    static func expanded(_ format: [UInt8], tag: String) -> [UInt8] {
        let tag = tag.utf8.flatMap { $0 == UInt8(ascii: "%") ? [$0, $0] : [$0] }
        var result: [UInt8] = []
        var rest = format[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            if rest.starts(with: "(describe".utf8), let end = rest.firstIndex(of: UInt8(ascii: ")")) {
                result += tag
                rest = rest[(end + 1)...]
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "D")?: result += Array("tag: ".utf8) + tag
            case UInt8(ascii: "d")?: result += Array(" (tag: ".utf8) + tag + [UInt8(ascii: ")")]
            case let next?: result += [byte, next]
            case nil: result.append(byte)
            }
        }
        return result
    }
}
