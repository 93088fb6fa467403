import Diagnostics
import Expressions
import YAML

extension LaneDecoder {
    /// The hint for an expression that uses the results of steps or the repository.
    private static let planned = "lanes are selected before anything runs"

    mutating func needs(_ member: YAMLMember) -> [LaneCall] {
        let nodes = member.value.sequence ?? [member.value]
        settings.scope.excluded[.matrix] = "a needed lane runs once for all combinations"
        defer { settings.scope.excluded[.matrix] = nil }
        return nodes.compactMap { node in
            guard let members = node.members else { return name(node, place: member.nameSpan) }
            return call(members, LaneKeys.call, nameKey: "lane", owner: "needs", node)
        }
    }

    /// Decodes `lane: test` or `lane: { name: test, parameters: { … } }`.
    mutating func call(_ member: YAMLMember) -> LaneCall? {
        guard let members = member.value.members else { return name(member.value, place: member.nameSpan) }
        return call(members, ActionSchema.lane.settings, nameKey: "name", owner: "lane", member.value)
    }

    private mutating func name(_ node: YAMLNode, place: Span?) -> LaneCall? {
        guard let name = constant(node, .string, place: place)?.text else { return nil }
        return LaneCall(lane: name, span: node.span)
    }

    private mutating func call(
        _ members: [YAMLMember], _ keys: [SettingSchema], nameKey: String, owner: String, _ node: YAMLNode
    ) -> LaneCall? {
        let excluded = settings.scope.excluded
        settings.scope.excluded[.steps] = Self.planned
        settings.scope.excluded[.git] = Self.planned
        defer { settings.scope.excluded = excluded }
        let given = settings.decode(members, keys, of: owner, at: node.span)
        guard let name = given.first(where: { $0.name == nameKey })?.node.constant?.text else {
            if let span = node[nameKey]?.span, given.contains(where: { $0.name == nameKey }) {
                settings.diagnostics.error("expected the name of a lane, found an expression", at: span)
            }
            return nil
        }
        var call = LaneCall(lane: name, span: node[nameKey]?.span)
        var values: [SettingsTemplate.Member] = []
        if case .map(let arguments)? = given.first(where: { $0.name == "parameters" })?.node { values = arguments }
        call.arguments = (node["parameters"]?.members ?? []).map { member in
            // An invalid value has been reported. The parameter still counts as given.
            let value = values.first { $0.name == member.name }?.node ?? .value(.null)
            return LaneArgument(
                name: member.name, node: value, nameSpan: member.nameSpan, valueSpan: member.value.span)
        }
        return call
    }
}
