import Expressions
import Text
import YAML

extension LaneDecoder {
    /// The hint for an expression that uses the results of steps or the repository.
    private static let planned = "lanes are selected before anything runs"

    /// Decodes the aliases of the lane.
    mutating func aliases(_ member: YAMLMember) -> [LaneAlias] {
        member.value.elements.compactMap { node in
            constant(node, .string, keySpan: member.nameSpan)?.text.map {
                LaneAlias(name: fullName(of: $0), span: node.span)
            }
        }
    }

    mutating func needs(_ member: YAMLMember) -> [LaneCall] {
        settings.scope.excluded[.matrix] = "a needed lane runs once for all combinations"
        settings.scope.excluded[.let] = "needed lanes run first"
        defer {
            settings.scope.excluded[.matrix] = nil
            settings.scope.excluded[.let] = nil
        }
        return member.value.elements.compactMap { node in
            guard let members = node.members else { return name(node, keySpan: member.nameSpan) }
            return call(members, of: "needs", node.span)
        }
    }

    /// Decodes `lane: test` with the `parameters` beside it.
    mutating func call(_ member: YAMLMember, among members: [YAMLMember]) -> LaneCall? {
        guard member.value.members == nil else {
            error(
                "expected the name of a lane, found a mapping", at: member.value.span,
                hint: "write 'lane: NAME', and 'parameters' beside it")
            return nil
        }
        return call(
            members.filter { LaneKeys.callNames.contains($0.name) }, of: "lane", member.value.span(or: member.nameSpan))
    }

    /// Returns the full name of a lane. A lane of an import refers only to lanes of the same import.
    func fullName(of name: String) -> String { origin.map { "\($0)/\(name)" } ?? name }

    private mutating func name(_ node: YAMLNode, keySpan: Span?) -> LaneCall? {
        guard let name = constant(node, .string, keySpan: keySpan)?.text else { return nil }
        return LaneCall(lane: fullName(of: name), span: node.span)
    }

    private mutating func call(_ members: [YAMLMember], of owner: String, _ span: Span?) -> LaneCall? {
        let excluded = settings.scope.excluded
        settings.scope.excluded[.steps] = Self.planned
        settings.scope.excluded[.git] = Self.planned
        defer { settings.scope.excluded = excluded }
        let given = settings.decode(members, LaneKeys.call, of: owner, at: span)
        let lane = members["lane"]
        guard let name = given["lane"]?.constant?.text else {
            if let lane, given["lane"] != nil {
                error("expected the name of a lane, found an expression", at: lane.value.span)
            }
            return nil
        }
        var call = LaneCall(lane: fullName(of: name), span: lane?.value.span)
        var values: [SettingsTemplate.Member] = []
        if case .map(let arguments)? = given["parameters"] { values = arguments }
        call.arguments = (members["parameters"]?.value.members ?? []).map { member in
            // An invalid value is already reported, and the parameter counts as set.
            let value = values[member.name] ?? .value(.null)
            return LaneArgument(
                name: member.name, node: value, nameSpan: member.nameSpan, valueSpan: member.value.span)
        }
        return call
    }
}
