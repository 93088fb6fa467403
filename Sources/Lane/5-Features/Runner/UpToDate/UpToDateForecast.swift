package import Actions
package import Expressions
package import LaneModel
import OperatingSystem

/// A forecast of which steps with inputs or outputs are up to date. It runs and writes nothing.
package struct UpToDateForecast: Sendable {
    /// The forecast of one step.
    package enum Status: Sendable, Equatable {
        /// The step declares no inputs or outputs.
        case alwaysRuns
        case upToDate
        /// The step would run, for example because `'a.swift' changed`.
        case outdated(reason: String)
        /// The step depends on results of other steps that are not known yet.
        case unknown
    }

    private let root: String
    private let secret: [UInt8]?
    private let cache: StepCache

    /// - Parameter hasSecrets: A Boolean value that indicates whether values of the plan may be secrets.
    package init(root: String, hasSecrets: Bool = false) {
        self.root = root
        secret = hasSecrets ? StateKey.read(root: root, isCreated: false) : nil
        cache = StepCache(root: root, isReadOnly: true)
    }

    /// Returns the forecast of a step.
    ///
    /// - Parameters:
    ///   - action: The action of the step.
    ///   - context: The context of the step's expressions, with the environment of the run.
    ///   - plan: The plan of the step. An earlier step may set variables, which are not known yet.
    package func status(
        of step: PlanStep, _ action: (any StepAction)?, in context: EvaluationContext, plan: Plan
    ) -> Status {
        guard !step.files.isEmpty else { return .alwaysRuns }
        var context = context
        context.environment[ChildMark.root] = root
        do {
            context = try context.adding(step.task.environment)
            let settings = try step.task.settings.evaluate(in: context)
            let merged = action?.merged(settings) ?? settings
            guard let key = try StepCache.Key.of(step, merged, in: context, root: root, secret: secret) else {
                return .alwaysRuns
            }
            switch cache.status(of: key) {
            case .upToDate: return .upToDate
            case .outdated(let reason):
                let isUnknown =
                    reason == StepCache.changedSettings && plan.mayVariablesChange(in: step.group, before: step)
                return isUnknown ? .unknown : .outdated(reason: reason)
            }
        } catch {
            return .unknown
        }
    }
}
