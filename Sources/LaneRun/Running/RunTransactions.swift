import Diagnostics
import Expressions
import LaneEvents
import Planning
import Processes
import Secrets
import Threads

/// The transactions of a run, which begin and end at the gates of `Schedule`.
struct RunTransactions: Sendable {
    let state: Monitor<RunState>
    let context: RunContext
    let journal: RunJournal?

    /// Begins a group's transaction if at least one of its steps would run.
    ///
    /// - Parameter blocker: The failed step that blocks the group, if any.
    func begin(_ group: Int, blocker: Int?) {
        guard state.withLock({ $0.beginsTransaction(group, blocker: blocker) }) else { return }
        do throws(StepFailure) {
            guard let source = context.environment.transactions else {
                throw StepFailure(status: ExitStatus.internal.rawValue, "no transactions are available here")
            }
            let transaction = try source.begin(
                root: context.root, environment: context.environment.variables,
                processes: processes(until: context.workCancellation),
                cleanup: processes(until: context.hookCancellation))
            state.withLock { $0.set(transaction, of: group) }
        } catch {
            fail(error, in: group)
        }
    }

    /// Commits a group's open transaction, or abandons it after a failure or cancellation.
    func end(_ group: Int) {
        guard let (transaction, isComplete) = state.withLock({ $0.transactionToEnd(group) }) else { return }
        guard isComplete else {
            transaction.abandon()
            context.send(.message(Message(.note, "nothing has been changed in the repository")), step: nil)
            return state.withLock { $0.set(nil, of: group) }
        }
        do {
            let steps = state.withLock { $0.committedSteps(of: group) }
            transaction.values.record = record(of: steps)
            let summary = try transaction.commit()
            for (step, artifact) in transaction.values.artifacts { context.send(.artifact(artifact), step: step) }
            if let summary { context.send(.message(Message(.note, summary)), step: nil) }
            state.withLock { $0.set(nil, of: group) }
            for (id, results) in steps { journal?.record(id, results, isDeferrable: false) }
        } catch {
            transaction.abandon()
            state.withLock { $0.set(nil, of: group) }
            fail(error, in: group)
        }
    }

    private func processes(until cancellation: Cancellation) -> StepProcesses {
        StepProcesses(
            base: context.processes(with: []), mask: context.mask, limit: nil, grace: context.options.grace,
            cancellation: cancellation)
    }

    /// Returns the record of a transaction's steps, without secrets.
    private func record(of steps: [(id: String, results: [String: Value])]) -> TransactionRecord {
        let safe = steps.map { ($0.id, context.mask.containsSecret(in: $0.results) ? [:] : $0.results) }
        return TransactionRecord(lane: context.plan.lane, run: context.run, steps: Dictionary(safe) { $1 })
    }

    /// Reports a failure outside any step.
    private func fail(_ failure: StepFailure, in group: Int) {
        context.send(.message(Message(.error, failure.message)), step: nil)
        state.withLock { $0.recordFailure(step: nil, status: failure.nonzeroStatus, in: group) }
    }
}

extension RunState {
    /// Returns a Boolean value that indicates whether a transaction begins at its gate.
    fileprivate mutating func beginsTransaction(_ group: Int, blocker: Int?) -> Bool {
        recordCancellation()
        let isStopped = firstFailure != nil && context.options.failurePolicy != .keepGoing
        guard blocker == nil, cancelledAt == nil, !isStopped, hasWork(inTransaction: group) else { return false }
        // If a condition cannot be evaluated, the first step of the group reports the error.
        return hierarchy.limits(on: group).reversed().allSatisfy { (try? reasonToSkip($0)) == nil }
    }

    /// Returns a Boolean value that indicates whether a step of the transaction runs. The last run may have committed
    /// it, or the only requested step may be outside.
    private func hasWork(inTransaction group: Int) -> Bool {
        if case .only = context.options.part { return false }
        return hierarchy.steps(of: group, in: .main).contains { context.past.done[context.plan.steps[$0].id] == nil }
    }

    /// Returns the steps of a transaction with their results. After the commit, none of them may run again.
    fileprivate func committedSteps(of group: Int) -> [(id: String, results: [String: Value])] {
        hierarchy.steps(of: group, in: .main).map { index in
            let step = context.plan.steps[index]
            return (step.id, groups[step.group].outputs.results(of: step))
        }
    }

    /// Returns the open transaction of a group after the end of its main steps, and a Boolean value that indicates
    /// whether it can be committed.
    fileprivate mutating func transactionToEnd(_ group: Int) -> (transaction: any Transaction, isComplete: Bool)? {
        recordCancellation()
        guard let transaction = groups[group].transaction else { return nil }
        return (transaction, !groups[group].hasFailed && cancelledAt == nil)
    }
}
