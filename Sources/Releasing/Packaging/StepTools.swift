import LaneEvents
import LaneRun
import Processes
import TestOutput

/// Runs the programs of one step: what they print goes to the run's reports as it comes.
struct StepTools: Sendable {
    let context: StepContext

    /// What is shown of what a program prints, as it comes.
    enum Shown {
        case everything
        /// How far a build is.
        case progress
        case nothing
    }

    /// Runs a program and fails when it does; then what was not shown is.
    func run(
        _ executable: String, _ arguments: [String], in directory: String, showing shown: Shown = .everything
    ) throws(StepFailure) {
        let (report, output) = try attempt(executable, arguments, in: directory, showing: shown)
        guard !report.succeeded else { return }
        switch shown {
        case .everything: break
        case .progress: showFaults(of: output, in: directory)
        case .nothing: show(output)
        }
        throw failure(of: executable, arguments, report)
    }

    /// After what it printed was shown.
    func failure(of executable: String, _ arguments: [String], _ report: ExitReport) -> StepFailure {
        StepFailure(
            of: "\(executable) \(arguments.first ?? "")",
            CapturedRun(report: report, standardOutput: [], standardError: []))
    }

    /// Runs a program to its end, whatever that is.
    func attempt(
        _ executable: String, _ arguments: [String], in directory: String, showing shown: Shown = .everything,
        environment: [String: String]? = nil, timeout: Duration? = nil
    ) throws(StepFailure) -> (report: ExitReport, output: [UInt8]) {
        let command = Command(
            executable, arguments, environment: environment ?? context.environment, directory: directory
        ).hidingMarks
        var all: [UInt8] = []
        var build = BuildOutputParser(root: directory)
        do throws(SpawnError) {
            let report = try context.processes.run(command, limits: RunLimits(timeout: timeout)) { source, bytes in
                all.append(contentsOf: bytes)
                switch shown {
                case .everything: context.show(bytes, from: source)
                case .progress: build.consume(bytes) { if case .buildProgress = $0 { context.send($0) } }
                case .nothing: break
                }
            }
            return (report, all)
        } catch {
            throw StepFailure(error)
        }
    }

    /// What a program prints on its standard output alone.
    func text(_ executable: String, _ arguments: [String], in directory: String) throws(StepFailure) -> String {
        let command = Command(executable, arguments, environment: context.environment, directory: directory).hidingMarks
        let run: CapturedRun
        do throws(SpawnError) { run = try context.processes.capture(command) } catch { throw StepFailure(error) }
        guard run.report.succeeded else {
            let name = "\(executable) \(arguments.first ?? "")"
            let found = faults(of: run.standardError, in: directory)
            guard !found.isEmpty else { throw StepFailure(of: name, run) }
            for fault in found { context.send(fault) }
            throw StepFailure(of: name, CapturedRun(report: run.report, standardOutput: [], standardError: []))
        }
        return run.text
    }

    func show(_ output: [UInt8]) {
        context.send(.stepOutput(OutputChunk(stream: .standardOutput, bytes: output)))
    }

    /// What a build failed for, with places in the package instead of the folder that it was built in; all that was
    /// printed where it tells no reason.
    func showFaults(of build: [UInt8], in directory: String) {
        let found = faults(of: build, in: directory)
        if found.isEmpty { return show(build) }
        for fault in found { context.send(fault) }
    }

    /// What a compiler reported; nothing when there is no error among it.
    private func faults(of output: [UInt8], in directory: String) -> [LaneEvent.Kind] {
        var parser = BuildOutputParser(root: directory)
        var found: [LaneEvent.Kind] = []
        func take(_ kind: LaneEvent.Kind) { if case .buildDiagnostic = kind { found.append(kind) } }
        output.withUnsafeBytes { parser.consume($0, emit: take) }
        parser.finish(emit: take)
        return parser.errors == 0 ? [] : found
    }

    func say(_ text: String, _ level: Message.Level = .note) {
        context.tell(level, text)
    }
}
