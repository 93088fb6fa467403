import Archives
import CLibrary
import Events
import Git
import OperatingSystem
import SwiftPackages
import Text

/// A copy of the last commit's files, in a directory with the name of the package. A build of the copy does not depend
/// on uncommitted changes, the name of the checkout, or git's configuration.
///
/// The copy is kept, and only differences are written. The next build is therefore incremental.
struct SourceCopy: Sendable {
    /// The directory of the copy.
    let path: String
    /// The relative paths of all files, sorted.
    private(set) var files: [String]
    /// The files for archives, without those with the attribute `export-ignore`.
    private(set) var exported: [String]
    /// The files of the commit that the copy lacks.
    private(set) var missing: OmittedSources

    /// - Parameter tag: The tag that the commit gets, if it is known.
    static func make(
        named name: String, in directory: String, git: Git, tag: String? = nil
    ) throws(OperationFailure) -> SourceCopy {
        var missing: [String] = []
        let parts = try CommitFiles.read(of: git, tag: tag, notes: "\(directory)/.attributes", missing: &missing)
        let all = parts.flatMap(\.files)
        var copy = SourceCopy(
            path: "\(directory)/\(name)", files: all.map(\.path).sorted(),
            exported: all.filter(\.isExported).map(\.path).sorted(), missing: OmittedSources(submodules: missing))
        try convertingFileErrors { () throws(FileError) in
            try copy.removeBuildsOfOtherDirectories(notedIn: "\(directory)/.place")
            try makeDirectories(copy.path)
            // The build directory would still contain the objects of removed sources.
            if try copy.removeUnknownFiles() { try removeTree("\(copy.path)/.build") }
        }
        var pointers: [String] = []
        var links: [String: String] = [:]
        for part in parts {
            try part.forEachContent { [copy] (file, bytes) throws(OperationFailure) in
                var bytes = bytes
                if file.kind == .link {
                    links[file.path] = String(decoding: bytes, as: UTF8.self)
                    return
                }
                if file.isLarge, let digest = LargeFile.digest(inPointer: bytes) {
                    guard let content = try LargeFile.content(digest, of: part.git) else {
                        pointers.append(file.path)
                        return
                    }
                    bytes = content
                }
                try convertingFileErrors(of: copy.update(file, bytes))
            }
        }
        guard pointers.isEmpty else { throw LargeFile.refusal(of: pointers) }
        try convertingFileErrors(of: copy.makeLinks(links))
        return copy
    }

    /// Creates the links that stay within the package, and removes the others.
    private mutating func makeLinks(_ links: [String: String]) throws(FileError) {
        missing.links = OmittedSources.outward(links)
        for (link, target) in links {
            let path = "\(path)/\(link)"
            let isOutward = missing.links[link] != nil
            if !isOutward, fileKind(path) == .link, try linkTarget(path) == target { continue }
            try removeTree(path)
            if isOutward { continue }
            try makeDirectories(parentDirectory(path))
            guard symlink(target, path) == 0 else { throw FileError("write", path) }
        }
        files.removeAll { missing.links[$0] != nil }
        exported.removeAll { missing.links[$0] != nil }
    }

    /// Removes build directories after the checkout was moved or copied, because they contain absolute paths.
    private func removeBuildsOfOtherDirectories(notedIn note: String) throws(FileError) {
        guard (try? readText(note)) != path else { return }
        try removeTree("\(path)/.build")
        try makeDirectories(parentDirectory(note))
        try writeFile(path, to: note)
    }

    private func update(_ file: CommitFile, _ bytes: [UInt8]) throws(FileError) {
        let target = "\(path)/\(file.path)"
        let isProgram = file.kind == .executable
        if fileKind(target) == .file, isExecutable(target) == isProgram, try readFile(target) == bytes { return }
        try makeDirectories(parentDirectory(target))
        try removeTree(target)
        try writeFile(bytes, to: target, mode: isProgram ? 0o755 : 0o644)
    }

    /// Removes files that are not in the commit. Returns `true` if there were any.
    private func removeUnknownFiles() throws(FileError) -> Bool {
        let known = Set(files)
        var directories: Set<String> = []
        for file in files {
            var directory = parentDirectory(file)
            while directory != ".", directories.insert(directory).inserted { directory = parentDirectory(directory) }
        }
        var removed = false
        func clean(_ prefix: String) throws(FileError) {
            for name in try listDirectory(prefix.isEmpty ? path : "\(path)/\(prefix)") {
                let entry = prefix.isEmpty ? name : "\(prefix)/\(name)"
                if entry == ".build" || known.contains(entry) { continue }
                if directories.contains(entry), fileKind("\(path)/\(entry)") == .directory {
                    try clean(entry)
                } else {
                    try removeTree("\(path)/\(entry)")
                    removed = true
                }
            }
        }
        try clean("")
        return removed
    }
}

/// A file whose content is stored in Git LFS by its SHA-256 hash.
enum LargeFile {
    /// Returns the hash in a Git LFS pointer, or `nil` for any other content.
    static func digest(inPointer bytes: [UInt8]) -> String? {
        guard bytes.count < 1024, bytes.starts(with: "version https://git-lfs.github.com/spec/v1".utf8) else {
            return nil
        }
        let mark = "oid sha256:"
        let line = String(decoding: bytes, as: UTF8.self).lines.first { $0.hasPrefix(mark) }
        return line.map { String($0.dropFirst(mark.utf8.count)) }.flatMap { $0.utf8.count == 64 ? $0 : nil }
    }

    /// Returns the content with a hash, or `nil` if the content was not fetched or is damaged.
    static func content(_ digest: String, of git: Git) throws(OperationFailure) -> [UInt8]? {
        let directory = try git.text(["rev-parse", "--path-format=absolute", "--git-common-dir"])
        let path = "\(directory)/lfs/objects/\(digest.prefix(2))/\(digest.dropFirst(2).prefix(2))/\(digest)"
        guard let bytes = try? readFile(path), SHA256.digest(of: bytes).description == digest else { return nil }
        return bytes
    }

    static func refusal(of paths: [String]) -> OperationFailure {
        .refused(
            paths.map { "'\($0)' is a Git LFS pointer whose content was not fetched\nhint: git lfs pull" })
    }
}

/// The files of a commit that its copy lacks.
struct OmittedSources: Sendable, Equatable {
    /// The paths of submodules that are not checked out.
    let submodules: [String]
    /// The targets of links that lead out of the package, by path.
    var links: [String: String] = [:]

    private static let hint = "hint: git submodule update --init --recursive"

    /// Returns the links that lead out of the package.
    static func outward(_ links: [String: String]) -> [String: String] {
        let relative = links.filter { !$0.value.hasPrefix("/") }
        let byBytes = Dictionary(uniqueKeysWithValues: relative.map { (Array($0.key.utf8), $0.value) })
        return links.filter { link, target in
            relative[link] == nil || target.isEmpty
                || !ArchivePath.staysInside(link, target: target, through: byBytes)
        }
    }

    /// Throws an error if submodules are missing, without which SwiftPM cannot describe the package.
    func requireDescribable() throws(OperationFailure) {
        guard !submodules.isEmpty else { return }
        let names = list(submodules.map { "'\($0)'" }, joinedBy: "and")
        throw .refused(["the package needs the submodules \(names), which are not checked out\n\(Self.hint)"])
    }

    /// Throws an error if a target lacks sources.
    ///
    /// - Parameter targets: The targets that are built.
    func refuse(for targets: [PackageDescription.Target]) throws(OperationFailure) {
        var problems: [String] = []
        for target in targets {
            for submodule in submodules where target.covers(submodule) || path(target.path, isBelow: submodule) {
                problems.append(
                    """
                    the target '\(target.name)' needs the submodule '\(submodule)', which is not checked out
                    \(Self.hint)
                    """)
            }
            for (link, destination) in links.sorted(by: { $0.key < $1.key }) where target.covers(link) {
                problems.append(
                    """
                    the link '\(link)' of the target '\(target.name)' leads out of the package, to '\(destination)'
                    hint: commit a copy of the file instead of the link, or exclude it from the target
                    """)
            }
        }
        guard problems.isEmpty else { throw .refused(problems) }
    }

    /// Reports missing files as warnings.
    func warn(_ tools: ToolRunner) {
        if !submodules.isEmpty {
            let names = list(submodules.map { "'\($0)'" }, joinedBy: "and")
            tools.report(.warning, "omitted submodules that are not checked out: \(names)\n\(Self.hint)")
        }
        if !links.isEmpty {
            let names = list(links.keys.sorted().map { "'\($0)'" }, joinedBy: "and")
            tools.report(
                .warning, "omitted links out of the package: \(names)")
        }
    }
}

/// Returns the path of a file beside another one, relative to the same directory.
func sibling(_ name: String, of path: String) -> String {
    let directory = parentDirectory(path)
    return directory == "." ? name : "\(directory)/\(name)"
}

/// Returns a Boolean value that indicates whether a relative path is equal to `directory` or inside it.
func path(_ path: String, isBelow directory: String) -> Bool {
    directory == "." || path == directory || path.hasPrefix(directory + "/")
}

extension PackageDescription.Target {
    /// Returns a Boolean value that indicates whether a file or directory of the package belongs to the target.
    func covers(_ file: String) -> Bool {
        guard Packaging.path(file, isBelow: path) else { return false }
        let rest = path == "." ? file : String(file.dropFirst(path.utf8.count + 1))
        if excluded.contains(where: { Packaging.path(rest, isBelow: $0) }) { return false }
        return declaredSources.map { $0.contains { Packaging.path(rest, isBelow: $0) } } ?? true
    }
}
