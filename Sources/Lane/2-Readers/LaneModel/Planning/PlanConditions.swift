package import Expressions
import Text

/// The conditions of steps and of the lanes around them, evaluated as far as possible before the run.
package struct PlanConditions {
    let plan: Plan
    /// The context of expressions outside all groups.
    let context: EvaluationContext

    package init(plan: Plan, context: EvaluationContext) {
        self.plan = plan
        self.context = context
    }

    /// A prediction from the conditions of a step.
    package enum Prediction {
        /// The step runs unless another step fails.
        case runs
        /// The step does not run, with the reason.
        case skipped(String)
        /// The step depends on conditions, outermost first.
        case depends([String])
    }

    /// Returns the prediction for a step. As in a run, the conditions of lanes are evaluated before the condition of the
    /// step.
    package func prediction(for step: PlanStep) -> Prediction {
        var open: [String] = []
        for condition in conditions(on: step) {
            let text = condition.expression.text
            switch outcome(of: condition) {
            case true: break
            case false: return .skipped("\(inQuotes(text))\(condition.owner) is false")
            case nil: open.append(text + condition.owner)
            }
        }
        return open.isEmpty ? .runs : .depends(open)
    }

    /// A condition with its context.
    private struct Condition {
        let expression: Expression
        let group: PlanGroup
        /// The variables of the step or lane, which the condition can use.
        var variables: [(name: String, value: Template)] = []
        /// A description of the condition's lane, or an empty string for the condition of the step.
        var owner = ""
        /// A Boolean value that indicates whether an earlier step may set a variable that the condition reads.
        var readsLaterVariables = false
    }

    /// Returns the conditions of the lanes around a step, outermost first, and the condition of the step.
    private func conditions(on step: PlanStep) -> [Condition] {
        var conditions: [Condition] = []
        for group in plan.groupsAround(step).map({ plan.groups[$0.group] }).reversed() {
            if let condition = group.callCondition, let parent = group.parent {
                conditions.append(
                    Condition(
                        expression: condition, group: plan.groups[parent],
                        variables: plan.groups[parent].environment,
                        readsLaterVariables: readsVariable(condition, besides: [])
                            && plan.mayVariablesChange(in: parent, before: step)))
            }
            if let condition = group.condition {
                conditions.append(
                    Condition(
                        expression: condition, group: group, variables: group.environment,
                        owner: " of lane '\(group.lane)'"))
            }
        }
        if let condition = step.schedule.condition {
            conditions.append(
                Condition(
                    expression: condition, group: plan.groups[step.group], variables: step.task.environment,
                    readsLaterVariables: readsVariable(condition, besides: step.task.secrets)
                        && plan.mayVariablesChange(in: step.group, before: step)))
        }
        return conditions
    }

    /// Returns a Boolean value that indicates whether a condition reads a variable that is no secret.
    private func readsVariable(_ condition: Expression, besides secrets: Set<String>) -> Bool {
        condition.readsComputedNames(in: .env) || condition.names(in: .env).contains { !secrets.contains($0.name) }
    }

    /// Returns the value of a condition, or `nil` if it depends on the results of steps.
    private func outcome(of condition: Condition) -> Bool? {
        let expression = condition.expression
        let environment = LaneEnvironment(condition.variables, in: context.inside(condition.group))
        guard !condition.readsLaterVariables, !expression.contexts.contains(.steps),
            !environment.lacksVariables(of: expression),
            let holds = try? expression.isTrue(in: environment.context)
        else { return nil }
        if holds || !expression.dependsOnStatus { return holds }
        var context = environment.context
        context.hasFailed = true
        return (try? expression.isTrue(in: context)) == false ? false : nil
    }
}
