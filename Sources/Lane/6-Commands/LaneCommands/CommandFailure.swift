import Arguments
package import OperatingSystem
package import Text

/// The exit status and the message of a failed command.
package struct CommandFailure: Error, Sendable {
    private enum Words: Sendable {
        case usage(String)
        case message(Diagnostic)
        case laneFiles(Diagnostics)
    }

    let status: ExitStatus
    private let words: Words

    /// Creates a failure with `error: message` and a hint below it.
    package init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
        self.status = status
        words = .message(Diagnostic(.error, message, hint: hint))
    }

    init(_ error: UsageError) {
        status = .usage
        words = .usage(error.text)
    }

    /// Creates a failure with several messages, by default because of invalid lane files.
    init(_ diagnostics: Diagnostics, _ status: ExitStatus = .refused) {
        self.status = status
        words = .laneFiles(diagnostics)
    }

    /// Creates a failure from a step's failure, for commands that use operations of steps.
    package init(_ failure: OperationFailure) {
        self.init(ExitStatus(rawValue: failure.status), failure.message)
    }

    /// Returns the message with line breaks.
    func text(style: TextStyle) -> String {
        switch words {
        case .usage(let text): text
        case .message(let diagnostic): DiagnosticText(style: style).text(for: diagnostic)
        case .laneFiles(let diagnostics): DiagnosticText(style: style).text(for: diagnostics)
        }
    }
}

extension CommandFailure: FileErrorConvertible {
    package init(_ error: FileError) {
        self.init(.cannotWrite, error.description, hint: error.hint)
    }
}

extension World {
    /// Prints a failure on standard error, and returns its exit status.
    @discardableResult
    func report(_ failure: CommandFailure) -> ExitStatus {
        errors.write(failure.text(style: style(for: errors)))
        return failure.status
    }
}
