import Expressions
import Text
import YAML

extension LaneDecoder {
    /// - Parameter isOfStep: A Boolean value that indicates whether the names must be secrets of the lane. The lane's
    ///   secrets are decoded first.
    mutating func secrets(_ member: YAMLMember, isOfStep: Bool = false) -> [String] {
        if let names = member.value.members?.map(\.name) {
            error(
                "expected a list of names, found a mapping", at: member.value.span,
                hint: "write [\(names.joined(separator: ", "))]; the values come from the environment")
            return []
        }
        return member.value.elements.compactMap { node in
            guard let name = constant(node, .string, keySpan: member.nameSpan)?.text else { return nil }
            guard checkVariable(name, at: node.span) else { return nil }
            if isOfStep { checkSecrets([name], of: "secrets", at: node.span) }
            return name
        }
    }

    /// Reports steps that use undeclared secrets, which would not be masked, and steps that publish before a
    /// transaction is applied.
    mutating func checkPublishing() {
        for (step, action, settings) in lane.stages.flatMap({ Self.publishing(in: $0) }) {
            var names = settings.names("token")
            if action == .require {
                names = (settings.names("secrets") ?? []) + (names ?? [])
            } else if names == nil {
                names = (settings.action?.setting("token")?.defaultValue?.text).map { [$0] }
            }
            checkSecrets(names ?? [], of: action.name, at: step.span)
        }
        guard lane.isTransaction else { return }
        for (step, action, _) in Self.publishing(in: lane.steps) where action == .publish {
            error("'publish' runs in the transaction before it is applied", at: step.span, hint: "move it to 'then'")
        }
    }

    mutating func checkSecrets(_ names: [String], of action: String, at span: Span?) {
        for name in names where !lane.secrets.contains(name) {
            error(
                "'\(action)' uses '\(name)', which is not a secret of the lane", at: span,
                hint: "add 'secrets: [\((lane.secrets + [name]).joined(separator: ", "))]' to the lane")
        }
    }

    /// Returns the steps that publish or check that it is possible.
    private static func publishing(
        in steps: [Step]
    ) -> [(step: Step, action: BuiltInAction, settings: SettingsTemplate)] {
        var found: [(step: Step, action: BuiltInAction, settings: SettingsTemplate)] = []
        steps.forEachStep { step in
            guard case .action(.builtIn(let action), let settings) = step.content else { return }
            switch action {
            case .publish, .pullRequest, .require: found.append((step, action, settings))
            default: break
            }
        }
        return found
    }
}

extension SettingsTemplate {
    /// Returns the strings of a setting that are known before the run, or `nil` if the setting is omitted.
    fileprivate func names(_ setting: String) -> [String]? {
        guard let node = members[setting] else { return nil }
        guard case .list(let nodes) = node else { return node.constant?.texts ?? [] }
        return nodes.compactMap { $0.constant?.text }
    }
}
