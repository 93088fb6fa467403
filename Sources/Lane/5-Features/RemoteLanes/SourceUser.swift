import Git
import LaneModel
package import OperatingSystem
package import Text

/// A package that uses sources, with the environment for loading them.
package struct SourceUser: Sendable {
    /// The root of the package.
    let root: String
    /// The lane files of the package.
    let laneFiles: [SourceFile]
    /// The directory that paths in messages are relative to.
    let directory: String
    let environment: [String: String]
    /// The names of the built-in actions, which no action of a source can have.
    let builtInActions: Set<String>
    private let runner: any ProcessRunner
    private let cancellation: Cancellation
    /// A closure that is called before the first child process or file.
    private let prepare: @Sendable () -> Void
    /// A closure that shows a line of progress.
    let report: @Sendable (String) -> Void

    /// The time limit of each git command.
    private static let timeout = Duration.seconds(300)

    /// - Parameters:
    ///   - processes: The runner of git and of actions that print their descriptions. Variables that lane files declare
    ///     as secrets are removed from their environment.
    ///   - prepare: A closure that is called before the first child process or file in `.lane`.
    ///   - report: A closure that shows a line of progress.
    package init(
        root: String, laneFiles: [SourceFile], seenFrom directory: String, environment: [String: String],
        builtInActions: Set<String>, processes: any ProcessRunner, cancellation: Cancellation,
        prepare: @escaping @Sendable () -> Void, report: @escaping @Sendable (String) -> Void
    ) {
        self.root = root
        self.laneFiles = laneFiles
        self.directory = directory
        self.environment = environment
        self.builtInActions = builtInActions
        runner = processes
        self.cancellation = cancellation
        self.prepare = prepare
        self.report = report
    }

    /// Returns the cache of the package. Cancellation ends its git commands.
    package func cache() -> SourceCache {
        prepare()
        let bounded = BoundedRunner(
            base: processes(withholding: LaneFiles.secretNames(in: laneFiles)), timeout: Self.timeout,
            cancellation: cancellation)
        return SourceCache(root: root, git: Git(in: root, environment: environment, processes: bounded))
    }

    func processes(withholding names: Set<String>) -> any ProcessRunner {
        names.isEmpty ? runner : WithholdingRunner(runner, withholding: names)
    }
}

/// A `ProcessRunner` that ends its children after a timeout and on cancellation.
struct BoundedRunner: ProcessRunner {
    let base: any ProcessRunner
    let timeout: Duration
    let cancellation: Cancellation

    package func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        var limits = limits
        limits.timeout = limits.timeout ?? timeout
        limits.cancellation = limits.cancellation ?? cancellation
        return try base.run(command, limits: limits, output: output)
    }
}
