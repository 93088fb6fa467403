import Files

/// The files below a directory with their stamps. The difference of two snapshots is the set of changed files.
///
/// Links to directories are files of the snapshot, and the files behind them are part of it. Each directory is entered
/// once.
struct TreeSnapshot {
    /// The greatest number of links in a path that Linux follows.
    private static let maximumLinks = 40

    /// The stamps by the bytes of the paths, relative to the root: `String` equates different Unicode forms of a name.
    private var files: [[UInt8]: FileStamp] = [:]
    /// The directories, relative to the root, which is the empty path.
    private var directories: [String] = [""]
    /// The absolute paths of the directories in which links' targets are.
    private var targetDirectories: Set<String> = []
    private let root: String

    /// Takes a snapshot without names that begin with a dot or end with a tilde, which are mostly editors' own files.
    init(root: String, ignoring ignored: Set<String>) {
        self.root = root
        let ancestors = DirectoryIdentity.ancestors(of: root)
        var visited: Set<DirectoryIdentity> = []
        var links: [String] = []
        var next = 0
        while next < directories.count {
            let directory = directories[next]
            next += 1
            if let identity = DirectoryIdentity(absolute(directory)) { visited.insert(identity) }
            for name in (try? listDirectory(absolute(directory))) ?? [] {
                guard !name.hasPrefix("."), !name.hasSuffix("~"), !ignored.contains(name) else { continue }
                let path = directory.isEmpty ? name : "\(directory)/\(name)"
                if add(path) { links.append(path) }
            }
            // Links come last, so that a directory is listed by its own path where it has one.
            while next == directories.count, let link = links.popLast() {
                guard let identity = DirectoryIdentity(absolute(link)), !ancestors.contains(identity),
                    visited.insert(identity).inserted
                else { continue }
                directories.append(link)
            }
        }
    }

    /// Adds a file or directory; true for a link to a directory.
    private mutating func add(_ path: String) -> Bool {
        let absolute = absolute(path)
        let kind = fileKind(absolute)
        if kind == .directory {
            directories.append(path)
            return false
        }
        guard var stamp = FileStamp(absolute) else { return false }
        if kind == .link { noteTargets(of: absolute) }
        let isLinkToDirectory = stamp.isDirectory
        if isLinkToDirectory, let link = FileStamp(ofLink: absolute) { stamp = link }
        files[Array(path.utf8)] = stamp.isSpecial ? stamp.ofKind : stamp
        return isLinkToDirectory
    }

    /// Notes the directories in which a link's target, or that of a link on the way to it, may be created or replaced.
    private mutating func noteTargets(of link: String) {
        var link = link
        for _ in 0..<Self.maximumLinks {
            guard let target = try? linkTarget(link) else { return }
            link = path(target, relativeTo: parentDirectory(link))
            var directory = parentDirectory(link)
            while !isDirectory(directory), directory != "/" { directory = parentDirectory(directory) }
            targetDirectories.insert(directory)
        }
    }

    private func absolute(_ path: String) -> String { path.isEmpty ? root : "\(root)/\(path)" }

    /// The absolute paths of all directories in which an event may change the snapshot.
    var watchedDirectories: Set<String> { targetDirectories.union(directories.map(absolute)) }

    /// Returns the files that were created, removed or changed, in the order of their names.
    func changes(since other: TreeSnapshot) -> [String] {
        let changed = files.filter { other.files[$0.key] != $0.value }.map(\.key)
        let gone = other.files.keys.filter { files[$0] == nil }
        return distinctPaths((changed + gone).map { String(decoding: $0, as: UTF8.self) })
    }
}

extension FileStamp {
    /// The stamp with only the kind, as the use of a pipe or device changes the rest.
    fileprivate var ofKind: FileStamp {
        var stamp = FileStamp()
        stamp.mode = kind
        return stamp
    }
}
