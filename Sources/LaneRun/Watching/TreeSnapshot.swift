import Files

/// The files below a folder with their stamps: two of these tell what changed between them.
struct TreeSnapshot {
    private(set) var files: [String: FileStamp] = [:]
    /// Relative to the root, which is the empty path.
    private(set) var folders: [String] = [""]

    /// Leaves out names that begin with a dot or end with a tilde, as editors' own files do, and folders of these names.
    init(root: String, ignoring ignored: Set<String>) {
        var next = 0
        while next < folders.count {
            let folder = folders[next]
            next += 1
            for name in (try? listDirectory(folder.isEmpty ? root : "\(root)/\(folder)")) ?? [] {
                guard !name.hasPrefix("."), !name.hasSuffix("~"), !ignored.contains(name) else { continue }
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                if fileKind("\(root)/\(path)") == .directory {
                    folders.append(path)
                } else {
                    files[path] = FileStamp("\(root)/\(path)")
                }
            }
        }
    }

    /// Files that are new, gone or otherwise here, in the order of their names.
    func changes(since other: TreeSnapshot) -> [String] {
        let changed = files.filter { other.files[$0.key] != $0.value }.map(\.key)
        let gone = other.files.keys.filter { files[$0] == nil }
        return (changed + gone).sorted()
    }
}
