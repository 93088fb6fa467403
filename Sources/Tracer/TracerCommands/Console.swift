package import Text

/// The output of a command: standard output, standard error and the style of text.
package struct Console {
    let style: TextStyle
    /// The width of help text in columns.
    let width: Int
    let write: (String) -> Void
    let writeError: (String) -> Void

    package init(
        style: TextStyle, width: Int, write: @escaping (String) -> Void, writeError: @escaping (String) -> Void
    ) {
        self.style = style
        self.width = width
        self.write = write
        self.writeError = writeError
    }
}

/// An error of a command, with its exit status.
struct Failure: Error {
    let diagnostics: Diagnostics
    let status: ExitStatus

    init(_ diagnostics: Diagnostics, status: ExitStatus = .refused) {
        self.diagnostics = diagnostics
        self.status = status
    }

    init(_ message: String, hint: String? = nil, status: ExitStatus) {
        self.init(Diagnostics([Diagnostic(.error, message, hint: hint)]), status: status)
    }
}
