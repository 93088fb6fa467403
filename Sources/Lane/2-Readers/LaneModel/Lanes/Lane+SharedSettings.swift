import Expressions

extension Lane {
    /// Copies settings to `require` steps without them: the `files` of `bump`, the target and token of `publish`, and the
    /// condition of `pull-request`.
    ///
    /// Otherwise, `require` could refuse a release because of a file that `bump` does not change, check with a different
    /// token than `publish` uses, or require a push that a pull request replaces.
    mutating func shareSettings() {
        let bump = Self.step(with: .bump, in: steps)?.settings
        let proposal = Self.step(with: .pullRequest, in: steps)
        let publish = (Self.step(with: .publish, in: then) ?? Self.step(with: .publish, in: steps))?.settings
        // If the lane always opens a pull request, it never publishes.
        let isProposal = proposal != nil && proposal?.step.condition == nil
        let target = isProposal ? proposal?.settings : publish ?? proposal?.settings
        guard bump != nil || target != nil else { return }
        for index in steps.indices {
            Self.share(["files"], of: bump, with: &steps[index], having: "version")
            Self.share(["remote", "repository", "token"], of: target, with: &steps[index], having: "publish-to")
            let condition = proposal.flatMap { Self.condition(of: $0.step) }.map { [$0] } ?? []
            Self.share(condition, with: &steps[index], having: "publish-to")
        }
    }

    private static func step(
        with action: BuiltInAction, in steps: [Step]
    ) -> (step: Step, settings: SettingsTemplate)? {
        // Indices avoid copies of the steps.
        for index in steps.indices {
            if case .action(.builtIn(action), let settings) = steps[index].content { return (steps[index], settings) }
        }
        return nil
    }

    /// Returns the condition of a `pull-request` step as a setting, or `nil` if it is unknown when `require` runs.
    private static func condition(of proposal: Step) -> SettingsTemplate.Member? {
        let name = ReleaseNames.pullRequest
        guard let condition = proposal.condition else {
            return SettingsTemplate.Member(name: name, node: .value(.bool(true)))
        }
        guard condition.contexts.isDisjoint(with: [.steps, .item]) else { return nil }
        return SettingsTemplate.Member(name: name, node: .template(Template(parts: [.expression(condition)])))
    }

    private static func share(
        _ names: [String], of other: SettingsTemplate?, with step: inout Step, having name: String
    ) {
        // Expressions cannot be evaluated when `require` runs.
        let members = other?.members.filter { names.contains($0.name) && $0.node.isLiteral } ?? []
        share(members, with: &step, having: name)
    }

    private static func share(_ members: [SettingsTemplate.Member], with step: inout Step, having name: String) {
        guard case .action(.builtIn(.require), let settings) = step.content else { return }
        let own = settings.members.map(\.name)
        guard own.contains(name) else { return }
        step.content = .action(
            .builtIn(.require),
            SettingsTemplate(
                members: settings.members + members.filter { !own.contains($0.name) }, action: settings.action,
                span: settings.span))
    }
}
