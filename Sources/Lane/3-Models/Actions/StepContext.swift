package import Events
package import Expressions
package import Git
import LaneModel
package import OperatingSystem
import Text

/// The context of an action: directories, environment, processes, events.
package struct StepContext: Sendable {
    /// The identifier of the step.
    package let step: StepID
    /// The directory of the step: the package's root, or the private worktree of a transaction.
    package private(set) var directory: String
    /// The package's root in the user's checkout. Outside a transaction, it equals `directory`.
    package let root: String
    /// The working directory of commands: the `directory` of the lane file, or else of the step.
    package let workingDirectory: String
    /// The environment variables of children.
    package private(set) var environment: [String: String]
    /// The parameters of the step's lane.
    package let parameters: [String: Value]
    /// The runner of child processes. It masks their output and applies the step's deadline and cancellation.
    package let processes: any ProcessRunner
    /// The runner of child processes that does not mask their output. An action that uses it must mask the text that it
    /// shows.
    package let unmasked: any ProcessRunner
    /// The mask for secrets in text that the action itself prints or writes.
    package let mask: SecretMask
    /// The cancellation of the step, for an action that runs long without a child process.
    package let cancellation: Cancellation
    /// A closure that returns the time in seconds since 1970.
    package let now: @Sendable () -> Double
    /// A closure that waits. Returns `true` if the step was cancelled.
    package let wait: @Sendable (Duration) -> Bool
    /// The time at which the step or its lane times out, for an action that waits without a child process.
    package let deadline: Deadline?
    /// The transaction of the step, if any.
    package let transaction: (any Transaction)?
    /// The releases whose versions the steps of the run have determined.
    package let releases: PlannedReleases
    /// A Boolean value that indicates whether the step has exclusive use of the terminal.
    package let isInteractive: Bool
    /// A Boolean value that indicates whether the step has an `id`, by which later steps can read its outputs.
    package let isNamed: Bool
    /// A Boolean value that indicates whether the step runs even if it is up to date.
    package let isForced: Bool
    /// A function that starts a process in the background.
    package typealias StartProcess =
        @Sendable (
            Command, _ receive: @escaping @Sendable ([UInt8]) -> Void, _ cleanUp: @escaping @Sendable () -> Void
        ) -> BackgroundProcess?

    /// Starts a process that runs until the step's lane ends.
    let startProcess: StartProcess
    /// The runner of child processes for cleanup at the end of the lane, without the step's deadline and cancellation.
    package let cleanUp: any ProcessRunner
    /// The stream of the run's events.
    package let events: EventStream

    package init(
        step: StepID, directory: String, root: String, environment: [String: String], parameters: [String: Value],
        processes: any ProcessRunner, unmasked: (any ProcessRunner)? = nil, mask: SecretMask = SecretMask([:]),
        cancellation: Cancellation, now: @escaping @Sendable () -> Double,
        wait: (@Sendable (Duration) -> Bool)? = nil, deadline: Deadline? = nil, transaction: (any Transaction)? = nil,
        releases: PlannedReleases = PlannedReleases(),
        workingDirectory: String? = nil,
        isInteractive: Bool = false, isNamed: Bool = false, isForced: Bool = false,
        cleanUp: (any ProcessRunner)? = nil,
        startProcess: @escaping StartProcess = { _, _, _ in nil },
        events: EventStream = EventStream()
    ) {
        self.step = step
        self.directory = directory
        self.root = root
        self.workingDirectory = workingDirectory ?? directory
        self.environment = environment
        self.parameters = parameters
        self.processes = processes
        self.unmasked = unmasked ?? processes
        self.mask = mask
        self.cancellation = cancellation
        self.now = now
        self.wait = wait ?? { cancellation.wait($0) }
        self.deadline = deadline
        self.transaction = transaction
        self.releases = releases
        self.isInteractive = isInteractive
        self.isNamed = isNamed
        self.isForced = isForced
        self.cleanUp = cleanUp ?? processes
        self.startProcess = startProcess
        self.events = events
    }
}

extension StepContext: EventSink {
    /// Sends an event of this step with masked secrets.
    package func send(_ kind: LaneEvent.Kind) { events.send(kind.masked(by: mask), step: step) }
}

extension StepContext {
    /// Returns the context of an action on the package in a directory, which may be below the root.
    package func inPackage(_ directory: String) -> StepContext {
        var context = self
        context.directory = directory
        return context
    }

    /// Returns the context without an environment variable.
    package func without(_ variable: String) -> StepContext {
        var context = self
        context.environment[variable] = nil
        return context
    }

    /// Starts a process that runs until the step's lane ends.
    ///
    /// - Parameters:
    ///   - receive: A closure for the output.
    ///   - cleanUp: A closure that is called after the process has been stopped.
    package func startInBackground(
        _ command: Command, receive: @escaping @Sendable ([UInt8]) -> Void, cleanUp: @escaping @Sendable () -> Void
    ) throws(OperationFailure) -> BackgroundProcess {
        guard let process = startProcess(command, receive, cleanUp) else {
            throw OperationFailure(status: ExitStatus.internal.rawValue, "nothing can run in the background here")
        }
        return process
    }

    /// Reports a file that the step created. In a transaction, the file is reported after the commit.
    package func announce(_ artifact: Artifact) {
        if let transaction {
            transaction.values.announce(artifact, of: step)
        } else {
            send(.artifact(artifact))
        }
    }

    /// Reports output of a child process.
    package func show(_ bytes: UnsafeRawBufferPointer, from source: OutputSource) {
        let stream: OutputChunk.Stream = source == .standardOutput ? .standardOutput : .standardError
        send(.stepOutput(OutputChunk(stream: stream, bytes: Array(bytes))))
    }
}

extension StepContext {
    /// Returns the time in `SOURCE_DATE_EPOCH` in seconds since 1970, or `nil` if it is not set.
    package func sourceDate() throws(OperationFailure) -> Int64? {
        guard let text = environment["SOURCE_DATE_EPOCH"], !text.isEmpty else { return nil }
        guard let seconds = Int64(text), seconds >= 0 else {
            throw .refused(["SOURCE_DATE_EPOCH: expected seconds since 1970, found '\(text)'"])
        }
        return seconds
    }

    /// Returns the date in UTC, such as `2026-11-21`, of a release that is made now. `SOURCE_DATE_EPOCH` overrides the
    /// time.
    package func releaseDate() throws(OperationFailure) -> String {
        Instant(secondsSince1970: try sourceDate() ?? Int64(now())).date.description
    }

    /// The variable that overrides `--scratch-path` of SwiftPM.
    private static let scratchVariable = "SWIFTPM_BUILD_DIR"

    /// The context without the variable, for builds that pass `--scratch-path`.
    package var withOwnScratch: StepContext { without(Self.scratchVariable) }

    /// The build directory of SwiftPM, relative to the package or absolute.
    package var scratch: String { environment[Self.scratchVariable] ?? ".build" }

    /// Creates an empty directory for temporary files, which the caller removes. The directory has a constant name, so
    /// the next run removes the files of a run that was killed.
    package func makeScratchDirectory(_ purpose: String) throws(OperationFailure) -> String {
        let step = String(step.description.map { $0 == "/" ? "-" : $0 })
        let path = "\(directory)/.build/lane-\(purpose)/\(step)"
        try convertingFileErrors { () throws(FileError) in
            try removeTree(path)
            try makeDirectories(path)
        }
        return path
    }

    /// Throws a failure if a file has the name of the directory of packages or documentation.
    package func requireOutputDirectory(_ output: String) throws(OperationFailure) {
        // In a transaction, the first is the private worktree, and the files are moved to the second.
        for base in [directory, root] where fileExists("\(base)/\(output)") && !isDirectory("\(base)/\(output)") {
            throw .refused(["'\(output)' is a file, and a directory of this name is needed\nhint: rename the file"])
        }
    }

    /// Creates the directory of packages or documentation, with a `.gitignore` unless it contains files. Without it, the
    /// files of one release would make the checkout unclean for the next release.
    package func makeOutputDirectory(_ output: String) throws(OperationFailure) {
        try requireOutputDirectory(output)
        let isNew = (try? listDirectory("\(root)/\(output)"))?.isEmpty ?? !fileExists("\(root)/\(output)")
        try convertingFileErrors { () throws(FileError) in
            try makeDirectories("\(directory)/\(output)")
            guard isNew else { return }
            try writeFile("*\n", to: "\(directory)/\(output)/.gitignore")
        }
        if isNew { transaction?.plan(.keep(relativePath: "\(output)/.gitignore")) }
    }
}

extension Git {
    /// Creates the command for `directory`, or for the directory of a step if it is `nil`.
    package init(_ context: StepContext, in directory: String? = nil) {
        self.init(
            in: directory ?? context.directory, environment: context.environment, processes: context.processes)
    }
}

/// The end of a time limit.
package struct Deadline: Sendable {
    /// The time at which the limit ends.
    package let moment: Duration
    /// The length of the limit, for messages.
    package let length: Duration

    package init(moment: Duration, length: Duration) {
        self.moment = moment
        self.length = length
    }

    package static func earlier(_ one: Deadline?, _ other: Deadline?) -> Deadline? {
        guard let one, let other else { return one ?? other }
        return other.moment < one.moment ? other : one
    }
}
