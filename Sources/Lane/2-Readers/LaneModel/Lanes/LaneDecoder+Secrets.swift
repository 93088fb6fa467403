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
        for action in [BuiltInAction.publish, .pullRequest] {
            for (step, settings) in lane.stages.flatMap({ Self.steps(with: action, in: $0) }) {
                let token = settings.action?.setting("token")?.defaultValue?.text
                checkSecrets(settings.names("token") ?? [token].compactMap(\.self), of: action.name, at: step.span)
            }
        }
        for (step, settings) in Self.steps(with: .require, in: lane.steps) {
            let names = (settings.names("secrets") ?? []) + (settings.names("token") ?? [])
            checkSecrets(names, of: "require", at: step.span)
        }
        guard lane.isTransaction else { return }
        for (step, _) in Self.steps(with: .publish, in: lane.steps) {
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

    private static func steps(
        with action: BuiltInAction, in steps: [Step]
    ) -> [(step: Step, settings: SettingsTemplate)] {
        var found: [(step: Step, settings: SettingsTemplate)] = []
        steps.forEachStep { step in
            if case .action(.builtIn(action), let settings) = step.content { found.append((step, settings)) }
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
