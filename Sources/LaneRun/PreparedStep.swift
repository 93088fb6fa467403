package import Diagnostics
package import LaneModel

/// A step with its environment and settings worked out.
struct PreparedStep {
    let action: any StepAction
    let settings: Settings
    /// What its expressions see; its environment among it.
    let context: EvaluationContext

    var environment: [String: String] { context.environment }

    init(_ job: StepJob, in world: RunWorld) throws(StepFailure) {
        guard let action = world.actions[job.step.action.word] else {
            throw StepFailure(
                status: ExitStatus.internal.rawValue, "nothing here knows the action '\(job.step.action.word)'")
        }
        self.action = action
        do {
            context = try job.context.adding(job.step.environment)
        } catch {
            throw StepFailure(Diagnostics([error]))
        }
        do {
            settings = try job.step.settings.evaluate(in: context)
        } catch {
            throw StepFailure(error)
        }
    }
}

extension EvaluationContext {
    /// With a step's own variables, each of which may use those before it.
    package func adding(_ variables: [(name: String, value: Template)]) throws(Diagnostic) -> EvaluationContext {
        var context = self
        for (name, template) in variables {
            // A value that comes to nothing leaves the variable as it is.
            guard let text = try template.evaluate(in: context).text else { continue }
            context.environment[name] = text
        }
        return context
    }
}

extension StepFailure {
    /// What was wrong in the lane file, with its places.
    init(_ diagnostics: Diagnostics) {
        let text = DiagnosticText().text(for: diagnostics)
        self.init(status: ExitStatus.refused.rawValue, String(text.drop { $0 == "\n" }.dropLast()))
    }
}
