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
        for group in groupsAround(step) {
            if let condition = group.callCondition, let parent = group.parent {
                switch outcome(of: condition, in: plan.groups[parent]) {
                case true: break
                case false: return .skipped("'\(condition.text)' is false")
                case nil: open.append(condition.text)
                }
            }
            if let condition = group.condition {
                switch outcome(of: condition, in: group) {
                case true: break
                case false: return .skipped("'\(condition.text)' of lane '\(group.lane)' is false")
                case nil: open.append("\(condition.text) of lane '\(group.lane)'")
                }
            }
        }
        if let condition = step.condition {
            switch outcome(of: condition, in: plan.groups[step.group], with: step.environment) {
            case true: break
            case false: return .skipped("'\(condition.text)' is false")
            case nil: open.append(condition.text)
            }
        }
        return open.isEmpty ? .runs : .depends(open)
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
    ///
    /// - Parameter variables: A step's own, which its condition sees as its settings do.
    private func outcome(
        of condition: Expression, in group: PlanGroup, with variables: [(name: String, value: Template)] = []
    ) -> Bool? {
        guard !condition.contexts.contains(.steps) else { return nil }
        guard var context = try? context.inside(group).adding(variables),
            let holds = try? condition.holds(in: context)
        else { return nil }
        if holds || !condition.asksForStatus { return holds }
        context.hasFailed = true
        return (try? condition.holds(in: context)) == false ? false : nil
    }
}
