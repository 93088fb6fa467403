import Diagnostics
package import Expressions
import Files
import LaneEvents
package import LaneModel
import Processes

/// The `run` action: a list is a program with its arguments, a string is a script for `sh -eu` or another program.
///
/// A script for a shell gets values as variables (`Settings.variables`), never as part of its text.
package struct RunAction: StepAction {
    package init() {}

    package func summary(of settings: Settings) -> String {
        command(of: settings) ?? "runs nothing"
    }

    /// Returns the command as the shell would see it, with values inserted and without the line end of a `|` block.
    package func command(of settings: Settings) -> String? {
        switch settings["command"] {
        case .list: settings.strings("command").map(ShellWords.line)
        case .string(let script): Self.withoutLineEnds(settings.script(script))
        default: nil
        }
    }

    private static func withoutLineEnds(_ text: String) -> String {
        var bytes = text.utf8[...]
        while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return String(Substring(bytes))
    }

    package func run(_ settings: Settings, in context: StepContext) throws(StepFailure) -> StepResult {
        var words: [String] = []
        var scriptFile: StepFile?
        defer { scriptFile?.remove() }
        switch settings["command"] {
        case .string(let script):
            let interpreter = ScriptInterpreter(shell: settings.string("shell"), script: script)
            if interpreter.words.isEmpty {
                words = Self.words(of: settings["command"])
            } else {
                try requireShell(interpreter, for: settings)
                let file = try self.file(of: script, for: context)
                scriptFile = file
                words = interpreter.words + [file.path]
            }
        case .list: words = settings.strings("command") ?? []
        default: break
        }
        guard let program = words.first, !program.isEmpty else {
            throw StepFailure(status: ExitStatus.refused.rawValue, "there is no command to run")
        }
        var environment = context.environment
        for (name, value) in settings.variables { environment[name] = value }
        let outputs = laneOutput(for: context)
        defer { outputs?.remove() }
        // Replaces the variable of an outer run, if this run is a step of one.
        environment[LaneOutput.variable] = outputs?.path
        let directory = settings.string("directory").map { $0.hasPrefix("/") ? $0 : "\(context.directory)/\($0)" }
        let command = Command(
            program, Array(words.dropFirst()), environment: environment,
            directory: directory ?? context.workingDirectory,
            input: context.isInteractive ? .inherited : .nothing, output: context.isInteractive ? .inherited : .piped)
        let report: ExitReport
        do {
            report = try context.processes.run(command, limits: RunLimits()) { context.show($1, from: $0) }
        } catch {
            throw StepFailure(error)
        }
        // After a timeout or cancellation every process is ended anyway.
        if report.leakedProcesses > 0, report.stoppedBy == nil {
            let what = count(report.leakedProcesses, "process", "processes")
            context.tell(.warning, "\(what) outlived the command and had to be ended")
        }
        guard report.succeeded else { throw StepFailure(report) }
        return StepResult(outputs: try outputs?.read() ?? [:])
    }

    /// Returns the program and its arguments for a script or a list.
    package static func words(of command: Value?) -> [String] {
        switch command {
        case .string(let script): ["sh", "-euc", withPipeFailure(script)]
        case .list(let words): words.compactMap(\.text)
        default: []
        }
    }

    /// Returns a script that fails if any command of a pipeline does, where the system's `sh` can do that. The result of
    /// trying it in a subshell decides, as some shells exit at an unknown option.
    private static func withPipeFailure(_ script: String) -> String {
        guard script.utf8.contains(UInt8(ascii: "|")) else { return script }
        return "if (set -o pipefail) 2>/dev/null; then set -o pipefail; fi; \(script)"
    }

    /// Throws if a program that is no shell would get values as variables.
    private func requireShell(_ interpreter: ScriptInterpreter, for settings: Settings) throws(StepFailure) {
        guard !interpreter.isShell, !settings.variables.isEmpty else { return }
        throw StepFailure(
            status: ExitStatus.refused.rawValue,
            "a script for '\(interpreter.words.first ?? "")' cannot contain expressions\nhint: set a variable in 'env' of the step, and read it in the script"
        )
    }

    private func file(of script: String, for context: StepContext) throws(StepFailure) -> StepFile {
        do {
            let file = try StepFile("script", below: context.root, for: context.environment)
            try writeFile(Array(script.utf8), to: file.path)
            return file
        } catch {
            throw StepFailure(error)
        }
    }

    /// Creates the file for the outputs of a step with an id.
    private func laneOutput(for context: StepContext) -> LaneOutput? {
        guard context.isNamed else { return nil }
        do {
            return try LaneOutput(below: context.root, for: context.environment)
        } catch {
            context.tell(.warning, "\(error.description), so the step can have no outputs")
            return nil
        }
    }
}

extension Settings {
    fileprivate func script(_ text: String) -> String {
        variables.reversed().reduce(text) { text, variable in
            let reference = "${\(variable.name)}"
            return text.replacing("\"\(reference)\"", with: ShellWords.quoted(variable.value))
                .replacing(reference, with: variable.value)
        }
    }
}
