package import Expressions
package import Text

/// A secret without a value that a step requires.
package struct MissingSecret: Sendable {
    /// The name of the environment variable.
    package let name: String
    /// The first step that requires the secret.
    package let step: PlanStep

    /// The error at the location of the step.
    package var diagnostic: Diagnostic {
        Diagnostic(
            .error, "the secret '\(name)' is not set, and step \(inQuotes(step.name)) needs it", at: step.span,
            hint: "set the environment variable \(name)")
    }
}

extension Plan {
    /// Returns the secrets without a value that steps require, without duplicates.
    ///
    /// Ignores steps with a condition, or in a lane with a condition, that is known to be false. Ignores steps of
    /// `on-failure`, which may never run.
    ///
    /// - Parameters:
    ///   - context: The context outside all groups.
    ///   - only: The ID of the step if only one step runs; `nil` if the whole plan runs.
    package func missingSecrets(in context: EvaluationContext, only: String? = nil) -> [MissingSecret] {
        let secrets = allSecrets
        guard !secrets.isEmpty else { return [] }
        let conditions = PlanConditions(plan: self, context: context)
        var missing: [MissingSecret] = []
        for step in steps where !step.task.secrets.isEmpty && (only ?? step.id) == step.id {
            guard stage(of: step) != .onFailure else { continue }
            if case .skipped = conditions.prediction(for: step) { continue }
            let given = Set(step.task.environment.map(\.name))
            for name in step.task.secrets.intersection(secrets).subtracting(given).sorted() {
                let isKnown = context.environment[name]?.isEmpty == false || missing.contains { $0.name == name }
                if !isKnown { missing.append(MissingSecret(name: name, step: step)) }
            }
        }
        return missing
    }
}
