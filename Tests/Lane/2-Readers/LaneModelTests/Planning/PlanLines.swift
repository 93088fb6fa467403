import LaneModel

/// Returns a line for each step of a plan: ID, stage unless it is `main`, and dependencies.
func lines(_ plan: Plan) -> [String] {
    plan.steps.map { step in
        let waits = step.schedule.dependencies.map { plan.steps[$0].id }
        return step.id + (step.schedule.stage == .main ? "" : " (\(step.schedule.stage.rawValue))")
            + (waits.isEmpty ? "" : " < " + waits.joined(separator: " "))
    }
}
