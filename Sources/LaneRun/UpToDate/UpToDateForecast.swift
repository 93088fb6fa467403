package import LaneModel

import Processes

/// What a run would find of steps with declared inputs or outputs as things stand now; nothing is run or written.
package struct UpToDateForecast: Sendable {
    /// What a run would do with a step.
    package enum Verdict: Sendable, Equatable {
        /// It declares neither inputs nor outputs.
        case alwaysRuns
        case upToDate
        /// `'a.swift' changed`
        case runs(reason: String)
        /// It needs results that are not there yet.
        case unknown
    }

    private let root: String
    private let ledger: StepLedger

    package init(root: String) {
        self.root = root
        ledger = StepLedger(root: root, isReadOnly: true)
    }

    /// - Parameter context: what the step's expressions see; its environment that of the run.
    package func verdict(on step: PlanStep, in context: EvaluationContext) -> Verdict {
        guard !step.files.isEmpty else { return .alwaysRuns }
        var context = context
        context.environment[ChildMark.root] = root
        do {
            context = try context.adding(step.task.environment)
            let settings = try step.task.settings.evaluate(in: context)
            guard let work = try StepWork.of(step, settings, in: context, root: root) else { return .alwaysRuns }
            switch ledger.verdict(on: work) {
            case .upToDate: return .upToDate
            case .runs(let reason): return .runs(reason: reason)
            }
        } catch {
            return .unknown
        }
    }
}
