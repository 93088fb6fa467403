package import Expressions

/// An immutable graph of steps in an order that respects their dependencies.
///
/// The plan contains the steps of other lanes in place of `lane` steps and `needs` entries, and one group for each
/// combination of a matrix. Planning changes nothing.
package struct Plan: Sendable {
    /// The name of the requested lane.
    package let lane: String
    /// The steps, each after its dependencies.
    package let steps: [PlanStep]
    /// The groups of the steps. The first group is that of the requested lane.
    package let groups: [PlanGroup]
    /// The names of the environment variables that the lanes declare as secrets.
    package let secrets: [String]
    /// The secrets of other lanes of the package, which are also masked and removed from environments.
    package internal(set) var foreignSecrets: Set<String> = []
    /// The values to mask besides environment variables, each with a description of its source.
    var hiddenValues: [String: String] = [:]
    /// The variables from dotenv files, which may contain secrets.
    var fileVariables: [DotEnv.Variable] = []

    /// The names of all environment variables that contain secrets of the package.
    package var allSecrets: Set<String> { foreignSecrets.union(secrets) }

    /// A Boolean value that indicates whether values of the plan may be secrets.
    package var hasSecrets: Bool { !allSecrets.isEmpty || !hiddenValues.isEmpty }

    /// The contexts that expressions of the plan read.
    package var contexts: Set<ContextName> { expressions.contexts }

    /// The largest number of steps that a `parallel` step or `needs` starts at once.
    package internal(set) var parallelWidth = 1

    /// The environment variables that the lanes read, also during planning.
    var laneVariables: Set<String> = []

    /// The environment variables that expressions of the plan and of its lanes read.
    package var environmentNames: Set<String> { laneVariables.union(expressions.names(in: .env)) }

    /// Returns the context of a step's expressions with the values that are known before the run.
    ///
    /// - Parameter context: The context outside all groups.
    package func context(of step: PlanStep, from context: EvaluationContext) -> EvaluationContext {
        context.inside(groups[step.group])
    }

    private var expressions: [Expression] {
        groups.compactMap(\.condition) + groups.compactMap(\.callCondition) + steps.flatMap(\.expressions)
    }
}

extension Plan {
    /// Returns a Boolean value that indicates whether a step of a group may set variables before a step starts.
    package func mayVariablesChange(in group: Int, before step: PlanStep) -> Bool {
        steps.prefix { $0.id != step.id }.contains { $0.mayWriteVariables(of: group) }
    }

    /// Returns a Boolean value that indicates whether a step runs in a private worktree, because it or an enclosing
    /// group is in the main stage of a transaction.
    package func isInTransaction(_ step: PlanStep) -> Bool {
        groupsAround(step).contains { groups[$0.group].isTransaction && $0.stage == .main }
    }

    /// Returns the stage of a step: the innermost stage that is not `main` among the step and the groups around it, or
    /// `main`.
    package func stage(of step: PlanStep) -> PlanStep.Stage {
        groupsAround(step).first { $0.stage != .main }?.stage ?? .main
    }

    /// Returns the groups around a step, innermost first, each with the stage that contains the step.
    func groupsAround(_ step: PlanStep) -> some Sequence<(group: Int, stage: PlanStep.Stage)> {
        sequence(first: (group: step.group, stage: step.schedule.stage)) { inner in
            groups[inner.group].parent.map { (group: $0, stage: groups[inner.group].stage) }
        }
    }
}
