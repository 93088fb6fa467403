import Arguments
import Diagnostics
import Files
import LaneRun

/// Why a command stops: how to end, and what to tell a person.
struct CommandFailure: Error, Sendable {
    private enum Words: Sendable {
        case usage(String)
        case message(Diagnostic)
        case laneFiles(Diagnostics)
    }

    let status: ExitStatus
    private let words: Words

    /// `error: message`, and a hint below it.
    init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
        self.status = status
        words = .message(Diagnostic(.error, message, hint: hint))
    }

    init(_ error: UsageError) {
        status = .usage
        words = .usage(error.text)
    }

    /// Bad lane files.
    init(_ diagnostics: Diagnostics) {
        status = .refused
        words = .laneFiles(diagnostics)
    }

    /// What a step does, done without one.
    init(_ failure: StepFailure) {
        self.init(ExitStatus(rawValue: failure.status), failure.message)
    }

    /// Complete with line feeds.
    func text(style: TextStyle) -> String {
        switch words {
        case .usage(let text): text
        case .message(let diagnostic): DiagnosticText(style: style).text(for: diagnostic)
        case .laneFiles(let diagnostics): DiagnosticText(style: style).text(for: diagnostics)
        }
    }
}

extension World {
    /// Shows on standard error why a command stops; gives the status to end with.
    @discardableResult
    func tell(_ failure: CommandFailure) -> ExitStatus {
        errors.write(failure.text(style: style(for: errors)))
        return failure.status
    }
}
