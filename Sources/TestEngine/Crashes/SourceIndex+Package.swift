import Files
package import TestOutput

extension SourceIndex {
    /// Creates an index of the Swift files in the usual directories of a package.
    package init(root: String) {
        var paths: [String] = []
        var directories = ["Sources", "Tests"]
        while let directory = directories.popLast() {
            for name in (try? listDirectory("\(root)/\(directory)")) ?? [] {
                let path = "\(directory)/\(name)"
                if name.hasSuffix(".swift") {
                    paths.append(path)
                } else if isDirectory("\(root)/\(path)") {
                    directories.append(path)
                }
            }
        }
        self.init(paths: paths)
    }
}
