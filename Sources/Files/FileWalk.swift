/// Returns the files below a directory, relative to it, in the order of their bytes.
///
/// Links to directories are followed; each directory is listed once. A directory that cannot be read has no files.
///
/// - Parameter isIncluded: Returns whether a file is in the result, from its name.
package func files(below root: String, where isIncluded: (_ name: String) -> Bool) -> [String] {
    var found: [String] = []
    var directories = [""]
    var visited: Set<DirectoryIdentity> = []
    while let directory = directories.popLast() {
        let place = directory.isEmpty ? root : "\(root)/\(directory)"
        guard let identity = DirectoryIdentity(place), visited.insert(identity).inserted else { continue }
        for name in (try? listDirectory(place)) ?? [] {
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
