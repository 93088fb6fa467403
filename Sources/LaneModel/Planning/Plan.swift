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
    /// Names of environment variables whose values must not be shown.
    package let secrets: [String]
    /// Variables out of dotenv files, for the secrets among them.
    var fileVariables: [DotEnv.Variable] = []

    package init(lane: String, steps: [PlanStep], groups: [PlanGroup], secrets: [String]) {
        self.lane = lane
        self.steps = steps
        self.groups = groups
        self.secrets = secrets
    }

    /// What its expressions speak of while it runs.
    package var contexts: Set<ContextName> {
        var names: Set<ContextName> = []
        forEachExpression { names.formUnion($0.contexts) }
        return names
    }

    /// Environment variables that its expressions name.
    package var environmentNames: Set<String> {
        var names: Set<String> = []
        forEachExpression { expression in
            expression.root.forEach { node in
                if case .element(let base, let key) = node.tree, case .context(.env) = base.tree,
                    case .literal(.string(let name)) = key.tree
                {
                    names.insert(name)
                }
            }
        }
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
        for step in steps {
            if let condition = step.turn.condition { body(condition) }
            step.task.settings.forEachExpression(body)
            for (_, template) in step.task.environment { template.forEachExpression(body) }
            for template in step.files.inputs { template.forEachExpression(body) }
            for template in step.files.outputs { template.forEachExpression(body) }
        }
    }
}

/// One instance of a lane within a plan, with its parameters' values.
package struct PlanGroup: Sendable {
    /// As the steps' ids begin: `release`, `release/test`.
    package let path: String
    /// The lane's name, which several groups may share.
    package let lane: String
    /// The index of the group whose `lane` step made this one, or needs a lane that such a step runs; `nil` for the lane
    /// that was asked for and for the lanes it needs. What is inside a transaction has it among its parents.
    package let parent: Int?
    /// Typed values of all its parameters, defaults included.
    package let parameters: [(name: String, value: Value)]
    /// The combination of this instance, empty without a matrix.
    package let matrix: [(name: String, value: Value)]
    /// Only when it holds does the group run; it knows the group's own names.
    package let condition: Expression?
    /// The condition of the `lane` step that made the group, or needs it; it must hold too and knows the names of the
    /// parent.
    package let callCondition: Expression?
    /// To be read before anything runs, see `addingDotEnv`; later files win over earlier ones.
    package let dotenv: [DotEnvFile]
    /// For all its steps together.
    package let timeout: Duration?
    /// Its main steps run in a private worktree that becomes real as a whole or not at all.
    package let isTransaction: Bool
    /// The stage of the parent whose step made the group: what a lane in `then` does comes after the parent's
    /// transaction.
    package let stage: PlanStep.Stage
    /// For what a hook does as a lane, and what is inside of that: before this step come hooks that may have failed, as each
    /// of them runs whatever became of the others.
    package let hookStart: Int?

    package init(
        path: String, lane: String, parent: Int? = nil, parameters: [(name: String, value: Value)] = [],
        matrix: [(name: String, value: Value)] = [], condition: Expression? = nil, callCondition: Expression? = nil,
        dotenv: [DotEnvFile] = [], timeout: Duration? = nil, isTransaction: Bool = false,
        stage: PlanStep.Stage = .main, hookStart: Int? = nil
    ) {
        self.path = path
        self.lane = lane
        self.parent = parent
        self.parameters = parameters
        self.matrix = matrix
        self.condition = condition
        self.callCondition = callCondition
        self.dotenv = dotenv
        self.timeout = timeout
        self.isTransaction = isTransaction
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
