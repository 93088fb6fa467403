package import Events
package import OperatingSystem
import ToolOutput

/// A build that has ended. Its progress and diagnostics were sent as events.
package struct BuildRun: Sendable {
    package let report: ExitReport
    package let diagnostics: [BuildDiagnostic]
    /// A Boolean value that indicates whether the linker reported an error.
    package let hasLinkError: Bool
    /// The lines without progress or diagnostics, for builds that fail without an error.
    package let unknownLines: [String]

    /// Runs a command whose output has the format of a compiler.
    ///
    /// - Parameter root: The absolute path of the package, to which paths in diagnostics are relative.
    package init(
        _ command: Command, root: String, with processes: any ProcessRunner, limits: RunLimits = RunLimits(),
        send: (LaneEvent.Kind) -> Void
    ) throws(SpawnError) {
        var parser = BuildOutputParser(root: root)
        var diagnostics: [BuildDiagnostic] = []
        func emit(_ kind: LaneEvent.Kind) {
            if case .buildDiagnostic(let diagnostic) = kind { diagnostics.append(diagnostic) }
            send(kind)
        }
        report = try processes.run(command, limits: limits) { _, bytes in parser.consume(bytes, emit: emit) }
        parser.finish(emit: emit)
        self.diagnostics = diagnostics
        hasLinkError = parser.hasLinkError
        unknownLines = parser.unknownLines
    }

    /// A Boolean value that indicates whether its output contains an error.
    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
