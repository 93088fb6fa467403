extension Lane {
    /// Copies settings to `require` steps without them: the `files` of `bump`, and the target and token of `publish`.
    ///
    /// Otherwise, `require` could refuse a release because of a file that `bump` does not change, or check with a
    /// different token than `publish` uses.
    mutating func shareSettings() {
        let bump = Self.settings(of: .bump, in: steps)
        let publish =
            Self.settings(of: .publish, in: then) ?? Self.settings(of: .publish, in: steps)
            ?? Self.settings(of: .pullRequest, in: steps)
        for index in steps.indices {
            Self.share(["files"], of: bump, with: &steps[index], having: "version")
            Self.share(["remote", "repository", "token"], of: publish, with: &steps[index], having: "publish-to")
        }
    }

    private static func settings(of action: BuiltInAction, in steps: [Step]) -> SettingsTemplate? {
        for step in steps {
            if case .action(.builtIn(action), let settings) = step.content { return settings }
        }
        return nil
    }

    private static func share(
        _ names: [String], of other: SettingsTemplate?, with step: inout Step, having name: String
    ) {
        guard let other, case .action(.builtIn(.require), let settings) = step.content else { return }
        let own = settings.members.map(\.name)
        guard own.contains(name) else { return }
        // Expressions cannot be evaluated when `require` runs.
        let shared = other.members.filter { names.contains($0.name) && !own.contains($0.name) && $0.node.isLiteral }
        step.content = .action(
            .builtIn(.require),
            SettingsTemplate(members: settings.members + shared, action: settings.action, span: settings.span))
    }
}
