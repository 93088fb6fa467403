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
        guard let action = world.actions[job.step.task.action.word] else {
            throw StepFailure(
                status: ExitStatus.internal.rawValue, "nothing here knows the action '\(job.step.task.action.word)'")
        }
        let context: EvaluationContext
        do {
            context = try job.context.adding(job.step.task.environment)
        } catch {
            throw StepFailure(Diagnostics([error]))
        }
        do {
            settings = try job.step.task.settings.evaluate(in: context)
        } catch {
            throw StepFailure(error)
        }
        self.action = action
        self.context = context
        if !world.mask.isEmpty { try checkArguments(of: job.step, world.mask) }
    }

    /// Whatever an action is told in its settings may become a word of a command line, where everybody on the machine can
    /// read it; but a text for the shell gets its values as variables, and an executable in `Lanes/actions` on its
    /// standard input. A lane file that names a secret outright is refused earlier; this finds what came by other ways.
    private func checkArguments(of step: PlanStep, _ mask: SecretMask) throws(StepFailure) {
        guard case .builtIn = step.task.action else { return }
        for name in step.task.settings.namesOfComputedArguments {
            guard let value = settings[name], mask.finds(in: value) else { continue }
            throw StepFailure(
                status: ExitStatus.refused.rawValue,
                "'\(name)' would put a secret among a command's arguments, which everybody on the machine can read\n"
                    + "hint: give it in 'env', and let the program or a text for the shell read the variable")
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
