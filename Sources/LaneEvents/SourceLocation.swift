/// A place in a source file; the path is relative to the package's root where the file lies below it.
package struct SourceLocation: Sendable, Hashable {
    /// Absolute where the file lies outside the package.
    package let path: String
    /// From 1.
    package let line: Int
    /// From 1; `nil` where the tool did not say.
    package let column: Int?

    package init(path: String, line: Int, column: Int? = nil) {
        self.path = path
        self.line = line
        self.column = column
    }

    /// `path:line:column`, as editors and terminals open it.
    package var text: String {
        column.map { "\(path):\(line):\($0)" } ?? "\(path):\(line)"
    }
}
