import OperatingSystem
package import ToolOutput

extension SourceIndex {
    /// Creates an index of the Swift files in the usual directories of a package.
    package init(root: String) {
        self.init(
            paths: ["Sources", "Tests"].flatMap { directory in
                files(below: "\(root)/\(directory)") { $0.hasSuffix(".swift") }.map { "\(directory)/\($0)" }
            })
    }
}
