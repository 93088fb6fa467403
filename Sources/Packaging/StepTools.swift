import LaneEvents
package import LaneRun
package import Processes

import TestOutput

/// A runner for the programs of a step. It passes their output to the reports.
package struct StepTools: Sendable {
    /// The context of the step.
    package let context: StepContext

    package init(context: StepContext) {
        self.context = context
    }

    /// The output to show while a program runs.
    package enum Shown {
        case everything
        /// Only the progress of a build.
        case progress
        case nothing
    }

    /// Runs a program. If the program fails, shows its output and throws an error.
    func run(
        _ executable: String, _ arguments: [String], in directory: String, showing shown: Shown = .everything
    ) throws(StepFailure) {
        let (report, output) = try attempt(executable, arguments, in: directory, showing: shown)
        guard !report.succeeded else { return }
        switch shown {
        case .everything: break
        case .progress: showErrors(of: output, in: directory)
        case .nothing: show(output)
        }
        throw failure(of: executable, arguments, report)
    }

    /// Returns the failure of a program whose output was shown.
    func failure(of executable: String, _ arguments: [String], _ report: ExitReport) -> StepFailure {
        StepFailure(
            of: "\(executable) \(arguments.first ?? "")",
            CapturedRun(report: report, standardOutput: [], standardError: []))
    }

    /// Runs a program and returns its result for any exit status.
    package func attempt(
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

    /// Returns the standard output of a program.
    func text(_ executable: String, _ arguments: [String], in directory: String) throws(StepFailure) -> String {
        let command = Command(executable, arguments, environment: context.environment, directory: directory).hidingMarks
        let run: CapturedRun
        do throws(SpawnError) { run = try context.processes.capture(command) } catch { throw StepFailure(error) }
        guard run.report.succeeded else {
            let name = "\(executable) \(arguments.first ?? "")"
            let found = errors(of: run.standardError, in: directory)
            guard !found.isEmpty else { throw StepFailure(of: name, run) }
            for fault in found { context.send(fault) }
            throw StepFailure(of: name, CapturedRun(report: run.report, standardOutput: [], standardError: []))
        }
        return run.text
    }

    func show(_ output: [UInt8]) {
        context.send(.stepOutput(OutputChunk(stream: .standardOutput, bytes: output)))
    }

    /// Shows the errors of a build with paths relative to the package, or the whole output if it contains no error.
    func showErrors(of build: [UInt8], in directory: String) {
        let found = errors(of: build, in: directory)
        if found.isEmpty { return show(build) }
        for fault in found { context.send(fault) }
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
