import Files

/// A repository in a folder of another one.
enum Submodule {
    /// Calls git in a submodule; `nil` where it is not checked out.
    static func git(at path: String, of parent: Git) -> Git? {
        let folder = "\(parent.directory)/\(path)"
        return fileKind("\(folder)/.git") == nil ? nil : parent.inside(folder)
    }
}
