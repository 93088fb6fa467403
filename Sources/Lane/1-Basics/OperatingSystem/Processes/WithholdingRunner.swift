/// A `ProcessRunner` that removes variables from the environment of its children.
package struct WithholdingRunner: ProcessRunner {
    private let base: any ProcessRunner
    private let names: Set<String>

    /// Creates a runner.
    ///
    /// - Parameter names: The variables to remove.
    package init(_ base: any ProcessRunner, withholding names: Set<String>) {
        self.base = base
        self.names = names
    }

    package func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        var command = command
        for name in names { command.environment[name] = nil }
        return try base.run(command, limits: limits, output: output)
    }
}
