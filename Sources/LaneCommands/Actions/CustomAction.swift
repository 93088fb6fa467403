import JSON
import LaneEvents
import LaneModel
import LaneRun
import Processes

/// An action that is an executable in `Lanes/actions`.
///
/// It gets one JSON object on standard input, `{"settings": {…}, "directory": …, "root": …, "parameters": {…}}`, and may
/// print JSON lines on standard output: `{"output": {"name": value}}` for later steps, `{"message": text, "level":
/// "note" | "warning" | "error"}` for people. Everything else that it prints is output like any other.
struct CustomAction: StepAction {
    let name: String

    func summary(of settings: Settings) -> String { name }

    func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        let command = Command(
            "\(context.directory)/\(CustomActions.folder)/\(name)", ["run"], environment: context.environment,
            directory: context.directory, input: .bytes(request(settings, context)))
        var result = StepResult()
        var unfinished: [UInt8] = []
        let report: ExitReport
        do throws(SpawnError) {
            report = try context.processes.run(command, limits: RunLimits()) { source, bytes in
                guard source == .standardOutput else {
                    context.send(.stepOutput(OutputChunk(stream: .standardError, bytes: Array(bytes))))
                    return
                }
                unfinished += bytes
                while let end = unfinished.firstIndex(of: UInt8(ascii: "\n")) {
                    take(Array(unfinished[...end]), into: &result, context)
                    unfinished.removeSubrange(...end)
                }
            }
        } catch {
            throw StepFailure(error)
        }
        if !unfinished.isEmpty { take(unfinished, into: &result, context) }
        guard report.succeeded else { throw StepFailure(report) }
        return result
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

    private func take(_ line: [UInt8], into result: inout StepResult, _ context: StepContext) {
        guard line.first == UInt8(ascii: "{"), let node = try? JSONParser.parse(line),
            let members = node["output"]?.members ?? (node["message"]?.string).map({ _ in [] })
        else {
            context.send(.stepOutput(OutputChunk(stream: .standardOutput, bytes: line)))
            return
        }
        for member in members { result.outputs[member.name] = Value(member.value) }
        if let text = node["message"]?.string {
            let level = node["level"]?.string.flatMap(Message.Level.init(rawValue:)) ?? .note
            context.send(.message(Message(level, text)))
        }
    }
}
