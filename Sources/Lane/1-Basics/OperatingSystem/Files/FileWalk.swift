/// Returns the paths of the files below a directory, relative to the directory and sorted by their bytes.
///
/// Follows symbolic links to directories and lists each directory once. Skips directories that cannot be read.
///
/// - Parameter isIncluded: Returns a Boolean value that indicates whether the result contains files with a name.
package func files(below root: String, where isIncluded: (_ name: String) -> Bool) -> [String] {
    var found: [String] = []
    var directories = [""]
    var visited: Set<FileIdentity> = []
    while let directory = directories.popLast() {
        let location = directory.isEmpty ? root : "\(root)/\(directory)"
        guard let identity = FileIdentity(directory: location), visited.insert(identity).inserted else { continue }
        for name in (try? listDirectory(location)) ?? [] {
            let path = directory.isEmpty ? name : "\(directory)/\(name)"
            if isDirectory("\(root)/\(path)") {
                directories.append(path)
            } else if isIncluded(name) {
                found.append(path)
            }
        }
    }
    return distinctPaths(found)
}
