import LaneModel

/// Transactions: when one begins, what it made, and how it ends.
extension RunState {
    /// Whether a transaction is to begin at this gate.
    mutating func beginsTransaction(_ group: Int, blocker: Int?) -> Bool {
        noteCancellation()
        let isStopped = firstFailure != nil && world.options.failurePolicy != .keepGoing
        guard blocker == nil, cancelledAt == nil, !isStopped, hasWork(inTransaction: group) else { return false }
        // A condition that cannot be worked out is told when the first step meets it.
        return families.limits(on: group).reversed().allSatisfy { (try? reasonToSkip($0)) == nil }
    }

    /// False when the last run made it real already, or when a step elsewhere is all that was asked for.
    private func hasWork(inTransaction group: Int) -> Bool {
        if case .only = world.options.part { return false }
        return families.steps(of: group, in: .main).contains { world.past.done[world.plan.steps[$0].id] == nil }
    }

    /// The steps of a transaction that became real, with their results: none of them must be done a second time.
    func stepsMadeReal(by group: Int) -> [(id: String, results: [String: Value])] {
        families.steps(of: group, in: .main).map { index in
            let step = world.plan.steps[index]
            return (step.id, groups[step.group].outputs[outputName(of: step)] ?? [:])
        }
    }

    /// The open transaction of a group whose main steps have all ended, and whether it may become real.
    mutating func transactionToEnd(_ group: Int) -> (transaction: any Transaction, isGood: Bool)? {
        noteCancellation()
        guard let transaction = groups[group].transaction else { return nil }
        return (transaction, !groups[group].hasFailed && cancelledAt == nil)
    }
}
