package import OperatingSystem
import Synchronization
import TestSupport

/// Runs processes, or a script in place of each, and records their arguments.
package final class CountingProcesses: ProcessRunner {
    private let words = Mutex<[[String]]>([])
    private let script: String?

    package init(instead script: String? = nil) {
        self.script = script
    }

    package var calls: [[String]] { words.withLock { $0 } }

    package func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        words.withLock { $0.append([command.executable] + command.arguments) }
        let standIn = script.map { Command("sh", ["-c", $0], environment: command.environment) }
        return try ChildRunner().run(standIn ?? command, limits: limits, output: output)
    }
}
