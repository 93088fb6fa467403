extension Lane {
    /// Copies the `files` of `bump` to `require` steps without `files`.
    ///
    /// Otherwise `require` could refuse a release because of a file that `bump` does not change.
    mutating func shareVersionFiles() {
        guard let files = Self.files(ofBumpIn: steps) else { return }
        Self.share(files, with: &steps)
    }

    private static func files(ofBumpIn steps: [Step]) -> SettingsTemplate.Member? {
        for step in steps {
            guard case .action(.builtIn(.bump), let settings) = step.content else { continue }
            // An expression has no value yet when `require` runs.
            return settings.members.first { $0.name == "files" && $0.node.isLiteral }
        }
        return nil
    }

    private static func share(_ files: SettingsTemplate.Member, with steps: inout [Step]) {
        for index in steps.indices {
            guard case .action(.builtIn(.require), let settings) = steps[index].content else { continue }
            let names = settings.members.map(\.name)
            guard names.contains("version"), !names.contains("files") else { continue }
            steps[index].content = .action(
                .builtIn(.require),
                SettingsTemplate(
                    members: settings.members + [files], action: settings.action, span: settings.span))
        }
    }
}
