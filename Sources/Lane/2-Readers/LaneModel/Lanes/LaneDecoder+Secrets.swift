import Expressions
import Text
import YAML

extension LaneDecoder {
    /// - Parameter isOfStep: A Boolean value that indicates whether the names must be secrets of the lane. The lane's
    ///   secrets are decoded first.
    mutating func secrets(_ member: YAMLMember, isOfStep: Bool = false) -> [String] {
        if let names = member.value.members?.map(\.name) {
            settings.diagnostics.error(
                "expected a list of names, found a mapping", at: member.value.span,
                hint: "write [\(names.joined(separator: ", "))]; the values come from the environment")
            return []
        }
        let nodes = member.value.sequence ?? [member.value]
        return nodes.compactMap { node in
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
            for (step, settings) in steps(with: action, inAllStages: true) {
                let token = settings.action?.setting("token")?.defaultValue?.text
                checkSecrets(settings.names("token") ?? [token].compactMap(\.self), of: action.name, at: step.span)
            }
        }
        for (step, settings) in steps(with: .require) {
            let names = (settings.names("secrets") ?? []) + (settings.names("token") ?? [])
            checkSecrets(names, of: "require", at: step.span)
        }
        guard lane.isTransaction else { return }
        for (step, _) in steps(with: .publish) {
            settings.diagnostics.error(
                "'publish' runs in the transaction before it is applied", at: step.span, hint: "move it to 'then'")
        }
    }

    mutating func checkSecrets(_ names: [String], of action: String, at span: Span?) {
        for name in names where !lane.secrets.contains(name) {
            settings.diagnostics.error(
                "'\(action)' uses '\(name)', which is not a secret of the lane", at: span,
                hint: "add 'secrets: [\((lane.secrets + [name]).joined(separator: ", "))]' to the lane")
        }
    }

    private typealias ActionStep = (step: Step, settings: SettingsTemplate)

    private func steps(with action: BuiltInAction, inAllStages: Bool = false) -> [ActionStep] {
        var found: [ActionStep] = []
        Self.collect(action, in: lane.steps, into: &found)
        guard inAllStages else { return found }
        Self.collect(action, in: lane.then, into: &found)
        Self.collect(action, in: lane.onFailure, into: &found)
        Self.collect(action, in: lane.always, into: &found)
        return found
    }

    /// Appends the steps with an action. Iterates over indices to avoid copies of the other steps.
    private static func collect(_ action: BuiltInAction, in steps: [Step], into found: inout [ActionStep]) {
        for index in steps.indices {
            switch steps[index].content {
            case .action(.builtIn(action), let settings): found.append((steps[index], settings))
            case .parallel(let inner): collect(action, in: inner, into: &found)
            case .action, .lane: break
            }
        }
    }
}

extension SettingsTemplate {
    /// Returns the strings of a setting that are known before the run, or `nil` if the setting is omitted.
    fileprivate func names(_ setting: String) -> [String]? {
        guard let member = members.first(where: { $0.name == setting }) else { return nil }
        switch member.node {
        case .list(let nodes): return nodes.compactMap { $0.constant?.text }
        case let node:
            guard case .list(let values)? = node.constant else { return node.constant?.text.map { [$0] } ?? [] }
            return values.compactMap(\.text)
        }
    }
}
