import Files

/// The files below a folder with their stamps. The difference of two snapshots is what changed between them.
///
/// Links to folders are files of the snapshot, and what lies behind them is part of it; each folder is entered once.
struct TreeSnapshot {
    /// As many links as Linux follows itself.
    private static let mostLinks = 40

    /// By the bytes of the path relative to the root: two spellings of one letter are one text to `String`.
    private var files: [[UInt8]: FileStamp] = [:]
    /// Relative to the root, which is the empty path.
    private var folders: [String] = [""]
    /// Absolute: where the links' targets are, which may be replaced there.
    private var targetFolders: Set<String> = []
    private let root: String

    /// Leaves out names that begin with a dot or end with a tilde, as editors' own files do, and folders of these names.
    init(root: String, ignoring ignored: Set<String>) {
        self.root = root
        let ancestors = DirectoryIdentity.ancestors(of: root)
        var visited: Set<DirectoryIdentity> = []
        var links: [String] = []
        var next = 0
        while next < folders.count {
            let folder = folders[next]
            next += 1
            if let identity = DirectoryIdentity(place(folder)) { visited.insert(identity) }
            for name in (try? listDirectory(place(folder))) ?? [] {
                guard !name.hasPrefix("."), !name.hasSuffix("~"), !ignored.contains(name) else { continue }
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                if add(path) { links.append(path) }
            }
            // The folders that links lead to come last, so that a folder is listed by its own path where it has one.
            while next == folders.count, let link = links.popLast() {
                guard let identity = DirectoryIdentity(place(link)), !ancestors.contains(identity),
                    visited.insert(identity).inserted
                else { continue }
                folders.append(link)
            }
        }
    }

    /// Adds a file or notes a folder; true for a link to a folder.
    private mutating func add(_ path: String) -> Bool {
        let place = place(path)
        let kind = fileKind(place)
        if kind == .directory {
            folders.append(path)
            return false
        }
        guard var stamp = FileStamp(place) else { return false }
        if kind == .link { noteTargets(of: place) }
        let isLinkToFolder = stamp.isDirectory
        if isLinkToFolder, let link = FileStamp(ofLink: place) { stamp = link }
        files[Array(path.utf8)] = stamp.isSpecial ? stamp.ofKind : stamp
        return isLinkToFolder
    }

    /// Folders in which a link's target, or that of a link on the way to it, may be replaced or made.
    private mutating func noteTargets(of link: String) {
        var link = link
        for _ in 0..<Self.mostLinks {
            guard let target = try? linkTarget(link) else { return }
            link = path(target, below: parentDirectory(link))
            var folder = parentDirectory(link)
            while !isDirectory(folder), folder != "/" { folder = parentDirectory(folder) }
            targetFolders.insert(folder)
        }
    }

    private func place(_ path: String) -> String { path.isEmpty ? root : "\(root)/\(path)" }

    /// The absolute paths of all folders in which something may happen that makes another snapshot.
    var watchedFolders: Set<String> { targetFolders.union(folders.map(place)) }

    /// Returns the files that are new, gone or otherwise here, in the order of their names.
    func changes(since other: TreeSnapshot) -> [String] {
        let changed = files.filter { other.files[$0.key] != $0.value }.map(\.key)
        let gone = other.files.keys.filter { files[$0] == nil }
        return distinctPaths((changed + gone).map { String(decoding: $0, as: UTF8.self) })
    }
}

extension FileStamp {
    /// The stamp without what changes when a pipe or device is used.
    fileprivate var ofKind: FileStamp {
        var stamp = FileStamp()
        stamp.mode = kind
        return stamp
    }
}
