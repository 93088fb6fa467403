import Expressions
import Text
import YAML

extension LaneDecoder {
    /// Returns the values of `foreach`, or `nil` if the step has none.
    mutating func foreach(_ members: [YAMLMember]) -> StepItems? {
        guard let member = members.first(where: { $0.name == "foreach" }) else { return nil }
        let excluded = settings.scope.excluded
        defer { settings.scope.excluded = excluded }
        settings.scope.excluded[.steps] = "the values are computed before the first step"
        if let nodes = member.value.sequence {
            if nodes.isEmpty {
                settings.diagnostics.error("expected a list of values, found an empty one", at: member.value.span)
            } else if nodes.count > Self.maximumCombinations {
                settings.diagnostics.error(
                    "'foreach' has more than \(Self.maximumCombinations) values", at: member.nameSpan)
            }
        }
        if let text = member.value.scalar?.text, text.contains("*"), text.contains("/"), !text.contains("${{") {
            settings.diagnostics.add(
                Diagnostic(
                    .warning, "'\(text)' is one value, not the files that match it", at: member.value.span,
                    hint: "write 'foreach: { files: \(YAMLWriter.quoted(text)) }'"))
        }
        guard let keys = member.value.members else {
            return settings.decode(member.value, .list(.string), keySpan: member.nameSpan).map {
                StepItems(kind: .values, node: $0, span: member.value.span)
            }
        }
        let files = settings.decode(keys, LaneKeys.items, of: "foreach", at: member.value.span)
        return files.first.map { StepItems(kind: .files, node: $0.node, span: member.value.span) }
    }
}
