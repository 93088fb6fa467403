package import Expressions

/// An instance of a lane in a plan, with the values of its parameters.
package struct PlanGroup: Sendable {
    /// The prefix of the steps' IDs: `release`, `release/test`.
    package let path: String
    /// The name of the lane. Several groups can be instances of the same lane.
    package let lane: String
    /// The location in the enclosing group, or `nil` for the requested lane and for the lanes that it needs.
    package internal(set) var location: GroupLocation?
    /// The values of all parameters, including defaults.
    package internal(set) var parameters: [(name: String, value: Value)] = []
    /// The matrix combination of this instance. Empty without a matrix.
    package internal(set) var matrix: [(name: String, value: Value)] = []
    /// The values of `let` that the group reads.
    package internal(set) var values: [(name: String, value: Value)] = []
    /// The names of the values of `let` that are masked.
    package internal(set) var hiddenValues: Set<String> = []
    /// The condition for the group to run, evaluated in the context of the group.
    package internal(set) var condition: Expression?
    /// The condition of the `lane` step that calls the lane, evaluated in the context of the parent.
    package internal(set) var callCondition: Expression?
    /// The environment variables of the dotenv files and of the lane. Later variables override earlier ones.
    package internal(set) var environment: [(name: String, value: Template)] = []
    /// The dotenv files.
    package internal(set) var dotenv: [DotEnvFile] = []
    /// The time limit of all steps together.
    package internal(set) var timeout: Duration?
    /// A Boolean value that indicates whether the main steps run in a private worktree whose result is applied entirely
    /// or not at all.
    package internal(set) var isTransaction = false
    /// The indices of the groups of the lanes that the lane directly needs.
    package internal(set) var needs: [Int] = []

    /// The index of the enclosing group.
    package var parent: Int? { location?.parent }

    /// The stage of the parent that contains the group.
    package var stage: PlanStep.Stage { location?.stage ?? .main }

    /// A Boolean value that indicates whether the group has a condition.
    package var isConditional: Bool { condition != nil || callCondition != nil }
}

/// The location of a group in an enclosing group: the `lane` step that calls the lane, or that calls a lane that needs
/// it.
package struct GroupLocation: Sendable {
    /// The index of the enclosing group.
    let parent: Int
    /// The stage of the step in the enclosing group. A lane in `then` runs after the parent's transaction is applied.
    var stage = PlanStep.Stage.main
    /// The index of the first hook step, for the groups of a lane that a hook runs.
    ///
    /// The hooks from this index up to the lane may have failed, because each hook runs regardless of the others.
    package internal(set) var hookStart: Int?
}

extension EvaluationContext {
    /// Returns the context with the values of a group.
    func inside(_ group: PlanGroup) -> EvaluationContext {
        var context = self
        context.parameters = Value.byName(group.parameters)
        context.matrix = Value.byName(group.matrix)
        context.values = Value.byName(group.values)
        return context
    }
}
