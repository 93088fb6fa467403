/// A location in a source file.
package struct SourceLocation: Sendable, Hashable {
    /// The path, relative to the package's root for files in the package.
    package let path: String
    /// The line number, from 1.
    package let line: Int
    /// The column number, from 1, or `nil` if it is unknown.
    package let column: Int?

    package init(path: String, line: Int, column: Int? = nil) {
        self.path = path
        self.line = line
        self.column = column
    }

    /// The location as `path:line:column`, which editors and terminals can open.
    package var text: String {
        column.map { "\(path):\(line):\($0)" } ?? "\(path):\(line)"
    }
}
