package import Text

/// The terminal of the user.
package struct Terminal: Sendable {
    /// A closure that returns a Boolean value that indicates whether a file descriptor is the terminal.
    let contains: @Sendable (Int32) -> Bool
    /// A closure that returns the size of the terminal, or `nil` if it is unknown or the file descriptor is not the
    /// terminal.
    let size: @Sendable (Int32) -> TerminalSize?
    /// A closure that prints a question and reads a line, hidden or not. The closure returns `nil` at the end of the
    /// input. It is `nil` unless standard input and standard error are the terminal.
    let readLine: (@Sendable (_ question: String, _ isHidden: Bool) -> String?)?

    package init(
        contains: @escaping @Sendable (Int32) -> Bool, size: @escaping @Sendable (Int32) -> TerminalSize?,
        readLine: (@Sendable (_ question: String, _ isHidden: Bool) -> String?)?
    ) {
        (self.contains, self.size, self.readLine) = (contains, size, readLine)
    }
}
