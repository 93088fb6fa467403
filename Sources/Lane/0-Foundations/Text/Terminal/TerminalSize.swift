/// The size of a terminal in character cells.
package struct TerminalSize: Sendable, Equatable {
    /// The number of columns, at least 1.
    package let columns: Int
    /// The number of rows, at least 1; `Int.max` if unknown.
    package let rows: Int

    package init(columns: Int, rows: Int = .max) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }
}
