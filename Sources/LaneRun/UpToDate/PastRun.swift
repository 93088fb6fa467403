import LaneEvents
import LaneModel

/// What is taken over from the lane's last run.
struct PastRun: Sendable {
    /// Steps that are not done again, with their results.
    private(set) var done: [String: [String: Value]] = [:]
    /// Why the run cannot be taken up.
    private(set) var obstacle: String?

    init(_ part: RunOptions.Part, of plan: Plan, fingerprint: String, root: String) {
        switch part {
        case .all: return
        case .rest: obstacle = takeUp(plan, fingerprint, root)
        case .only(let id):
            guard let step = plan.steps.first(where: { $0.id == id.description }) else {
                obstacle = "lane '\(plan.lane)' has no step '\(id)'"
                return
            }
            if plan.isInTransaction(step.group) {
                obstacle = "step '\(id)' is part of a transaction, which cannot be run in parts"
                return
            }
            if let last = RunJournal.read(root: root, lane: plan.lane), last.plan == fingerprint { done = last.done }
            done[step.id] = nil
        }
    }

    private mutating func takeUp(_ plan: Plan, _ fingerprint: String, _ root: String) -> String? {
        guard let last = RunJournal.read(root: root, lane: plan.lane) else {
            return "lane '\(plan.lane)' cannot be resumed: it has not run here before"
        }
        if last.status == 0 { return "lane '\(plan.lane)' cannot be resumed: its last run was finished" }
        if last.plan != fingerprint {
            return "lane '\(plan.lane)' cannot be resumed: its steps or parameters changed since its last run"
        }
        let ledger = StepLedger(root: root, isReadOnly: true)
        for step in plan.steps where !step.inputs.isEmpty && last.done[step.id] != nil {
            guard let change = ledger.changedInput(of: step.id) else { continue }
            return "lane '\(plan.lane)' cannot be resumed: \(change) since step '\(step.id)' was done"
        }
        done = last.done
        return nil
    }
}

extension Plan {
    /// Whether a group or one around it is a transaction.
    func isInTransaction(_ group: Int) -> Bool {
        var next: Int? = group
        while let current = next {
            if groups[current].isTransaction { return true }
            next = groups[current].parent
        }
        return false
    }
}
