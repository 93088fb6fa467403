package import Events
package import OperatingSystem
import ToolOutput

/// A build that has ended. Its progress and diagnostics were sent as events.
package struct BuildRun: Sendable {
    package let report: ExitReport
    /// The number of errors in its output.
    package let errors: Int
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
        report = try processes.run(command, limits: limits) { _, bytes in parser.consume(bytes, emit: send) }
        parser.finish(emit: send)
        errors = parser.errors
        unknownLines = parser.unknownLines
    }
}
