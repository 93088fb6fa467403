import Files
package import TestOutput

extension SourceIndex {
    /// The package's own Swift files, as far as they lie where packages have them.
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
