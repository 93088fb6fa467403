import Actions
import LaneModel
import OperatingSystem
import Text

/// Advice on a failed shell script whose own messages name no fix.
enum ScriptAdvice {
    /// Returns a hint, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - output: The end of the script's output, with its standard error.
    ///   - parameters: The names of the lane's parameters.
    ///   - isInteractive: A Boolean value that indicates whether the step has the terminal, if there is one.
    static func hint(
        for script: String, status: Int32, output: String, parameters: [String] = [], isInteractive: Bool
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
            guard let program = program(in: last) else { return nil }
            return "chmod +x \(program)"
        case 127 where last.hasSuffix("not found"):
            switch program(in: last) {
            case "source"?:
                return "'sh' has no 'source'; write '.', or 'run: { command: …, shell: bash -euo pipefail }'"
            case let word? where ["[[", "shopt", "declare", "let", "mapfile", "popd", "pushd"].contains(word):
                return "'sh' has no '\(word)'; \(Self.bash)"
            case let word?: return ToolInstallation.line(for: word)
            case nil: return nil
            }
        case 2 where last.contains("Syntax error:") || last.hasSuffix("Bad substitution"):
            return BashSyntax.first(in: script).map { "'sh' has no \($0); \(Self.bash)" }
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

    private static let bash = "write 'run: { command: …, shell: bash -euo pipefail }'"

    /// Returns the program in a message such as `sh: 1: source: not found`.
    private static func program(in line: Substring) -> String? {
        line.split(separator: ":").map { $0.drop { $0 == " " } }.dropLast().last.map(String.init)
    }

    /// Returns a Boolean value that indicates whether a script reads its standard input with `read`.
    private static func readsInput(_ script: String) -> Bool {
        guard !script.utf8.contains(UInt8(ascii: "<")), !script.utf8.contains(UInt8(ascii: "|")) else { return false }
        return script.split { $0.isNewline || $0 == ";" || $0 == "&" }.contains { command in
            command.split(separator: " ").first == "read"
        }
    }
}
