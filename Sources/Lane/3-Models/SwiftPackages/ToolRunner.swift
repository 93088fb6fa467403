package import Events
package import OperatingSystem
import ToolOutput

/// A runner for `swift` and other programs on a package. It converts the output of builds to events.
package struct ToolRunner: Sendable {
    /// The working directory by default.
    package let directory: String
    /// The environment variables of the programs.
    package let environment: [String: String]
    /// Runs the programs.
    package let processes: any ProcessRunner
    /// Takes the output and the diagnostics of the programs.
    package let events: any EventSink

    package init(
        directory: String, environment: [String: String], processes: any ProcessRunner,
        events: any EventSink = EventStream()
    ) {
        self.directory = directory
        self.environment = environment
        self.processes = processes
        self.events = events
    }

    package func report(_ level: Message.Level, _ text: String) { events.report(level, text) }

    /// Runs a program. If the program fails, shows its output and throws an error.
    ///
    /// - Parameter showsOutput: A Boolean value that indicates whether the output of a successful program is shown.
    package func run(
        _ executable: String, _ arguments: [String], in directory: String, showsOutput: Bool = true
    ) throws(OperationFailure) {
        let (report, output) = try attempt(executable, arguments, in: directory)
        if showsOutput || !report.succeeded { show(output) }
        guard report.succeeded else { throw failure(of: executable, arguments, report) }
    }

    /// Runs a tool whose output has the format of a compiler. Sends its progress and diagnostics as events, and shows its
    /// other lines if it fails without an error.
    package func build(_ words: [String]) throws(OperationFailure) {
        let build = try run(words, in: directory, send: events.send)
        guard !build.report.succeeded else { return }
        showUnknownLines(of: build)
        throw OperationFailure(build.report)
    }

    /// Builds with `swift` and shows only the progress. If the build fails, shows its errors and throws an error.
    package func buildQuietly(_ arguments: [String], in directory: String) throws(OperationFailure) {
        let build = try attemptBuild(arguments, in: directory)
        guard !build.report.succeeded else { return }
        show(build)
        throw failure(of: "swift", arguments, build.report)
    }

    /// Builds with `swift` and shows only the progress and messages. Returns the result for any exit status.
    package func attemptBuild(_ arguments: [String], in directory: String) throws(OperationFailure) -> BuildRun {
        try run(["swift"] + arguments, in: directory) { event in
            switch event {
            case .buildProgress, .message: events.send(event)
            default: break
            }
        }
    }

    /// Shows the diagnostics of a failed build, or its other lines if there is no error.
    package func show(_ build: BuildRun) {
        for diagnostic in build.diagnostics { events.send(.buildDiagnostic(diagnostic)) }
        showUnknownLines(of: build)
    }

    private func run(
        _ words: [String], in directory: String, send: (LaneEvent.Kind) -> Void
    ) throws(OperationFailure) -> BuildRun {
        let command = Command(
            words[0], Array(words.dropFirst()), environment: environment, directory: directory, output: .merged
        ).hidingMarks
        return try convertingSpawnErrors(of: BuildRun(command, root: directory, with: processes, send: send))
    }

    private func showUnknownLines(of build: BuildRun) {
        guard !build.hasErrors else { return }
        let text = build.unknownLines.map { $0 + "\n" }.joined()
        events.send(.stepOutput(OutputChunk(stream: .standardError, bytes: Array(text.utf8))))
    }

    /// Returns the failure of a program whose output was shown.
    package func failure(of executable: String, _ arguments: [String], _ report: ExitReport) -> OperationFailure {
        OperationFailure(
            of: "\(executable) \(arguments.first ?? "")",
            CapturedRun(report: report, standardOutput: [], standardError: []))
    }

    /// Runs a program and returns its result and output for any exit status.
    package func attempt(
        _ executable: String, _ arguments: [String], in directory: String, environment: [String: String]? = nil,
        timeout: Duration? = nil
    ) throws(OperationFailure) -> (report: ExitReport, output: [UInt8]) {
        let run = try capture(
            Command(
                executable, arguments, environment: environment ?? self.environment, directory: directory,
                output: .merged), timeout)
        return (run.report, run.standardOutput)
    }

    private func capture(_ command: Command, _ timeout: Duration?) throws(OperationFailure) -> CapturedRun {
        try convertingSpawnErrors(of: processes.capture(command.hidingMarks, limits: RunLimits(timeout: timeout)))
    }

    /// Returns the standard output of a program.
    package func text(
        _ executable: String, _ arguments: [String], in directory: String, timeout: Duration? = nil
    ) throws(OperationFailure) -> String {
        let run = try capture(
            Command(executable, arguments, environment: environment, directory: directory), timeout)
        guard run.report.succeeded else {
            let name = "\(executable) \(arguments.first ?? "")"
            let found = errors(of: run.standardError, in: directory)
            guard !found.isEmpty else { throw OperationFailure(of: name, run) }
            for fault in found { events.send(fault) }
            throw failure(of: executable, arguments, run.report)
        }
        return run.text
    }

    package func show(_ output: [UInt8]) {
        guard !output.isEmpty else { return }
        events.send(.stepOutput(OutputChunk(stream: .standardOutput, bytes: output)))
    }

    /// Returns the diagnostics in the standard error of a program, or an empty array if there is no error.
    private func errors(of output: [UInt8], in directory: String) -> [LaneEvent.Kind] {
        var parser = BuildOutputParser(root: directory)
        var found: [LaneEvent.Kind] = []
        func take(_ kind: LaneEvent.Kind) { if case .buildDiagnostic = kind { found.append(kind) } }
        output.withUnsafeBytes { parser.consume($0, emit: take) }
        parser.finish(emit: take)
        return parser.errors == 0 ? [] : found
    }
}
