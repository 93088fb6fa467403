import JSON
import LaneEvents
import LaneModel
import LaneRun
import Processes

/// An action that is an executable in `Lanes/actions`.
///
/// The executable gets one JSON object on standard input, `{"settings": {…}, "directory": …, "root": …, "parameters":
/// {…}}`. It can print JSON lines on standard output: `{"output": {"name": value}}` for later steps, and `{"message":
/// text, "level": "note" | "warning" | "error"}` for users. All other lines are output.
struct CustomAction: StepAction {
    let name: String

    func summary(of settings: Settings) -> String { name }

    func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        let command = Command(
            "\(context.directory)/\(CustomActions.directory)/\(name)", ["run"], environment: context.environment,
            directory: context.workingDirectory, input: .bytes(request(settings, context)))
        var words = ActionWords(context)
        let report: ExitReport
        do throws(SpawnError) {
            report = try context.unmasked.run(command, limits: RunLimits()) { source, bytes in
                words.take(bytes, from: source)
            }
        } catch {
            throw StepFailure(error)
        }
        words.finish()
        guard report.succeeded else { throw StepFailure(report) }
        return StepResult(outputs: words.outputs)
    }

    private func request(_ settings: Settings, _ context: StepContext) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.object("settings") { writer in
                for (name, value) in settings.values.sorted(by: { $0.key < $1.key }) { writer.member(name, value) }
            }
            writer.member("directory", context.directory)
            writer.member("root", context.root)
            writer.object("parameters") { writer in
                for (name, value) in context.parameters.sorted(by: { $0.key < $1.key }) { writer.member(name, value) }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
