package import LaneModel
import Text

/// Prompts that ask the user for the values of parameters.
package struct Prompts {
    private let write: (String) -> Void
    private let readLine: (_ question: String, _ isHidden: Bool) -> String?

    /// - Parameters:
    ///   - write: Prints a text for the user.
    ///   - readLine: Prints a question and reads a line, hidden or visible. Returns `nil` at the end of the input.
    package init(
        write: @escaping (String) -> Void, readLine: @escaping (_ question: String, _ isHidden: Bool) -> String?
    ) {
        self.write = write
        self.readLine = readLine
    }

    /// Returns a valid text for a parameter, or `nil` at the end of the input. Repeats the question after an invalid
    /// answer.
    package func text(for parameter: Parameter) -> String? {
        let isChoice = parameter.kind == .enum
        if isChoice || parameter.help != nil {
            write(parameter.help.map { "\(parameter.name): \($0)\n" } ?? "\(parameter.name):\n")
        }
        for (index, value) in parameter.values.enumerated() { write("  \(index + 1)) \(value)\n") }
        while true {
            guard let line = readLine(question(parameter), parameter.isSecret) else { return nil }
            let answer = parameter.isSecret ? line : String(line.trimmed)
            if let text = text(of: answer, for: parameter) { return text }
            let found = answer.isEmpty ? "nothing" : parameter.isSecret ? "another value" : "'\(answer)'"
            let hint = parameter.kind == .path ? answer.expansionHint.map { "; \($0)" } : nil
            write("expected \(parameter.type.kind), found \(found)\(hint ?? "")\n")
        }
    }

    private func question(_ parameter: Parameter) -> String {
        switch parameter.kind {
        case .enum: "\(parameter.name) [1-\(parameter.values.count)]: "
        case .bool: "\(parameter.name) [y/n]: "
        case .string, .int, .version, .duration, .path:
            parameter.isSecret ? "\(parameter.name) (hidden): " : "\(parameter.name): "
        }
    }

    private func text(of answer: String, for parameter: Parameter) -> String? {
        switch parameter.kind {
        case .enum:
            if let number = Int(answer), parameter.values.indices.contains(number - 1),
                !parameter.values.contains(answer)
            {
                return parameter.values[number - 1]
            }
        case .bool: return Parameter.answer(answer).map { "\($0)" }
        case .string, .int, .version, .duration, .path: break
        }
        return !answer.isEmpty && parameter.type.reads(answer) ? answer : nil
    }
}
