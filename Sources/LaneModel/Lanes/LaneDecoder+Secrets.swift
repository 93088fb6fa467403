import Diagnostics

extension LaneDecoder {
    /// What steps want of the lane's secrets: one that is used must be declared, or it would be shown wherever a program
    /// prints it. And nothing can be published before the transaction that makes it is real.
    mutating func checkPublishing() {
        for (step, settings) in steps(with: .publish, in: lane.steps, lane.then, lane.onFailure, lane.always) {
            checkSecrets(settings.names("token") ?? [ActionSchema.publishToken], of: "publish", at: step.span)
        }
        for (step, settings) in steps(with: .require, in: lane.steps) {
            checkSecrets(settings.names("secrets") ?? [], of: "require", at: step.span)
        }
        guard lane.isTransaction else { return }
        for (step, _) in steps(with: .publish, in: lane.steps) {
            settings.diagnostics.error(
                "'publish' stands in the transaction, which is not real yet", at: step.span, hint: "put it into 'then'")
        }
    }

    mutating func checkSecrets(_ names: [String], of action: String, at span: Span?) {
        for name in names where !lane.secrets.contains(name) {
            settings.diagnostics.error(
                "'\(action)' uses '\(name)', which is none of the lane's secrets", at: span,
                hint: "add 'secrets: [\((lane.secrets + [name]).joined(separator: ", "))]' to the lane")
        }
    }

    private typealias ActionStep = (step: Step, settings: SettingsTemplate)

    private func steps(with action: BuiltInAction, in stages: [Step]...) -> [ActionStep] {
        var found: [ActionStep] = []
        for steps in stages { Self.collect(action, in: steps, into: &found) }
        return found
    }

    /// By the steps' places, as next to none is worth a copy.
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
    /// The texts of a setting that are known before anything runs; `nil` when it was left out.
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
