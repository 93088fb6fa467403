/// What will be done, resolved and immutable: a graph of steps in an order that respects their dependencies.
///
/// A `lane` step and a `needs` entry have become the steps of that lane; a matrix has become one group per combination.
/// Making a plan changes nothing on disk and starts nothing.
package struct Plan: Sendable {
    /// The lane that was asked for.
    package let lane: String
    /// Every dependency of a step stands before it.
    package internal(set) var steps: [PlanStep]
    /// The lane groups that steps belong to; the first is the lane that was asked for.
    package let groups: [PlanGroup]
    /// Names of the environment variables that its lanes declare as secrets.
    package let secrets: [String]
    /// The secrets of other lanes of the package, which are masked and withheld as well.
    package internal(set) var foreignSecrets: Set<String> = []
    /// The dotenv files of other lanes, for the secrets among their variables.
    var foreignDotEnv: [DotEnvFile] = []
    /// Variables out of dotenv files, for the secrets among them.
    var fileVariables: [DotEnv.Variable] = []

    package init(lane: String, steps: [PlanStep], groups: [PlanGroup], secrets: [String]) {
        self.lane = lane
        self.steps = steps
        self.groups = groups
        self.secrets = secrets
    }

    /// Names of all environment variables that hold secrets of the package.
    package var allSecrets: Set<String> { foreignSecrets.union(secrets) }

    /// What its expressions speak of while it runs.
    package var contexts: Set<ContextName> {
        var names: Set<ContextName> = []
        forEachExpression { names.formUnion($0.contexts) }
        return names
    }

    /// Environment variables that its expressions name.
    package var environmentNames: Set<String> {
        var names: Set<String> = []
        forEachExpression { names.formUnion($0.names(in: .env)) }
        return names
    }

    /// What a step's expressions see as far as it is known before anything runs.
    ///
    /// - Parameter context: What they see outside any group.
    package func context(of step: PlanStep, from context: EvaluationContext) -> EvaluationContext {
        context.inside(groups[step.group])
    }

    private func forEachExpression(_ body: (Expression) -> Void) {
        for group in groups {
            if let condition = group.condition { body(condition) }
            if let condition = group.callCondition { body(condition) }
        }
        for step in steps { step.forEachExpression(body) }
    }
}
