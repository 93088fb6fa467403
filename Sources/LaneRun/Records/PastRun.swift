import LaneEvents
import LaneModel

/// What is taken over from the lane's last run.
struct PastRun: Sendable {
    /// Steps that are not done again, with their results.
    private(set) var done: [String: [String: Value]] = [:]
    /// Why the run cannot be taken up.
    private(set) var obstacle: String?
    /// Its last run came to a good end.
    private(set) var wasFinished = false
    /// With a single step, those that run before it because their outputs are needed and were not written down.
    private(set) var repeated: Set<String> = []
    /// Steps of the last run whose outputs were not written down.
    private(set) var withheld: Set<String> = []

    init(_ part: RunOptions.Part, of plan: Plan, fingerprint: String, in surroundings: RunSurroundings) {
        switch part {
        case .all: if surroundings.goesOn { takeOver(surroundings.lastTransaction, plan) }
        case .rest: obstacle = takeUp(plan, fingerprint, surroundings)
        case .only(let id):
            guard let step = plan.steps.first(where: { $0.id == id.description }) else {
                obstacle = "lane '\(plan.lane)' has no step '\(id)'"
                return
            }
            if plan.isInTransaction(step) {
                obstacle = "step '\(id)' is part of a transaction, which cannot be run in parts"
                return
            }
            if let last = RunJournal.read(root: surroundings.root, lane: plan.lane), last.plan == fingerprint {
                done = last.done
                wasFinished = last.status == 0
                withheld = last.withheld
                repeated = plan.steps(of: withheld, neededBy: step)
            }
            done[step.id] = nil
        }
    }

    private mutating func takeUp(_ plan: Plan, _ fingerprint: String, _ surroundings: RunSurroundings) -> String? {
        let root = surroundings.root
        // With a single step, to go on is to run it.
        guard plan.steps.count > 1 else { return nil }
        if surroundings.goesOn {
            if let last = RunJournal.read(root: root, lane: plan.lane), last.plan == fingerprint, last.status != 0 {
                done = last.done
            }
            takeOver(surroundings.lastTransaction, plan)
            return nil
        }
        guard let last = RunJournal.read(root: root, lane: plan.lane) else {
            return "lane '\(plan.lane)' cannot be resumed: it has not run here before"
        }
        if last.status == 0 { return "lane '\(plan.lane)' cannot be resumed: its last run was finished" }
        if last.plan != fingerprint {
            return "lane '\(plan.lane)' cannot be resumed: its steps or parameters changed since its last run"
        }
        let ledger = StepLedger(root: root, isReadOnly: true)
        for step in plan.steps where !step.files.inputs.isEmpty && last.done[step.id] != nil {
            let context = plan.context(of: step, after: last.done, from: surroundings.evaluation)
            // Which files they are may not be known without the steps in between; their content then is all there is.
            let paths = try? StepWork.inputPaths(of: step, in: context, below: root)
            guard let change = ledger.changedInput(of: step.id, among: paths) else { continue }
            return "lane '\(plan.lane)' cannot be resumed: \(change) since step '\(step.id)' was done"
        }
        done = last.done
        // A run that was killed may not have come to note what became real.
        if surroundings.lastTransaction?.run == last.run { takeOver(surroundings.lastTransaction, plan) }
        // What it made and is not there any more is made again.
        for step in plan.steps where !step.files.outputs.isEmpty && ledger.hasLostOutput(of: step.id) {
            done[step.id] = nil
        }
        return nil
    }

    /// Takes the steps of a transaction as done.
    private mutating func takeOver(_ record: TransactionRecord?, _ plan: Plan) {
        guard let record, record.lane == plan.lane else { return }
        for step in plan.steps where plan.isInTransaction(step) { done[step.id] = record.steps[step.id] ?? [:] }
    }
}

extension Plan {
    /// Returns those of some steps whose outputs a step speaks of, and those that these speak of in turn.
    fileprivate func steps(of ids: Set<String>, neededBy step: PlanStep) -> Set<String> {
        var needed: Set<String> = []
        var open = [step]
        while let step = open.popLast() {
            let names = step.stepNames
            for other in steps where other.group == step.group && ids.contains(other.id) && other.id != step.id {
                if names.contains(String(other.key)), needed.insert(other.id).inserted { open.append(other) }
            }
        }
        return needed
    }

    /// What a step's expressions see when these steps are done.
    fileprivate func context(
        of step: PlanStep, after done: [String: [String: Value]], from evaluation: EvaluationContext
    ) -> EvaluationContext {
        let prefix = groups[step.group].path + "/"
        var context = context(of: step, from: evaluation)
        for (id, results) in done where id.hasPrefix(prefix) {
            context.steps[String(Substring(id.utf8.dropFirst(prefix.utf8.count)))] = results
        }
        return context
    }
}
