import Events
package import Expressions
package import LaneModel
package import OperatingSystem
import Text

/// The `run` action, which runs a command. A list is a program and its arguments, and a string is a script for `sh -eu`
/// or another interpreter.
///
/// A shell script gets the values of expressions as variables (`Settings.variables`), never as part of its text.
package struct RunAction: StepAction {
    package init() {}

    package func summary(of settings: Settings) -> String {
        command(of: settings) ?? "runs nothing"
    }

    package func command(of settings: Settings, in directory: String) -> String? { command(of: settings) }

    /// Returns the command with inserted values and without the line breaks at the end of a `|` block.
    package func command(of settings: Settings) -> String? {
        switch settings["command"] {
        case .list: settings.strings("command").map(ShellWords.line)
        case .string(let script): Self.withoutLineEnds(settings.shown(script: script))
        default: nil
        }
    }

    private static func withoutLineEnds(_ text: String) -> String {
        var bytes = text.utf8[...]
        while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return String(Substring(bytes))
    }

    package func run(_ settings: Settings, in context: StepContext) throws(OperationFailure) -> StepResult {
        var words: [String] = []
        var scriptFile: StepFile?
        defer { scriptFile?.remove() }
        switch settings["command"] {
        case .string(let script):
            let interpreter = ScriptInterpreter(shell: settings.string("shell"), script: script)
            if interpreter.words.isEmpty, script.utf8.count <= Self.maximumArgument {
                words = Self.words(of: settings["command"])
            } else {
                try requireShell(interpreter, for: settings)
                let isDefault = interpreter.words.isEmpty
                let file = try file(of: isDefault ? Self.withPipeFailure(script, inFile: true) : script, for: context)
                scriptFile = file
                words = (isDefault ? ["sh", "-eu"] : interpreter.words) + [file.path]
            }
        case .list: words = settings.strings("command") ?? []
        default: break
        }
        guard let program = words.first, !program.isEmpty else {
            throw OperationFailure(status: ExitStatus.refused.rawValue, "there is no command to run")
        }
        var environment = context.environment
        for (name, value) in settings.variables { environment[name] = value }
        let outputs = laneOutput(for: context)
        defer { outputs?.remove() }
        // Replaces the variable of the enclosing run if this run is a step of another.
        environment[LaneOutput.variable] = outputs?.path
        environment[LaneOutput.environmentVariable] = outputs?.environmentPath
        let directory = settings.string("directory").map { $0.hasPrefix("/") ? $0 : "\(context.directory)/\($0)" }
        let command = Command(
            program, Array(words.dropFirst()), environment: environment,
            directory: directory ?? context.workingDirectory,
            input: context.isInteractive ? .inherited : .nothing, output: context.isInteractive ? .inherited : .merged)
        let report: ExitReport
        var ending: [UInt8] = []
        do {
            report = try context.processes.run(command, limits: RunLimits()) { source, bytes in
                // A copy of each chunk would cost as much as its transport.
                ending = (ending + bytes.suffix(Self.keptOutput)).suffix(Self.keptOutput)
                context.show(bytes, from: source)
            }
        } catch {
            throw OperationFailure(error)
        }
        // After a timeout or cancellation, the runner ends all processes and no warning is necessary.
        if report.leakedProcesses > 0, report.stoppedBy == nil {
            let what = count(report.leakedProcesses, "process", "processes")
            context.report(.warning, "\(what) outlived the command and had to be ended")
        }
        guard report.succeeded else {
            throw failure(report, of: settings, output: String(decoding: ending, as: UTF8.self), in: context)
        }
        return StepResult(outputs: try outputs?.read() ?? [:])
    }

    /// The maximum length in bytes of a script that is an argument. It may be an argument twice, with escaped quotes.
    private static let maximumArgument = 1 << 14

    /// The number of bytes of the output that are kept for a hint.
    private static let keptOutput = 500

    /// Returns the failure of a command, with a hint for usual mistakes in scripts.
    private func failure(
        _ report: ExitReport, of settings: Settings, output: String, in context: StepContext
    ) -> OperationFailure {
        let failure = OperationFailure(report)
        guard case .string(let script) = settings["command"], report.stoppedBy == nil,
            let hint = ScriptAdvice.hint(
                for: script, status: failure.status, output: output, parameters: context.parameters.keys.sorted(),
                isInteractive: context.isInteractive)
        else { return failure }
        return OperationFailure(status: failure.status, "\(failure.message)\nhint: \(hint)")
    }

    /// Returns the words of a command: a program and its arguments, or a script as one word.
    package static func words(of command: Value?) -> [String] {
        switch command {
        case .string(let script): ["sh", "-euc", withPipeFailure(script)]
        case .list(let words): words.compactMap(\.text)
        default: []
        }
    }

    /// Returns a script that fails if any command of a pipeline fails: with `pipefail`, or in bash if `sh` does not
    /// support the option. Tests the option in a subshell, because some shells exit at an unknown option.
    private static func withPipeFailure(_ script: String, inFile: Bool = false) -> String {
        guard hasPipe(script) else { return script }
        let words = inFile ? "\"$0\"" : "-c \(ShellWords.quoted(script))"
        return "if (set -o pipefail) 2>/dev/null; then set -o pipefail; elif command -v bash >/dev/null; then "
            + "exec bash --posix -euo pipefail \(words); fi; \(script)"
    }

    /// Returns a Boolean value that indicates whether a script contains `|` that is not a part of `||`.
    private static func hasPipe(_ script: String) -> Bool {
        var previous = UInt8(ascii: "\n")
        var run = 0
        for byte in Array(script.utf8) + [previous] {
            if byte == UInt8(ascii: "|") {
                run += 1
            } else if previous == UInt8(ascii: "|") {
                if run % 2 == 1 { return true }
                run = 0
            }
            previous = byte
        }
        return false
    }

    /// Throws if the script contains expressions and its interpreter is not a shell.
    private func requireShell(_ interpreter: ScriptInterpreter, for settings: Settings) throws(OperationFailure) {
        guard !interpreter.isShell, !settings.variables.isEmpty else { return }
        throw OperationFailure(
            status: ExitStatus.refused.rawValue,
            "a script for '\(interpreter.words.first ?? "")' cannot contain expressions\nhint: set a variable in 'env' of the step, and read it in the script"
        )
    }

    private func file(of script: String, for context: StepContext) throws(OperationFailure) -> StepFile {
        do {
            let file = try StepFile("script", below: context.root, for: context.environment)
            try writeFile(Array(script.utf8), to: file.path)
            return file
        } catch {
            throw OperationFailure(error)
        }
    }

    /// Creates the file for the outputs of a step with an `id`, or returns `nil` for any other step.
    private func laneOutput(for context: StepContext) -> LaneOutput? {
        guard context.isNamed else { return nil }
        do {
            return try LaneOutput(below: context.root, for: context.environment)
        } catch {
            context.report(.warning, "\(error.description), so the step can have no outputs")
            return nil
        }
    }
}
