import Actions
import Events
import Expressions
import LaneModel

/// The results of the lane's last run that this run reuses.
struct ReusedResults: Sendable {
    /// The results of the steps that do not run again, by step ID.
    private(set) var done: [String: [String: Value]] = [:]
    /// The reason why the run cannot be resumed, if there is one.
    private(set) var obstacle: String?
    /// A Boolean value that indicates whether the last run succeeded.
    private(set) var wasFinished = false
    /// A Boolean value that indicates whether the last run had results that are not used because the lane changed.
    private(set) var hasDiscarded = false
    /// The steps that run again before a single step, because it reads their outputs and the outputs were not recorded.
    private(set) var repeated: Set<String> = []
    /// The steps of the last run whose outputs were not recorded because they contain secrets.
    private(set) var withheld: Set<String> = []
    /// The releases whose versions the last run had determined.
    private(set) var releases: [PlannedRelease] = []

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
            let last = RunJournal.last(root: environment.root, lane: plan.lane, for: fingerprint)
            // A single step can run with other values of `let`.
            if let last, RunJournal.steps(of: last.plan) == RunJournal.steps(of: fingerprint) {
                done = last.done
                wasFinished = last.status == 0
                withheld = last.withheld
                // After a finished run, the next version is another one.
                if !wasFinished { releases = last.releases }
                repeated = plan.steps(of: withheld, neededBy: step)
            } else {
                hasDiscarded = last?.done.isEmpty == false
            }
            done[step.id] = nil
        }
    }

    /// Reuses the results of a failed run.
    ///
    /// - Returns: The reason why the run cannot be resumed, or `nil` if it can.
    private mutating func resume(_ plan: Plan, _ fingerprint: String, _ environment: RunEnvironment) -> String? {
        let root = environment.root
        // A plan of one step simply runs.
        guard plan.steps.count > 1 else { return nil }
        if environment.continuesTransaction {
            if let last = RunJournal.last(root: root, lane: plan.lane), last.plan == fingerprint, last.status != 0 {
                (done, releases) = (last.done, last.releases)
            }
            adopt(environment.lastTransaction, plan)
            return nil
        }
        guard let last = RunJournal.last(root: root, lane: plan.lane, for: fingerprint) else {
            return "lane '\(plan.lane)' cannot be resumed: it has not run here before"
        }
        if last.status == 0 { return "lane '\(plan.lane)' cannot be resumed: its last run was finished" }
        if last.plan != fingerprint {
            let isSame = RunJournal.steps(of: last.plan) == RunJournal.steps(of: fingerprint)
            let change = isSame ? "values of 'let'" : "steps or parameters"
            let hint = isSame ? "" : "\nhint: give the same arguments as in that run, or run it without '--resume'"
            return "lane '\(plan.lane)' cannot be resumed: its \(change) changed since its last run\(hint)"
        }
        let cache = StepCache(root: root, isReadOnly: true)
        for step in plan.steps where !step.files.inputs.isEmpty && last.done[step.id] != nil {
            let context = plan.context(of: step, after: last.done, from: environment.evaluation)
            // The list of inputs may depend on results of other steps. If it is unknown, only the recorded inputs are
            // compared.
            let paths = try? StepCache.Key.inputPaths(of: step, in: context, below: root)
            guard let change = cache.changedInput(of: step.id, among: paths) else { continue }
            return "lane '\(plan.lane)' cannot be resumed: \(change) since step '\(step.id)' was done"
        }
        (done, releases) = (last.done, last.releases)
        // A run may be killed after its commit and before the journal contains the steps.
        if environment.lastTransaction?.run == last.run { adopt(environment.lastTransaction, plan) }
        // A step with a missing output runs again.
        for step in plan.steps where !step.files.outputs.isEmpty && cache.hasLostOutput(of: step.id) {
            done[step.id] = nil
        }
        return nil
    }

    /// Adds the steps of a committed transaction to the finished steps.
    private mutating func adopt(_ record: TransactionRecord?, _ plan: Plan) {
        guard let record, record.lane == plan.lane else { return }
        releases = record.releases
        for step in plan.steps where plan.isInTransaction(step) { done[step.id] = record.steps[step.id] ?? [:] }
    }
}

extension Plan {
    /// Returns the steps whose outputs a step reads, directly or through other steps.
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

    /// Returns the context of a step's expressions with the results of finished steps.
    fileprivate func context(
        of step: PlanStep, after done: [String: [String: Value]], from evaluation: EvaluationContext
    ) -> EvaluationContext {
        var context = context(of: step, from: evaluation)
        var outputs = StepOutputs()
        for other in steps where other.group == step.group {
            if let results = done[other.id] { outputs.record(results, .succeeded, of: other) }
        }
        context.steps = outputs.values
        return context
    }
}
