import Expressions
import Text

extension PlanBuilder {
    /// Returns the name of a step for the output. The name contains the matrix combination, if any.
    func name(
        of step: Step, _ action: ActionKind, _ settings: SettingsTemplate, _ group: PlanningGroup
    ) -> String {
        var name =
            step.name.map { $0.shownText($0.isLiteral ? nil : known(in: group)) }
            ?? settings.headline(settings.isLiteral ? nil : known(in: group))
            ?? (action == .builtIn(.service) ? step.id : nil) ?? action.name
        if let item = step.item, !name.contains(item) { name += " (\(item))" }
        // Values may contain line breaks and control characters.
        return TerminalText.onOneLine(group.combination.isEmpty ? name : "\(name) (\(group.combination))")
    }

    /// Returns the expressions whose sources a name contains.
    func expressions(in name: String, of step: Step, _ settings: SettingsTemplate) -> [Expression] {
        Template.isTemplate(name) ? step.name?.expressions ?? settings.expressions : []
    }

    private func known(in group: PlanningGroup) -> KnownValues {
        if let known = group.known { return known }
        let values = groups[group.group]
        var hidden = group.hidden
        for secret in secrets {
            guard let text = context.environment[secret], !text.isEmpty else { continue }
            for (name, value) in values.parameters where value.text?.contains(text) == true {
                hidden.insert(name)
            }
        }
        let known = KnownValues(values, hidden: hidden)
        group.known = known
        return known
    }
}
