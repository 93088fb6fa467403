package import Actions
import CLibrary
import Events
import Expressions
package import LaneModel
package import OperatingSystem
import Text

/// The `run` action, which runs a command. A list is a program and its arguments, and a string is a script for `sh -eu`
/// or another interpreter.
///
/// A shell script gets the values of expressions as variables (`Settings.variables`), never as part of its text.
package struct RunAction: BuiltInStepAction {
    package static let schema = ActionSchema(
        "run", "Run a command: a string with 'sh -eu', a list directly", shorthand: "command",
        settings: [
            SettingSchema(
                "command", .either([.script, .list(.string)]),
                "The shell script, or the program and its arguments",
                isRequired: true),
            SettingSchema("directory", .path, "The working directory, relative to the root"),
            SettingSchema(
                "shell", .string,
                "The interpreter of a script, such as 'bash -euo pipefail'; by default the one in its '#!' line, or 'sh -eu'"
            ),
        ],
        isCheck: true,
        example: """
            - run: swift run tool --check | tee check.log
            - run: [swift, run, tool, --check]
            - run: { command: [npm, test], directory: Site }
            - run:
                shell: python3
                command: |
                  import os
                  print(os.environ["HOME"])
            - run: |
                #!/usr/bin/env -S bash -euo pipefail
                swift run tool | tee tool.log
            """)

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
        var scriptFile: StepScratchFile?
        defer { scriptFile?.remove() }
        switch settings["command"] {
        case .string(let script):
            let interpreter = ScriptInterpreter(shell: settings.string("shell"), script: script)
            if interpreter.words.isEmpty, script.utf8.count <= Self.maximumArgument {
                words = ShellCommand.words(of: settings["command"])
            } else {
                try requireShell(interpreter, for: settings)
                let isDefault = interpreter.words.isEmpty
                let text = isDefault ? ShellCommand(script).withPipeFailure(inFile: true) : script
                let file = try file(of: text, for: context)
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
        let outputs = outputFile(for: context)
        defer { outputs?.remove() }
        // Replaces the variable of the enclosing run if this run is a step of another.
        environment[StepOutputFile.variable] = outputs?.path
        environment[StepOutputFile.environmentVariable] = outputs?.environmentPath
        let directory = settings.string("directory").map { $0.hasPrefix("/") ? $0 : "\(context.directory)/\($0)" }
        let command = Command(
            program, Array(words.dropFirst()), environment: environment,
            directory: directory ?? context.workingDirectory,
            input: context.isInteractive ? .inherited : .nothing, output: context.isInteractive ? .inherited : .merged)
        var ending: [UInt8] = []
        let report = try convertingSpawnErrors { () throws(SpawnError) in
            try context.processes.run(command, limits: RunLimits()) { source, bytes in
                // A copy of each chunk would cost as much as its transport.
                ending = (ending + bytes.suffix(Self.keptOutput)).suffix(Self.keptOutput)
                context.show(bytes, from: source)
            }
        }
        // After a timeout or cancellation, the runner ends all processes and no warning is necessary.
        if !report.leakedProcesses.isEmpty, report.stoppedBy == nil {
            let what = list(report.leakedProcesses.map(\.description), most: 5)
            context.report(
                .warning,
                "\(what) outlived the command and had to be ended\nhint: use a 'service' step for a program that runs on"
            )
        }
        guard report.succeeded else {
            throw failure(
                report, of: settings, output: String(decoding: ending, as: UTF8.self), in: command.directory, context)
        }
        return StepResult(outputs: try outputs?.read() ?? [:])
    }

    /// The maximum length in bytes of a script that is an argument. It may be an argument twice, with escaped quotes.
    private static let maximumArgument = 1 << 14

    /// The number of bytes in which Linux looks for the interpreter of a script.
    private static let maximumInterpreterLine = 256

    /// The number of bytes of the output that are kept for a hint.
    private static let keptOutput = 500

    /// Returns the failure of a command, with a hint for usual mistakes.
    private func failure(
        _ report: ExitReport, of settings: Settings, output: String, in directory: String?, _ context: StepContext
    ) -> OperationFailure {
        let failure = OperationFailure(report)
        guard report.stoppedBy == nil else { return failure }
        // The output of an interactive step is that of `lane`.
        var hint = ScriptAdvice.terminalHint(for: output)
        if hint == nil, case .string(let script) = settings["command"] {
            hint = ScriptAdvice.hint(
                for: script, status: failure.status, output: output, parameters: context.parameters.keys.sorted(),
                isInteractive: context.isInteractive,
                isExecutable: { access(absolutePath($0, from: directory ?? context.directory), X_OK) == 0 },
                endsLinesInReturns: { file in
                    let path = absolutePath(file, from: directory ?? context.directory)
                    let bytes = (try? readStart(of: path, Self.maximumInterpreterLine)) ?? []
                    return bytes.starts(with: "#!".utf8)
                        && bytes.prefix { $0 != UInt8(ascii: "\n") }.last == UInt8(ascii: "\r")
                })
        }
        return hint.map { OperationFailure(status: failure.status, "\(failure.message)\nhint: \($0)") } ?? failure
    }

    /// Throws if the script contains expressions and its interpreter is not a shell.
    private func requireShell(_ interpreter: ScriptInterpreter, for settings: Settings) throws(OperationFailure) {
        guard !interpreter.isShell, !settings.variables.isEmpty else { return }
        throw OperationFailure(
            status: ExitStatus.refused.rawValue,
            "a script for '\(interpreter.words.first ?? "")' cannot contain expressions\nhint: set a variable in 'env' of the step, and read it in the script"
        )
    }

    private func file(of script: String, for context: StepContext) throws(OperationFailure) -> StepScratchFile {
        try convertingFileErrors { () throws(FileError) in
            let file = try StepScratchFile("script", below: context.root, for: context.environment)
            try writeFile(Array(script.utf8), to: file.path)
            return file
        }
    }

    /// Creates the file for the outputs of a step with an `id`, or returns `nil` for any other step.
    private func outputFile(for context: StepContext) -> StepOutputFile? {
        guard context.isNamed else { return nil }
        do {
            return try StepOutputFile(below: context.root, for: context.environment)
        } catch {
            context.report(.warning, "\(error.description), so the step can have no outputs")
            return nil
        }
    }
}

/// Advice on a failed command whose own messages name no fix.
enum ScriptAdvice {
    /// What programs print that ask a question and have no terminal: sudo, git, docker, gpg and Python.
    private static let questions = [
        "a terminal is required", "no tty present", "could not read Username", "could not read Password",
        "is not a TTY", "is not a terminal", "Inappropriate ioctl for device", "EOFError: EOF when reading a line",
    ]

    /// Returns a hint if the end of a command's output says that the command needs a terminal.
    static func terminalHint(for output: String) -> String? {
        let lines = output.split(separator: "\n").suffix(3)
        guard lines.contains(where: { line in questions.contains(where: line.contains) }) else { return nil }
        return "a step has no terminal to ask on; add 'interactive: true' to it"
    }

    /// Returns a hint for a shell script, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - output: The end of the script's output, with its standard error.
    ///   - parameters: The names of the lane's parameters.
    ///   - isInteractive: A Boolean value that indicates whether the step has the terminal, if there is one.
    ///   - isExecutable: Returns a Boolean value that indicates whether a path has the permission to run. A directory has
    ///     it, too.
    ///   - endsLinesInReturns: Returns a Boolean value that indicates whether the first line of a file ends with a
    ///     carriage return, as on Windows. The system then finds no interpreter.
    static func hint(
        for script: String, status: Int32, output: String, parameters: [String] = [], isInteractive: Bool,
        isExecutable: (String) -> Bool = { _ in false }, endsLinesInReturns: (String) -> Bool = { _ in false }
    ) -> String? {
        let last = output.split(separator: "\n").last ?? ""
        if last.hasSuffix("parameter not set") || last.hasSuffix("unbound variable"), let name = program(in: last) {
            if [StepOutputFile.variable, StepOutputFile.environmentVariable].contains(name) {
                return "give the step an 'id', so that it can pass values to later steps"
            }
            switch name {
            case "GITHUB_OUTPUT": return "write to \"$\(StepOutputFile.variable)\", and give the step an 'id'"
            case "GITHUB_ENV": return "write to \"$\(StepOutputFile.environmentVariable)\", and give the step an 'id'"
            default: break
            }
            if let parameter = parameters.first(where: { $0.replacing("-", with: "_") == name.lowercased() }) {
                return "write '${{ parameters.\(parameter) }}'"
            }
            if bashVariables.contains(name) || name.hasPrefix("BASH_") { return advice(onBash: "'\(name)'") }
            return name.allSatisfy(\.isNumber)
                ? "a script has no arguments; use '${{ arguments }}' or a parameter of the lane"
                : "correct the name of the variable, set it in 'env' or with \"$\(StepOutputFile.environmentVariable)\" in "
                    + "an earlier step, or write '${\(name):-}' if it may be missing"
        }
        switch status {
        // In a file of make or just, these are no parts of the command.
        case 2 where script.hasPrefix("-"):
            return "remove the '-' at the start, and set 'continue-on-error: true' in the step"
        case 127 where script.hasPrefix("@"): return "remove the '@' at the start"
        case 126 where last.hasSuffix("Permission denied"):
            guard let program = program(in: last), !isExecutable(program) else { return nil }
            return "chmod +x \(ShellWords.quoted(program))"
        case 127 where last.hasSuffix("not found"):
            switch program(in: last) {
            case "source"?:
                return "'sh' has no 'source'; write '.', or 'run: { command: …, shell: bash -euo pipefail }'"
            case let word? where word.unicodeScalars.contains { ["“", "”", "‘", "’"].contains($0) }:
                return "use straight quotes: \" or '"
            case let word? where BashSyntax.commands.contains(word): return advice(onBash: "'\(word)'")
            case let word? where word.contains("/"):
                return endsLinesInReturns(word) ? "save '\(word)' with Unix line endings" : nil
            // `((x++))` is the command 'x++'. Bash, which says 'command not found', has the syntax.
            case let word?:
                let isBash = last.hasSuffix("command not found")
                return ToolInstallation.line(for: word)
                    ?? (isBash ? nil : BashSyntax.first(in: script).map(advice(onBash:)))
            case nil: return nil
            }
        case 1 where last.hasSuffix(": bad trap"),
            2 where ["Syntax error:", "Bad substitution", "Illegal option"].contains(where: last.contains):
            return BashSyntax.first(in: script).map(advice(onBash:))
        case 141 where script.utf8.contains(UInt8(ascii: "|")):
            return "SIGPIPE ended a command of a pipeline, because a later one such as 'head' stopped reading; "
                + "write '{ COMMAND || [ $? = 141 ]; } | head' if that is right"
        case 1 where readsInput(script):
            return isInteractive
                ? "there is no terminal to read from; use a parameter of the lane"
                : "a step has no input; use a parameter of the lane, or add 'interactive: true' to the step"
        default: return nil
        }
    }

    /// The variables that Bash sets, besides those whose names start with `BASH_`.
    private static let bashVariables: Set<String> = [
        "EPOCHREALTIME", "EPOCHSECONDS", "EUID", "FUNCNAME", "GROUPS", "HOSTNAME", "HOSTTYPE", "OSTYPE", "PIPESTATUS",
        "RANDOM", "SECONDS", "SHLVL", "SRANDOM", "UID",
    ]

    private static func advice(onBash syntax: String) -> String {
        "'sh' has no \(syntax); \(BashSyntax.hint(for: syntax))"
    }

    /// Returns the program in a message such as `sh: 1: source: not found`.
    private static func program(in line: Substring) -> String? {
        line.split(separator: ":").map { $0.drop { $0 == " " } }.dropLast().last.map(String.init)
    }

    /// Returns a Boolean value that indicates whether a script reads its standard input with `read`.
    private static func readsInput(_ script: String) -> Bool {
        guard !script.utf8.contains(UInt8(ascii: "<")), !script.utf8.contains(UInt8(ascii: "|")) else { return false }
        let commands = script.utf8.split { "\r\n;&".utf8.contains($0) }
        return commands.contains { $0.split(separator: UInt8(ascii: " ")).first?.elementsEqual("read".utf8) ?? false }
    }
}
