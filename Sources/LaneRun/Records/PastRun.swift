import Expressions
import LaneEvents
import LaneModel
import Planning

/// The results of the lane's last run that this run adopts.
struct PastRun: Sendable {
    /// The steps that are not repeated, with their results.
    private(set) var done: [String: [String: Value]] = [:]
    /// The reason why the run cannot be resumed, if there is one.
    private(set) var obstacle: String?
    /// A Boolean value that indicates whether the last run succeeded.
    private(set) var wasFinished = false
    /// Before a single step, the steps that run again because it needs their outputs and these were not written.
    private(set) var repeated: Set<String> = []
    /// The steps of the last run whose outputs were not written, because they hold secrets.
    private(set) var withheld: Set<String> = []

    init(_ part: RunOptions.Part, of plan: Plan, fingerprint: String, in environment: RunEnvironment) {
        switch part {
        case .all: if environment.continuesTransaction { adopt(environment.lastTransaction, plan) }
        case .rest: obstacle = resume(plan, fingerprint, environment)
        case .only(let id):
            guard let step = plan.steps.first(where: { $0.id == id.description }) else {
                obstacle = "lane '\(plan.lane)' has no step '\(id)'"
                return
            }
            if plan.isInTransaction(step) {
                obstacle = "step '\(id)' is part of a transaction, which cannot be run in parts"
                return
            }
            if let last = RunJournal.read(root: environment.root, lane: plan.lane), last.plan == fingerprint {
                done = last.done
                wasFinished = last.status == 0
                withheld = last.withheld
                repeated = plan.steps(of: withheld, neededBy: step)
            }
            done[step.id] = nil
        }
    }

    /// Adopts the results of a run that failed.
    ///
    /// - Returns: The reason why that is not possible, if there is one.
    private mutating func resume(_ plan: Plan, _ fingerprint: String, _ environment: RunEnvironment) -> String? {
        let root = environment.root
        // To resume a single step is to run it.
        guard plan.steps.count > 1 else { return nil }
        if environment.continuesTransaction {
            if let last = RunJournal.read(root: root, lane: plan.lane), last.plan == fingerprint, last.status != 0 {
                done = last.done
            }
            adopt(environment.lastTransaction, plan)
            return nil
        }
        guard let last = RunJournal.read(root: root, lane: plan.lane) else {
            return "lane '\(plan.lane)' cannot be resumed: it has not run here before"
        }
        if last.status == 0 { return "lane '\(plan.lane)' cannot be resumed: its last run was finished" }
        if last.plan != fingerprint {
            return "lane '\(plan.lane)' cannot be resumed: its steps or parameters changed since its last run"
        }
        let cache = StepCache(root: root, isReadOnly: true)
        for step in plan.steps where !step.files.inputs.isEmpty && last.done[step.id] != nil {
            let context = plan.context(of: step, after: last.done, from: environment.evaluation)
            // Without the results of the steps in between, the list of inputs may be unknown. Then the recorded inputs are
            // compared.
            let paths = try? StepWork.inputPaths(of: step, in: context, below: root)
            guard let change = cache.changedInput(of: step.id, among: paths) else { continue }
            return "lane '\(plan.lane)' cannot be resumed: \(change) since step '\(step.id)' was done"
        }
        done = last.done
        // A killed run may not have noted what it committed.
        if environment.lastTransaction?.run == last.run { adopt(environment.lastTransaction, plan) }
        // A step whose outputs are gone makes them again.
        for step in plan.steps where !step.files.outputs.isEmpty && cache.hasLostOutput(of: step.id) {
            done[step.id] = nil
        }
        return nil
    }

    /// Takes the steps of a transaction as done.
    private mutating func adopt(_ record: TransactionRecord?, _ plan: Plan) {
        guard let record, record.lane == plan.lane else { return }
        for step in plan.steps where plan.isInTransaction(step) { done[step.id] = record.steps[step.id] ?? [:] }
    }
}

extension Plan {
    /// Returns those of some steps whose outputs a step uses, and those whose outputs these use in turn.
    fileprivate func steps(of ids: Set<String>, neededBy step: PlanStep) -> Set<String> {
        var needed: Set<String> = []
        var open = [step]
        while let step = open.popLast() {
            let names = step.stepNames
            for other in steps where other.group == step.group && ids.contains(other.id) && other.id != step.id {
                if names.contains(other.outputKey), needed.insert(other.id).inserted { open.append(other) }
            }
        }
        return needed
    }

    /// Returns what a step's expressions see when these steps are done.
    fileprivate func context(
        of step: PlanStep, after done: [String: [String: Value]], from evaluation: EvaluationContext
    ) -> EvaluationContext {
        var context = context(of: step, from: evaluation)
        var outputs = StepOutputs()
        for other in steps where other.group == step.group {
            if let results = done[other.id] { outputs.note(results, .succeeded, of: other) }
        }
        context.steps = outputs.values
        return context
    }
}
