import OperatingSystem

/// A snapshot of the files below a directory and their stamps. Two snapshots differ in the changed files.
///
/// The snapshot contains links to directories and the files in the linked directories. It lists each directory once. It
/// also contains all files that match the declared patterns.
struct TreeSnapshot {
    /// The maximum number of links in a path that Linux follows.
    private static let maximumLinks = 40

    /// The stamps by the bytes of the paths, relative to the root. `String` would equate different Unicode forms of a
    /// name.
    private var files: [[UInt8]: FileStamp] = [:]
    /// The directories, relative to the root, which is the empty path.
    private var directories: [String] = [""]
    /// The absolute paths of the directories that contain the targets of links or files that match patterns.
    private var otherDirectories: Set<String> = []
    /// The files that match the declared patterns.
    private(set) var declared: Set<[UInt8]> = []
    private let root: String

    /// Creates a snapshot without files whose names start with a dot or end with a tilde, which are mostly files of
    /// editors, unless they match a pattern.
    ///
    /// - Parameter ignored: The directories that are skipped, relative to the root.
    init(root: String, ignoring ignored: Set<String>, declared patterns: [FilePattern] = []) {
        self.root = root
        let ancestors = FileIdentity.ancestors(of: root)
        var visited: Set<FileIdentity> = []
        var links: [String] = []
        var next = 0
        while next < directories.count {
            let directory = directories[next]
            next += 1
            if let identity = FileIdentity(directory: absolute(directory)) { visited.insert(identity) }
            for name in (try? listDirectory(absolute(directory))) ?? [] {
                let path = directory.isEmpty ? name : "\(directory)/\(name)"
                guard !name.hasPrefix("."), !name.hasSuffix("~"), !ignored.contains(path) else { continue }
                if add(path) { links.append(path) }
            }
            // Links are followed last, so a directory is listed by its own path if it has one.
            while next == directories.count, let link = links.popLast() {
                guard let identity = FileIdentity(directory: absolute(link)), !ancestors.contains(identity),
                    visited.insert(identity).inserted
                else { continue }
                directories.append(link)
            }
        }
        for pattern in patterns { add(pattern) }
    }

    private mutating func add(_ pattern: FilePattern) {
        for file in pattern.files(below: root, followsLinks: true) {
            let path = file.hasPrefix("./") ? String(file.dropFirst(2)) : file
            declared.insert(Array(path.utf8))
            _ = add(path)
        }
        otherDirectories.formUnion(pattern.directories(below: root).map(absolute))
    }

    /// Adds a file or directory. Returns `true` for a link to a directory.
    private mutating func add(_ path: String) -> Bool {
        let absolute = absolute(path)
        let kind = fileKind(absolute)
        if kind == .directory {
            directories.append(path)
            return false
        }
        guard var stamp = FileStamp(absolute) else { return false }
        if kind == .link { addTargets(of: absolute) }
        let isLinkToDirectory = stamp.isDirectory
        if isLinkToDirectory, let link = FileStamp(ofLink: absolute) { stamp = link }
        files[Array(path.utf8)] = stamp.isSpecial ? stamp.ofKind : stamp
        return isLinkToDirectory
    }

    /// Adds the directories in which the target of a link, or of an intermediate link, can be created or replaced.
    private mutating func addTargets(of link: String) {
        var link = link
        for _ in 0..<Self.maximumLinks {
            guard let target = try? linkTarget(link) else { return }
            link = path(target, relativeTo: parentDirectory(link))
            var directory = parentDirectory(link)
            while !isDirectory(directory), directory != "/" { directory = parentDirectory(directory) }
            otherDirectories.insert(directory)
        }
    }

    private func absolute(_ file: String) -> String { file.isEmpty ? root : path(file, relativeTo: root) }

    /// The absolute paths of all directories whose events may change the snapshot.
    var watchedDirectories: Set<String> { otherDirectories.union(directories.map(absolute)) }

    /// The files, in the order of their names.
    var paths: [String] { distinctPaths(files.keys.map { String(decoding: $0, as: UTF8.self) }) }

    /// Adds the declared files of another snapshot that this one does not contain.
    mutating func addDeclared(of other: TreeSnapshot) {
        declared = other.declared
        otherDirectories.formUnion(other.otherDirectories)
        for file in declared where files[file] == nil { files[file] = other.files[file] }
    }

    /// Returns the files that were created, removed or changed, in the order of their names.
    func changes(since other: TreeSnapshot) -> [String] {
        let changed = files.filter { other.files[$0.key] != $0.value }.map(\.key)
        let gone = other.files.keys.filter { files[$0] == nil }
        return distinctPaths((changed + gone).map { String(decoding: $0, as: UTF8.self) })
    }
}

extension FileStamp {
    /// The stamp with only the file type, because using a pipe or device changes all other metadata.
    fileprivate var ofKind: FileStamp {
        var stamp = FileStamp()
        stamp.mode = kind
        return stamp
    }
}
