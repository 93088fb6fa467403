package import Diagnostics
package import Expressions

/// A secret that a step needs and that has no value.
package struct MissingSecret: Sendable {
    /// The name of the environment variable.
    package let name: String
    /// The first step that needs it.
    package let step: PlanStep

    /// The error at the location of the step.
    package var diagnostic: Diagnostic {
        Diagnostic(
            .error, "the secret '\(name)' is not set, and step '\(step.name)' needs it", at: step.span,
            hint: "set the environment variable \(name)")
    }
}

extension Plan {
    /// Returns the secrets that steps name and that have no value, each once.
    ///
    /// A step counts unless its conditions, or those of the lanes around it, are known to be false before the run. Steps
    /// of `on-failure` do not count, because they may never run.
    ///
    /// - Parameters:
    ///   - context: The context outside all groups.
    ///   - only: The ID of the only step that runs, if it is not the whole plan.
    package func missingSecrets(in context: EvaluationContext, only: String? = nil) -> [MissingSecret] {
        let secrets = allSecrets
        guard !secrets.isEmpty else { return [] }
        let conditions = PlanConditions(plan: self, context: context)
        var missing: [MissingSecret] = []
        for step in steps where !step.task.secrets.isEmpty && (only ?? step.id) == step.id {
            guard stage(of: step) != .onFailure else { continue }
            if case .skipped = conditions.verdict(on: step) { continue }
            let given = Set(step.task.environment.map(\.name))
            for name in step.task.secrets.intersection(secrets).subtracting(given).sorted() {
                let isKnown = context.environment[name]?.isEmpty == false || missing.contains { $0.name == name }
                if !isKnown { missing.append(MissingSecret(name: name, step: step)) }
            }
        }
        return missing
    }
}
