import LaneEvents
import LaneRun
import Processes

/// Runs the programs of one step: what they print goes to the run's reports as it comes.
struct StepTools: Sendable {
    let context: StepContext

    /// Runs a program and fails when it does; shows its output, if it is `quiet` only then.
    func run(
        _ executable: String, _ arguments: [String], in directory: String, quiet: Bool = false
    ) throws(StepFailure) {
        let (report, output) = try attempt(executable, arguments, in: directory, quiet: quiet)
        guard report.succeeded else {
            if quiet { show(output) }
            throw StepFailure(
                of: "\(executable) \(arguments.first ?? "")",
                CapturedRun(report: report, standardOutput: [], standardError: []))
        }
    }

    /// Runs a program to its end, whatever that is, and shows its output unless it is `quiet`.
    func attempt(
        _ executable: String, _ arguments: [String], in directory: String, quiet: Bool = false,
        environment: [String: String]? = nil, timeout: Duration? = nil
    ) throws(StepFailure) -> (report: ExitReport, output: [UInt8]) {
        let command = Command(
            executable, arguments, environment: environment ?? context.environment, directory: directory)
        var all: [UInt8] = []
        do throws(SpawnError) {
            let report = try context.processes.run(command, limits: RunLimits(timeout: timeout)) { source, bytes in
                all.append(contentsOf: bytes)
                guard !quiet else { return }
                context.show(bytes, from: source)
            }
            return (report, all)
        } catch {
            throw StepFailure(error)
        }
    }

    /// What a program prints on its standard output alone.
    func text(_ executable: String, _ arguments: [String], in directory: String) throws(StepFailure) -> String {
        let command = Command(executable, arguments, environment: context.environment, directory: directory)
        let run: CapturedRun
        do throws(SpawnError) { run = try context.processes.capture(command) } catch { throw StepFailure(error) }
        guard run.report.succeeded else { throw StepFailure(of: "\(executable) \(arguments.first ?? "")", run) }
        return run.text
    }

    func show(_ output: [UInt8]) {
        context.send(.stepOutput(OutputChunk(stream: .standardOutput, bytes: output)))
    }

    func say(_ text: String, _ level: Message.Level = .note) {
        context.tell(level, text)
    }
}
