import Actions
import Events
import LaneModel
import OperatingSystem
import Text

/// A pool of threads that run steps: the calling thread, and further threads when there is work for them.
///
/// `RunState` decides whether a step runs, `StepExecution` runs it, and its action does the work in a `StepContext`.
final class WorkerPool: Sendable {
    private let state: Monitor<RunState>
    private let context: RunContext
    private let journal: RunJournal?
    private let transactions: RunTransactions
    private let threads = Monitor<[Thread]>([])

    init(state: Monitor<RunState>, context: RunContext, journal: RunJournal?) {
        self.state = state
        self.context = context
        self.journal = journal
        transactions = RunTransactions(state: state, context: context, journal: journal)
    }

    /// Runs tasks until all have ended.
    func run() {
        work()
        for thread in threads.withLock({ $0 }) { thread.join() }
    }

    private func work() {
        var end: RunState.End?
        while let (task, demand) = nextTask(after: end) {
            wakeWorkers(demand)
            let done = perform(task)
            stopProcesses(after: done)
            end = done
        }
        state.signalAll()
    }

    /// Records the end of a task and returns the next one. Locks the state only once, because threads with short tasks
    /// contend for the lock.
    ///
    /// - Returns: The next task, or `nil` when all tasks have ended.
    private func nextTask(after end: RunState.End?) -> (task: RunState.Task, demand: RunState.Demand)? {
        var end = end
        var isIdle = false
        return state.wait { state in
            if isIdle { state.idleCount -= 1 }
            isIdle = false
            if let done = end.take() { state.finish(done) }
            if let task = state.nextTask() { return .some((task, state.demand)) }
            if state.isFinished { return .some(nil) }
            state.idleCount += 1
            isIdle = true
            return nil
        }
    }

    /// Wakes or starts threads for the ready tasks that the calling thread does not run.
    private func wakeWorkers(_ demand: RunState.Demand) {
        for _ in 0..<min(demand.readyCount, demand.idleCount) { state.signal() }
        guard demand.readyCount > demand.idleCount else { return }
        threads.withLock { threads in
            let missing = min(demand.readyCount - demand.idleCount, context.options.jobs - 1 - threads.count)
            for _ in 0..<max(0, missing) {
                if let thread = Thread({ self.work() }) { threads.append(thread) }
            }
        }
    }

    private func perform(_ task: RunState.Task) -> RunState.End {
        switch task {
        case .gate(let group, .main, let blocker):
            transactions.begin(group, blocker: blocker)
            return .gate(group, .main, blocker: blocker)
        case .gate(let group, let stage, _):
            if stage == .then { transactions.end(group) }
            return .gate(group, stage, blocker: nil)
        case .step(let index, .skip(let reason, let blocker)):
            send(.stepEnded(StepEnd(name: name(of: index), outcome: .skipped(reason: reason), duration: .zero)), index)
            return .skipped(index, blocker: blocker)
        case .step(let index, .fail(let diagnostic)):
            return fail(index, OperationFailure(Diagnostics([diagnostic])))
        case .step(let index, .run(let execution)):
            let completion = execution.run()
            let isDone = completion.status == nil && !leavesProcesses(execution.step)
            if isDone, execution.isLasting { record(completion, of: execution.step) }
            return .step(index, completion)
        }
    }

    private func leavesProcesses(_ step: PlanStep) -> Bool {
        context.actions[step.task.action.name]?.leavesProcesses ?? false
    }

    /// Stops the processes of the lanes that have ended. A process that ended earlier is a failure of its lane.
    private func stopProcesses(after end: RunState.End) {
        let (index, failed): (Int, Bool)
        switch end {
        case .step(let step, let completion): (index, failed) = (step, completion.status != nil)
        case .skipped(let step, _): (index, failed) = (step, false)
        case .gate: return
        }
        for (group, processes) in context.background.recordEnd(of: index) {
            let hasFailed = failed || state.withLock { $0.groups[group].hasFailed || $0.cancelledAt != nil }
            for stopped in processes {
                let excerpt = stopped.process.takeExcerpt()
                if stopped.endedEarly, !hasFailed {
                    let reason = "\(stopped.name) ended before the lane did: \(stopped.process.reason)"
                    let text = excerpt.isEmpty ? reason : "\(reason)\n\(excerpt)"
                    context.send(.message(Message(.error, text)), step: nil)
                    state.withLock { $0.recordFailure(step: nil, status: ExitStatus.failed.rawValue, in: group) }
                } else if hasFailed, !excerpt.isEmpty {
                    context.send(.message(Message(.note, "\(stopped.name): \(excerpt)")), step: nil)
                }
            }
        }
    }

    /// Reports a step that fails before it starts, for example because its condition cannot be evaluated.
    private func fail(_ index: Int, _ failure: OperationFailure) -> RunState.End {
        let (step, name) = (step(index), name(of: index))
        send(.stepStarted(StepStart(name: name, action: step.task.action.name)), index)
        send(
            .stepEnded(
                StepEnd(
                    name: name, outcome: .failed(status: failure.status, message: failure.message),
                    duration: .zero, isForgiven: step.limits.continuesOnError)), index)
        return .step(index, StepCompletion(name: name, status: failure.status))
    }

    /// Records the results of a step for a later run. Secrets are never written, so a later run repeats a step to get
    /// them.
    private func record(_ completion: StepCompletion, of step: PlanStep) {
        journal?.record(context.releases.all)
        if context.mask.containsSecret(in: completion.outputs) {
            journal?.recordWithheld(step.id)
        } else {
            journal?.record(step.id, completion.outputs, isDeferrable: completion.wasUpToDate)
        }
    }

    private func step(_ index: Int) -> PlanStep { context.plan.steps[index] }

    private func name(of index: Int) -> String {
        step(index).name(in: state.withLock { $0.evaluation(of: step(index).group) })
    }

    private func send(_ kind: LaneEvent.Kind, _ index: Int) { context.send(kind, step: StepID(step(index).id)) }
}
