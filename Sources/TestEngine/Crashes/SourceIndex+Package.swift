import Files
package import TestOutput

extension SourceIndex {
    /// Creates an index of the Swift files in the usual directories of a package.
    package init(root: String) {
        var paths: [String] = []
        var folders = ["Sources", "Tests"]
        while let folder = folders.popLast() {
            for name in (try? listDirectory("\(root)/\(folder)")) ?? [] {
                let path = "\(folder)/\(name)"
                if name.hasSuffix(".swift") {
                    paths.append(path)
                } else if isDirectory("\(root)/\(path)") {
                    folders.append(path)
                }
            }
        }
        self.init(paths: paths)
    }
}
