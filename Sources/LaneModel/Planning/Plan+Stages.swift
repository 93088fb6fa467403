extension Plan {
    /// Whether a step works in the private worktree: a main step of a transaction, or of a lane that such a step runs.
    package func isInTransaction(_ step: PlanStep) -> Bool {
        groupsAround(step).contains { groups[$0.group].isTransaction && $0.stage == .main }
    }

    /// The stage of the innermost lane around a step to which it is more than a main step.
    package func stage(of step: PlanStep) -> PlanStep.Stage {
        groupsAround(step).first { $0.stage != .main }?.stage ?? .main
    }

    /// A step's group and those around it, innermost first, each with the stage that the step is a part of.
    private func groupsAround(_ step: PlanStep) -> some Sequence<(group: Int, stage: PlanStep.Stage)> {
        sequence(first: (group: step.group, stage: step.turn.stage)) { inner in
            groups[inner.group].parent.map { (group: $0, stage: groups[inner.group].stage) }
        }
    }
}
