/// One instance of a lane within a plan, with its parameters' values.
package struct PlanGroup: Sendable {
    /// As the steps' ids begin: `release`, `release/test`.
    package let path: String
    /// The lane's name, which several groups may share.
    package let lane: String
    /// Where it is inside of another group; `nil` for the lane that was asked for and for the lanes it needs.
    package let place: GroupPlace?
    /// Typed values of all its parameters, defaults included.
    package let parameters: [(name: String, value: Value)]
    /// The combination of this instance, empty without a matrix.
    package let matrix: [(name: String, value: Value)]
    /// Only when it holds does the group run; it knows the group's own names.
    package let condition: Expression?
    /// The condition of the `lane` step at its place, which must hold too and knows the names of the parent.
    package let callCondition: Expression?
    /// To be read before anything runs, see `addingDotEnv`; later files win over earlier ones.
    package let dotenv: [DotEnvFile]
    /// For all its steps together.
    package let timeout: Duration?
    /// Its main steps run in a private worktree that becomes real as a whole or not at all.
    package let isTransaction: Bool

    package init(
        path: String, lane: String, at place: GroupPlace? = nil, parameters: [(name: String, value: Value)] = [],
        matrix: [(name: String, value: Value)] = [], condition: Expression? = nil, callCondition: Expression? = nil,
        dotenv: [DotEnvFile] = [], timeout: Duration? = nil, isTransaction: Bool = false
    ) {
        self.path = path
        self.lane = lane
        self.place = place
        self.parameters = parameters
        self.matrix = matrix
        self.condition = condition
        self.callCondition = callCondition
        self.dotenv = dotenv
        self.timeout = timeout
        self.isTransaction = isTransaction
    }

    /// The index of the group that it is inside of.
    package var parent: Int? { place?.parent }

    /// The stage of the parent that it is a part of.
    package var stage: PlanStep.Stage { place?.stage ?? .main }

    /// Whether a condition decides if it runs.
    package var isConditional: Bool { condition != nil || callCondition != nil }
}

/// Where a group is inside of another: at the `lane` step that made it, or that runs a lane which needs it.
package struct GroupPlace: Sendable {
    /// The index of the group whose step it is. What is inside a transaction has that among its parents.
    package let parent: Int
    /// The stage of that step: what a lane in `then` does comes after the parent's transaction.
    package let stage: PlanStep.Stage
    /// For what a hook does as a lane, and what is inside of that: before this step come hooks that may have failed, as each
    /// of them runs whatever became of the others.
    package let hookStart: Int?

    package init(parent: Int, stage: PlanStep.Stage = .main, hookStart: Int? = nil) {
        self.parent = parent
        self.stage = stage
        self.hookStart = hookStart
    }
}

extension EvaluationContext {
    /// What the expressions of a group see of it beside all else.
    package func inside(_ group: PlanGroup) -> EvaluationContext {
        var context = self
        context.parameters = Dictionary(group.parameters.map { ($0.name, $0.value) }) { $1 }
        context.matrix = Dictionary(group.matrix.map { ($0.name, $0.value) }) { $1 }
        return context
    }
}
