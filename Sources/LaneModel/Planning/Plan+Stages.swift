extension Plan {
    /// Returns a Boolean value that indicates whether a step runs in a private worktree: as a main step of a
    /// transaction, or of a lane that such a step runs.
    package func isInTransaction(_ step: PlanStep) -> Bool {
        groupsAround(step).contains { groups[$0.group].isTransaction && $0.stage == .main }
    }

    /// Returns the stage of a step: the stage of the innermost enclosing group that is not a main step, or `main`.
    package func stage(of step: PlanStep) -> PlanStep.Stage {
        groupsAround(step).first { $0.stage != .main }?.stage ?? .main
    }

    /// Returns the group of a step and the groups around it, innermost first, each with the stage of the step in it.
    private func groupsAround(_ step: PlanStep) -> some Sequence<(group: Int, stage: PlanStep.Stage)> {
        sequence(first: (group: step.group, stage: step.turn.stage)) { inner in
            groups[inner.group].parent.map { (group: $0, stage: groups[inner.group].stage) }
        }
    }
}
