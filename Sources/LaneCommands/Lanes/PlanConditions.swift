import LaneModel
import LaneRun

/// What the conditions of steps and of the lanes around them come to, as far as that is known before anything runs.
struct PlanConditions {
    let plan: Plan
    /// What expressions see outside any group.
    let context: EvaluationContext

    enum Verdict {
        case runs
        case skipped(String)
        /// What else has to be known: conditions, outermost first.
        case depends([String])
    }

    /// The first condition that does not hold decides, as it does in a run; the lanes' own come before the step's.
    func verdict(on step: PlanStep) -> Verdict {
        var open: [String] = []
        for condition in conditions(on: step) {
            let text = condition.expression.text
            switch outcome(of: condition) {
            case true: break
            case false: return .skipped("'\(text)'\(condition.owner) is false")
            case nil: open.append(text + condition.owner)
            }
        }
        return open.isEmpty ? .runs : .depends(open)
    }

    /// A condition and where it is worked out.
    private struct Condition {
        let expression: Expression
        let group: PlanGroup
        /// A step's own, which its condition sees as its settings do.
        var variables: [(name: String, value: Template)] = []
        /// What follows it in a text, where it is not the step's own.
        var owner = ""
    }

    /// Those of the lanes around a step, outermost first, and its own.
    private func conditions(on step: PlanStep) -> [Condition] {
        var conditions: [Condition] = []
        for group in groupsAround(step) {
            if let condition = group.callCondition, let parent = group.parent {
                conditions.append(Condition(expression: condition, group: plan.groups[parent]))
            }
            if let condition = group.condition {
                conditions.append(Condition(expression: condition, group: group, owner: " of lane '\(group.lane)'"))
            }
        }
        if let condition = step.turn.condition {
            conditions.append(
                Condition(expression: condition, group: plan.groups[step.group], variables: step.task.environment))
        }
        return conditions
    }

    /// The groups that a step is in, outermost first.
    private func groupsAround(_ step: PlanStep) -> [PlanGroup] {
        var groups: [PlanGroup] = []
        var next: Int? = step.group
        while let index = next {
            let group = plan.groups[index]
            groups.append(group)
            next = group.parent
        }
        return groups.reversed()
    }

    /// `nil` when it takes steps' results, or a failure, to tell.
    private func outcome(of condition: Condition) -> Bool? {
        let expression = condition.expression
        guard !expression.contexts.contains(.steps),
            var context = try? context.inside(condition.group).adding(condition.variables),
            let holds = try? expression.holds(in: context)
        else { return nil }
        if holds || !expression.dependsOnStatus { return holds }
        context.hasFailed = true
        return (try? expression.holds(in: context)) == false ? false : nil
    }
}
