package import Actions
package import LaneModel
package import OperatingSystem
import Text

/// An action that is an executable in `Lanes/actions`.
///
/// The executable gets one JSON object on standard input, `{"settings": {…}, "directory": …, "root": …, "parameters":
/// {…}}`. It can print JSON lines on standard output: `{"output": {"name": value}}` for later steps, and `{"message":
/// text, "level": "note" | "warning" | "error"}` for users. All other lines are output.
package struct CustomAction: StepAction {
    private let name: String
    private let executable: String?

    /// - Parameter executable: The path of the executable, or `nil` for an executable in `Lanes/actions` of the step's
    ///   directory.
    package init(name: String, executable: String? = nil) {
        self.name = name
        self.executable = executable
    }

    package func summary(of settings: Settings) -> String { name }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        let command = Command(
            executable ?? "\(context.directory)/\(ActionDirectory.ownPath)/\(name)", ["run"],
            environment: context.environment, directory: context.workingDirectory,
            input: .bytes(request(settings, context)))
        var parser = ActionOutputParser(context)
        let report: ExitReport
        do throws(SpawnError) {
            report = try context.unmasked.run(command, limits: RunLimits()) { source, bytes in
                parser.append(bytes, from: source)
            }
        } catch {
            throw OperationFailure(error)
        }
        parser.finish()
        guard report.succeeded else { throw OperationFailure(report) }
        try StepOutputFile.check(parser.outputs.keys)
        return StepResult(outputs: parser.outputs)
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
