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
    /// Receives the output and the diagnostics of the programs.
    package let send: @Sendable (LaneEvent.Kind) -> Void

    package init(
        directory: String, environment: [String: String], processes: any ProcessRunner,
        send: @escaping @Sendable (LaneEvent.Kind) -> Void
    ) {
        self.directory = directory
        self.environment = environment
        self.processes = processes
        self.send = send
    }

    /// Reports a message.
    package func report(_ level: Message.Level, _ text: String) { send(.message(Message(level, text))) }

    /// Reports output of a program.
    func show(_ bytes: UnsafeRawBufferPointer, from source: OutputSource) {
        let stream: OutputChunk.Stream = source == .standardOutput ? .standardOutput : .standardError
        send(.stepOutput(OutputChunk(stream: stream, bytes: Array(bytes))))
    }

    /// The output to show while a program runs.
    package enum Shown {
        case everything
        /// Only the progress of a build.
        case progress
        case nothing
    }

    /// Runs a program. If the program fails, shows its output and throws an error.
    package func run(
        _ executable: String, _ arguments: [String], in directory: String, showing shown: Shown = .everything
    ) throws(OperationFailure) {
        let (report, output) = try attempt(executable, arguments, in: directory, showing: shown)
        guard !report.succeeded else { return }
        switch shown {
        case .everything: break
        case .progress: showErrors(of: output, in: directory)
        case .nothing: show(output)
        }
        throw failure(of: executable, arguments, report)
    }

    /// Runs a tool whose output has the format of a compiler. Sends its progress and diagnostics as events, and shows its
    /// other lines if it fails without an error.
    package func build(_ words: [String]) throws(OperationFailure) {
        let command = Command(
            words[0], Array(words.dropFirst()), environment: environment, directory: directory, output: .merged
        ).hidingMarks
        let run: BuildRun
        do throws(SpawnError) { run = try BuildRun(command, root: directory, with: processes, send: send) } catch {
            throw OperationFailure(error)
        }
        guard !run.report.succeeded else { return }
        if run.errors == 0 {
            let text = run.unknownLines.map { $0 + "\n" }.joined()
            send(.stepOutput(OutputChunk(stream: .standardError, bytes: Array(text.utf8))))
        }
        throw OperationFailure(run.report)
    }

    /// Returns the failure of a program whose output was shown.
    package func failure(of executable: String, _ arguments: [String], _ report: ExitReport) -> OperationFailure {
        OperationFailure(
            of: "\(executable) \(arguments.first ?? "")",
            CapturedRun(report: report, standardOutput: [], standardError: []))
    }

    /// Runs a program and returns its result for any exit status.
    package func attempt(
        _ executable: String, _ arguments: [String], in directory: String, showing shown: Shown = .everything,
        environment: [String: String]? = nil, timeout: Duration? = nil
    ) throws(OperationFailure) -> (report: ExitReport, output: [UInt8]) {
        let command = Command(
            executable, arguments, environment: environment ?? self.environment, directory: directory, output: .merged
        ).hidingMarks
        var all: [UInt8] = []
        var build = BuildOutputParser(root: directory)
        do throws(SpawnError) {
            let report = try processes.run(command, limits: RunLimits(timeout: timeout)) { source, bytes in
                all.append(contentsOf: bytes)
                switch shown {
                case .everything: show(bytes, from: source)
                case .progress: build.consume(bytes) { if case .buildProgress = $0 { send($0) } }
                case .nothing: break
                }
            }
            return (report, all)
        } catch {
            throw OperationFailure(error)
        }
    }

    /// Returns the standard output of a program.
    package func text(
        _ executable: String, _ arguments: [String], in directory: String, timeout: Duration? = nil
    ) throws(OperationFailure) -> String {
        let command = Command(executable, arguments, environment: environment, directory: directory).hidingMarks
        let run: CapturedRun
        do throws(SpawnError) { run = try processes.capture(command, limits: RunLimits(timeout: timeout)) } catch {
            throw OperationFailure(error)
        }
        guard run.report.succeeded else {
            let name = "\(executable) \(arguments.first ?? "")"
            let found = errors(of: run.standardError, in: directory)
            guard !found.isEmpty else { throw OperationFailure(of: name, run) }
            for fault in found { send(fault) }
            throw OperationFailure(of: name, CapturedRun(report: run.report, standardOutput: [], standardError: []))
        }
        return run.text
    }

    package func show(_ output: [UInt8]) {
        send(.stepOutput(OutputChunk(stream: .standardOutput, bytes: output)))
    }

    /// Shows the errors of a build with paths relative to the package, or the whole output if it contains no error.
    package func showErrors(of build: [UInt8], in directory: String) {
        let found = errors(of: build, in: directory)
        if found.isEmpty { return show(build) }
        for fault in found { send(fault) }
    }

    /// Returns the diagnostics of a build, or an empty array if there is no error.
    private func errors(of output: [UInt8], in directory: String) -> [LaneEvent.Kind] {
        var parser = BuildOutputParser(root: directory)
        var found: [LaneEvent.Kind] = []
        func take(_ kind: LaneEvent.Kind) { if case .buildDiagnostic = kind { found.append(kind) } }
        output.withUnsafeBytes { parser.consume($0, emit: take) }
        parser.finish(emit: take)
        return parser.errors == 0 ? [] : found
    }
}
