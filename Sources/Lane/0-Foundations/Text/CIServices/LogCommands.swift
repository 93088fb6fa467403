/// The commands in the output of a run that a CI service interprets. In the output of steps, `CommandGuard` escapes them.
package protocol LogCommands: Sendable {
    /// Returns the line that starts a collapsible group of the log.
    func groupStart(_ name: String) -> String
    /// The line that ends a group.
    var groupEnd: String { get }
    /// Returns the line that masks a line of a secret. Services mask secrets line by line.
    func mask(_ line: String) -> String
    /// Returns the lines for annotations, as many as the service shows, and for the number of the others.
    ///
    /// - Parameter annotations: The annotations, most significant first.
    func lines(for annotations: [LogAnnotation]) -> [String]
}

/// An annotation of a line of code for the users of a CI service.
package struct LogAnnotation {
    let isError: Bool
    /// The location in the repository, if any.
    let place: (path: String, line: Int, column: Int?)?
    let title: String
    let text: String

    package init(isError: Bool, place: (path: String, line: Int, column: Int?)?, title: String, text: String) {
        (self.isError, self.place, self.title, self.text) = (isError, place, title, text)
    }
}
