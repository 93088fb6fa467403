import Actions
import CLibrary
import Events
import Expressions
import Git
import LaneModel
import OperatingSystem
import Text

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
        do throws(OperationFailure) {
            guard let source = context.environment.transactions else {
                throw OperationFailure(status: ExitStatus.internal.rawValue, "no transactions are available here")
            }
            try requireOutputDirectories(of: group)
            let transaction = try source.begin(
                git(until: context.workCancellation), cleanup: git(until: context.hookCancellation))
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
            context.report(.note, "nothing has been changed in the repository")
            return state.withLock { $0.set(nil, of: group) }
        }
        do {
            let steps = state.withLock { $0.committedSteps(of: group) }
            transaction.values.record = record(of: steps)
            let summary = try transaction.commit()
            for (step, artifact) in transaction.values.artifacts { context.send(.artifact(artifact), step: step) }
            if let summary { context.report(.note, summary) }
            state.withLock { $0.set(nil, of: group) }
            journal?.record(context.releases.all)
            for (id, results) in steps { journal?.record(id, results, isDeferrable: false) }
        } catch {
            transaction.abandon()
            state.withLock { $0.set(nil, of: group) }
            fail(error, in: group)
        }
    }

    /// Throws an error if files of the group's steps could not be moved to the user's package. Steps with conditions may
    /// not run.
    private func requireOutputDirectories(of group: Int) throws(OperationFailure) {
        let mounts = MountPoints()
        let steps = state.withLock { $0.hierarchy.steps(of: group, in: .main) }.map { context.plan.steps[$0] }
        let directories = steps.filter { $0.schedule.condition == nil }.compactMap(\.outputDirectory)
        let errors = distinctPaths(directories).compactMap { directory in
            replacementError(at: "\(absolutePath(directory, from: context.root))/file", mounts)
        }
        if !errors.isEmpty { throw .refused(errors.map(\.message)) }
    }

    private func git(until cancellation: Cancellation) -> Git {
        let processes = StepProcesses(
            base: context.processes(with: []), mask: context.mask, limit: nil, grace: context.options.grace,
            cancellation: cancellation)
        return Git(in: context.root, environment: context.environment.variables, processes: processes)
    }

    /// Returns the record of a transaction's steps, without secrets.
    private func record(of steps: [(id: String, results: [String: Value])]) -> TransactionRecord {
        let safe = steps.map { ($0.id, context.mask.containsSecret(in: $0.results) ? [:] : $0.results) }
        return TransactionRecord(
            lane: context.plan.lane, run: context.run, steps: Dictionary(safe) { $1 }, releases: context.releases.all)
    }

    /// Reports a failure outside any step.
    private func fail(_ failure: OperationFailure, in group: Int) {
        context.report(.error, failure.message)
        state.withLock { $0.recordFailure(step: nil, status: failure.nonzeroStatus, in: group) }
    }
}

extension PlanStep {
    /// The directory of the packages that the step creates, or `nil` if it is unknown.
    fileprivate var outputDirectory: String? {
        guard task.action == .builtIn(.packaging) else { return nil }
        guard let member = task.settings.members.first(where: { $0.name == "output" }) else { return "dist" }
        if case .value(.string(let directory)) = member.node { return directory }
        return nil
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
        return hierarchy.steps(of: group, in: .main).contains { context.reused.done[context.plan.steps[$0].id] == nil }
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
