/// How much a terminal shows at a time.
package struct TerminalSize: Sendable, Equatable {
    /// At least 1.
    package let columns: Int
    /// At least 1; as many as there can be where the terminal does not say.
    package let rows: Int

    package init(columns: Int, rows: Int = .max) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }
}
