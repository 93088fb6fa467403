import Diagnostics
import JSON
import LaneModel
import LaneRun

/// A plan as people and programs read it: every step with what it would do and whether its condition holds.
struct PlanText {
    let plan: Plan
    let actions: [String: any StepAction]
    let context: EvaluationContext
    /// Tells of steps with inputs whether they have to run.
    let forecast: UpToDateForecast

    /// One step with all that can be known of it before anything runs.
    struct Row {
        let step: PlanStep
        let summary: String
        let note: String?
    }

    var rows: [Row] {
        let conditions = PlanConditions(plan: plan, context: context)
        return plan.steps.map { step in
            let outer = plan.context(of: step, from: context)
            let context = (try? outer.adding(step.environment)) ?? outer
            return Row(
                step: step, summary: summary(of: step, in: context),
                note: note(on: step, in: context, conditions.verdict(on: step)))
        }
    }

    /// A line for every step, indented below its lane.
    func text(style: TextStyle) -> String {
        let rows = rows
        var lines = [style.apply(.bold, to: plan.lane) + ": \(count(rows.count, "step"))"]
        let width = rows.map { $0.step.id.count }.max() ?? 0
        var stage = PlanStep.Stage.main
        for row in rows {
            if plan.stage(of: row.step) != stage {
                stage = plan.stage(of: row.step)
                lines.append(style.apply(.faint, to: "  \(stage.heading)"))
            }
            let padding = String(repeating: " ", count: width - row.step.id.count)
            let note = row.note.map { " " + style.apply(.faint, to: "(\($0))") } ?? ""
            let margin = "\n" + String(repeating: " ", count: width + 4)
            let summary = row.summary.replacing("\n", with: margin)
            lines.append("  \(style.apply(.cyan, to: row.step.id))\(padding)  \(summary)\(note)")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    var json: String {
        var writer = JSONWriter(.indented)
        writer.object { writer in
            writer.member("version", 1)
            writer.member("lane", plan.lane)
            writer.array("steps") { writer in
                for row in rows { Self.write(row, of: plan, to: &writer) }
            }
        }
        return writer.text + "\n"
    }

    private static func write(_ row: Row, of plan: Plan, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", row.step.id)
            writer.member("name", row.step.name)
            writer.member("lane", plan.groups[row.step.group].lane)
            writer.member("stage", plan.stage(of: row.step).rawValue)
            writer.member("action", row.step.action.word)
            writer.member("summary", row.summary)
            if let note = row.note { writer.member("note", note) }
            writer.member("needs", row.step.dependencies.map { plan.steps[$0].id })
            writer.member("transaction", plan.isInTransaction(row.step))
            if let span = row.step.span { writer.member("location", span.location) }
        }
    }

    private func summary(of step: PlanStep, in context: EvaluationContext) -> String {
        guard let settings = try? step.settings.evaluate(in: context) else { return step.name }
        return actions[step.action.word]?.summary(of: settings) ?? step.name
    }

    /// What decides whether the step runs, and how that comes out as far as it is known.
    private func note(
        on step: PlanStep, in context: EvaluationContext, _ conditions: PlanConditions.Verdict
    ) -> String? {
        var notes: [String] = []
        var mayRun = true
        switch conditions {
        case .runs: break
        case .skipped(let reason):
            mayRun = false
            notes.append("skipped: \(reason)")
        case .depends(let conditions): notes += conditions.map { "if \($0)" }
        }
        if mayRun {
            switch forecast.verdict(on: step, in: context) {
            case .upToDate: notes.append("up to date")
            case .runs(let reason): notes.append("runs because \(reason)")
            case .alwaysRuns, .unknown: break
            }
        }
        if plan.isInTransaction(step) { notes.append("in the private worktree") }
        return notes.isEmpty ? nil : notes.joined(separator: "; ")
    }
}

extension PlanStep.Stage {
    fileprivate var heading: String {
        switch self {
        case .main: "steps"
        case .then: "then, once it is real:"
        case .onFailure: "when a step fails:"
        case .always: "always, at the end:"
        }
    }
}
