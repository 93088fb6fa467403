import Expressions
import Text
import YAML

extension LaneDecoder {
    /// Reports an empty command, for which a shell would succeed and do nothing.
    mutating func checkCommand(_ run: YAMLMember) {
        var command = run
        defer {
            checkEffect(of: command.value)
            for node in command.value.elements { checkBraces(of: node) }
        }
        if let members = run.value.members {
            guard let member = members["command"] else { return }
            command = member
        }
        let shell = run.value["shell"]
        guard let words = command.value.sequence else {
            checkWord(command.value, of: "a command", keySpan: command.nameSpan, example: "run: echo hello")
            checkFolding(of: command.value)
            return checkInterpreter(shell, of: command.value)
        }
        if let shell {
            error("'shell' runs a script, found a list", at: shell.span, hint: "write the program first in the list")
        }
        checkShellSyntax(in: words)
        if let program = words.first {
            checkWord(program, of: "a program", keySpan: program.span, example: "run: [echo, hello]")
            if let text = program.scalar?.text, text.contains(" "), !text.contains("/"), !text.contains("${{") {
                warning(
                    "'\(text)' is the name of a program, because a list is one command", at: program.span,
                    hint: "write '- run: \(text)' for each command")
            }
        } else {
            error(
                "expected a program and its arguments, found an empty list", at: command.value.span,
                hint: "for example 'run: [echo, hello]'")
        }
    }

    /// The characters that start what only a shell interprets.
    private static let shellCharacters = Array("$~&|;<>".utf8)

    /// Warns about the first element of a list that only a shell would interpret, such as `&&` or `$HOME`.
    private mutating func checkShellSyntax(in words: [YAMLNode]) {
        for node in words {
            guard let text = node.scalar?.text, let first = text.utf8.first, Self.shellCharacters.contains(first) else {
                continue
            }
            let variable = text.hasPrefix("$") && text.dropFirst().utf8.first?.isLetter == true
            guard variable || text.hasPrefix("~/") || ["&&", "||", "|", ";", "&", ">", ">>", "<"].contains(text) else {
                continue
            }
            return warning(
                "'\(text)' is passed as it is, because no shell reads a list", at: node.span,
                hint: variable && text.dropFirst().utf8.allSatisfy(\.isIdentifierContinuation)
                    ? "write '${{ env.\(text.dropFirst()) }}'" : "write the command as a string")
        }
    }

    /// Warns about a command that changes only its own shell, such as `cd build` as a step of its own.
    private mutating func checkEffect(of command: YAMLNode) {
        let node = command.sequence?.first ?? command
        let lines = (node.scalar?.text ?? "").lines
        guard let line = lines.last, lines.first?.hasPrefix("#!") != true,
            !line.utf8.contains(where: { [UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "|")].contains($0) })
        else { return }
        let hint: String
        switch line.split(separator: " ").first {
        case "cd"?: hint = "set 'directory' in the next steps, or write all commands in one script"
        case "export"?: hint = "set 'env' in the lane, or write NAME=value to \"$LANE_ENV\""
        default: return
        }
        warning("'\(line)' has no effect, because each step has its own shell", at: node.span, hint: hint)
    }

    /// Warns of `{{ parameters.NAME }}`, an expression without `$`, and of the values of Task and just: `{{.NAME}}`.
    private mutating func checkBraces(of node: YAMLNode) {
        guard let text = node.scalar?.text, text.utf8.contains(UInt8(ascii: "{")) else { return }
        let parts = text.parts(separatedBy: "{{")
        for (before, after) in zip(parts, parts.dropFirst()) where !before.hasSuffix("$") {
            let expression = after.before("}").drop { $0 == " " }
            let word = expression.split(separator: " ").first ?? expression
            let bare = String(word.drop { $0 == "." })
            let name: String
            if ContextName(rawValue: String(word.before("."))) != nil, word.contains(".") {
                name = String(word)
            } else if settings.scope.parameters[bare] != nil {
                name = "parameters.\(bare)"
            } else if bare == "CLI_ARGS" {
                name = "arguments"
            } else {
                continue
            }
            warning("'{{ \(word) }}' is plain text", at: node.span, hint: "write '${{ \(name) }}'")
        }
    }

    /// Reports a service without a command or with conflicting settings.
    mutating func checkService(_ service: YAMLMember) {
        guard let members = service.value.members else { return }
        if members["run"] != nil, let image = members["image"] {
            return error("a service has either 'run' or 'image'", at: image.nameSpan, hint: "remove one of them")
        }
        if members["run"] == nil, members["image"] == nil {
            error("a service needs 'run' or 'image'", at: service.nameSpan)
        }
        if let run = members["run"] {
            checkWord(run.value, of: "a command", keySpan: run.nameSpan, example: "run: server")
            for other in ["arguments", "variables"].compactMap({ members[$0] }) {
                error(
                    "'\(other.name)' requires a container, and this service has no 'image'", at: other.nameSpan,
                    hint: "a command gets all variables of its step")
            }
        } else if members["image"] != nil, let port = members["port"], port.value.scalar?.meaning == .integer(0) {
            error(
                "expected the port inside the container, found 0", at: port.value.span,
                hint: "the container's port is published at a free port, 'steps.ID.port'")
        }
        for variable in members["variables"]?.value.elements ?? [] {
            guard let text = variable.scalar?.text, let mark = text.firstIndex(of: "="),
                !Template.isTemplate(String(text[..<mark]))
            else { continue }
            let value = YAMLWriter.quoted(String(text[text.index(after: mark)...]))
            error(
                "expected the name of a variable, found '\(text)'", at: variable.span,
                hint: "write '\(text[..<mark])', and \(inQuotes("env: { \(text[..<mark]): \(value) }")) in the step")
        }
        if members["ready-line"] != nil, let command = members["ready-command"] {
            error(
                "a service has either 'ready-line' or 'ready-command'", at: command.nameSpan,
                hint: "remove one of them")
        }
    }

    /// Reports an expression in a script whose interpreter is not a shell and cannot read the value from a variable.
    private mutating func checkInterpreter(_ shell: YAMLNode?, of command: YAMLNode) {
        guard let script = command.scalar?.text else { return }
        let interpreter = ScriptInterpreter(shell: shell?.scalar?.text, script: script)
        if let shell, interpreter.isShell, let option = interpreter.words.dropFirst().first(where: Self.readsCommand) {
            error(
                "with '\(option)', the shell does not read the file of the script", at: shell.span,
                hint: option == "-c" ? "remove '-c'" : "remove the 'c' from '\(option)'")
        }
        if interpreter.words.isEmpty, let syntax = BashSyntax.first(in: script) {
            warning(
                "\(syntax) needs Bash, and the script runs with 'sh'", at: command.span,
                hint: BashSyntax.hint(for: syntax))
        }
        guard let program = interpreter.words.first, !program.contains("${{"), !interpreter.isShell,
            script.contains("${{")
        else { return }
        error(
            "a script for '\(program)' cannot contain expressions", at: command.span,
            hint: "set a variable in 'env' of the step, and read it in the script")
    }

    /// Returns a Boolean value that indicates whether a word is the option of a shell for a command, such as `-c` or `-euc`.
    private static func readsCommand(_ word: String) -> Bool {
        word.hasPrefix("-") && !word.hasPrefix("--") && word.contains("c")
    }

    mutating func checkWord(_ node: YAMLNode, of expected: String, keySpan: Span?, example: String) {
        guard let text = node.scalar?.text, !node.isNull, text.utf8.allSatisfy(\.isSpace) else { return }
        error(
            "expected \(expected), found \(text.isEmpty ? "an empty string" : "only whitespace")",
            at: node.span(or: keySpan), hint: "for example '\(example)'")
    }
}
