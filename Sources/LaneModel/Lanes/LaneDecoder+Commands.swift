import Text
import Diagnostics
import YAML

extension LaneDecoder {
    /// Reports a command without words. A shell would succeed without doing anything.
    mutating func checkCommand(_ run: YAMLMember) {
        var command = run
        if let members = run.value.members {
            guard let member = members.first(where: { $0.name == "command" }) else { return }
            command = member
        }
        guard let words = command.value.sequence else {
            checkWord(command.value, of: "a command", place: command.nameSpan, example: "run: echo hello")
            return
        }
        if let program = words.first {
            checkWord(program, of: "a program", place: program.span, example: "run: [echo, hello]")
        } else {
            settings.diagnostics.error(
                "expected a program and its arguments, found an empty list", at: command.value.span,
                hint: "for example 'run: [echo, hello]'")
        }
    }

    private mutating func checkWord(_ node: YAMLNode, of expected: String, place: Span?, example: String) {
        guard let text = node.scalar?.text, !node.isNull, text.utf8.allSatisfy(\.isSpace) else { return }
        settings.diagnostics.error(
            "expected \(expected), found \(text.isEmpty ? "an empty string" : "only whitespace")",
            at: node.span(or: place), hint: "for example '\(example)'")
    }
}
