import Files

/// A repository in a directory of another one.
enum Submodule {
    /// Returns git in a submodule, or `nil` if it is not checked out.
    static func git(at path: String, of parent: Git) -> Git? {
        let folder = "\(parent.directory)/\(path)"
        return fileKind("\(folder)/.git") == nil ? nil : parent.inside(folder)
    }
}
