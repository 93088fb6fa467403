package import Diagnostics

/// What a command sees of the outside: where its words go and how they may look.
package struct Console {
    let style: TextStyle
    /// Columns for help.
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

/// Why a command stopped, with the status it ends with.
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
