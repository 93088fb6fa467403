import Arguments
import Diagnostics

/// One of the program's own commands: what it takes, and what it does.
protocol Subcommand: SendableMetatype {
    /// Its word on the command line; known without the description, which is made only when it is needed.
    static var name: String { get }
    static var spec: CommandSpec { get }

    /// Does it. Problems with what the user wrote are thrown as `CommandFailure`.
    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus
}

/// Why a command stops: how to end, and the words for a person, complete with line feeds.
struct CommandFailure: Error, Sendable, Equatable {
    let status: ExitStatus
    let text: String

    init(_ status: ExitStatus, text: String) {
        self.status = status
        self.text = text
    }

    /// `error: message`, and a hint below it.
    init(_ status: ExitStatus, _ message: String, hint: String? = nil, style: TextStyle = .plain) {
        self.init(status, text: DiagnosticText(style: style).text(for: Diagnostic(.error, message, hint: hint)))
    }

    init(_ error: UsageError) {
        self.init(.usage, text: error.text)
    }

    /// Bad lane files.
    init(_ diagnostics: Diagnostics, style: TextStyle) {
        self.init(.refused, text: DiagnosticText(style: style).text(for: diagnostics))
    }
}
