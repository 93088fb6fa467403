import LaneModel
import Planning

/// Returns a line for each step of a plan: ID, stage unless it is `main`, and dependencies.
func lines(_ plan: Plan) -> [String] {
    plan.steps.map { step in
        let waits = step.turn.dependencies.map { plan.steps[$0].id }
        return step.id + (step.turn.stage == .main ? "" : " (\(step.turn.stage.rawValue))")
            + (waits.isEmpty ? "" : " < " + waits.joined(separator: " "))
    }
}
