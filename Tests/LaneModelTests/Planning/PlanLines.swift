import LaneModel

/// A plan as lines: id, stage when it is not the main one, and what it waits for.
func lines(_ plan: Plan) -> [String] {
    plan.steps.map { step in
        let waits = step.turn.dependencies.map { plan.steps[$0].id }
        return step.id + (step.turn.stage == .main ? "" : " (\(step.turn.stage.rawValue))")
            + (waits.isEmpty ? "" : " < " + waits.joined(separator: " "))
    }
}
