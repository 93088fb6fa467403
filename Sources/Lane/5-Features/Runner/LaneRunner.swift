package import Actions
import CLibrary
package import Events
import Expressions
package import LaneModel
import OperatingSystem
import Records
import Text

/// A runner that executes the steps of a plan in parallel, each after its dependencies.
///
/// The runner sends events in the order that `LaneEvent` documents. `run()` blocks its thread and uses it as the
/// first worker.
package struct LaneRunner: Sendable {
    private let context: RunContext
    private let fingerprint: String
    private let keepsJournal: Bool

    /// Creates a runner. Reads the journal of the lane's last run if the options request a part of the plan.
    ///
    /// - Parameters:
    ///   - actions: The implementations of actions by name.
    ///   - events: The stream to which events are sent. Later runs can use this run if a receiver is a `RunRecorder`.
    package init(
        plan: Plan, actions: [String: any StepAction], in environment: RunEnvironment, events: EventStream,
        options: RunOptions
    ) {
        let isRecorded = events.read(RunRecorder.self) { _ in } != nil
        // Only a run of several steps can be resumed.
        keepsJournal = isRecorded && plan.steps.count > 1
        fingerprint = keepsJournal || options.part != .all ? plan.fingerprint(in: environment) : ""
        let reused = ReusedResults(options.part, of: plan, fingerprint: fingerprint, in: environment)
        context = RunContext(
            plan, actions, in: environment, events: events, options: options, reused: reused, isRecorded: isRecorded)
    }

    /// The reason why the requested part of the plan cannot run, or `nil` if it can. Check it before `run()`.
    package var obstacle: String? { context.reused.obstacle }

    /// Runs the plan.
    ///
    /// - Returns: 0, or the exit status of the first failed step. The status is 124 after a timeout, and 128 plus the
    ///   signal after a cancellation.
    package func run() -> Int32 {
        let start = Monotonic.now
        let startedAt = context.environment.now()
        context.send(.runStarted(RunStart(lane: plan.lane, steps: plannedSteps, startedAt: startedAt)))
        for name in context.mask.unmasked where !plan.foreignSecrets.contains(name) {
            let text = "the value of \(name) is too short to be masked in output"
            context.report(.warning, text)
        }
        let status: Int32
        if let obstacle {
            context.report(.error, obstacle)
            status = ExitStatus.refused.rawValue
        } else {
            status = work()
        }
        context.send(.runEnded(RunEnd(status: status, duration: Monotonic.now - start)))
        return status
    }

    private var plan: Plan { context.plan }

    private var plannedSteps: [StepSummary] {
        plan.steps.map { StepSummary(id: StepID($0.id), name: context.mask.masked($0.name)) }
    }

    /// Runs the steps and writes the records for later runs.
    private func work() -> Int32 {
        let isPart = if case .only = context.options.part { true } else { false }
        let journal =
            keepsJournal
            ? RunJournal(
                context.events, plan: fingerprint, isPart: isPart, run: context.run, reused: context.reused) : nil
        let state = Monitor(RunState(context))
        WorkerPool(state: state, context: context, journal: journal).run()
        let (status, failedStep) = state.withLock { ($0.status, $0.firstFailure?.step.map { plan.steps[$0].id }) }
        // A run of a single step does not finish an earlier, unfinished run.
        let isUnfinished = isPart && !context.reused.wasFinished
        if status != 0 || !isUnfinished { journal?.end(status) }
        let lost = context.events.read(RunRecorder.self) { $0.save(failedStep: failedStep) }
        var failure = lost?.events
        do { try context.cache?.write() } catch { failure = failure ?? error }
        if let results = lost?.results { warn("\(results); the results of this run are not in the history") }
        for log in lost?.logs ?? [] { warn("\(log); the rest of this log is lost") }
        // The directory of a run may be read-only.
        if let failure, ![EROFS, EACCES, EPERM].contains(failure.code) {
            warn("\(failure); the next run may repeat steps")
        }
        return status
    }

    /// Warns about a record that could not be written. The run does not fail for this reason.
    private func warn(_ text: String) { context.report(.warning, text) }
}

extension RunState {
    /// The exit status of the run.
    var status: Int32 {
        let cancellation = context.environment.cancellation
        if cancellation.isCancelled { return ExitStatus.signalled(cancellation.signal).rawValue }
        return firstFailure?.status ?? ExitStatus.done.rawValue
    }
}

/// The threads of a `LaneRunner` that run steps: the calling thread, and further threads when there is work for them.
///
/// `RunState` decides whether a step runs, `StepExecution` runs it, and its action does the work in a `StepContext`.
private final class WorkerPool: Sendable {
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
            wakeWorker(demand)
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

    /// Wakes or starts one thread if there are more ready tasks. That thread does the same in turn, which on a busy
    /// machine is late enough for threads with short tasks to take most of them.
    private func wakeWorker(_ demand: RunState.Demand) {
        guard demand.readyCount > 0 else { return }
        guard demand.idleCount == 0 else { return state.signal() }
        threads.withLock { threads in
            guard threads.count < context.options.jobs - 1 else { return }
            if let thread = Thread({ self.work() }) { threads.append(thread) }
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
            let (end, outputs) = execution.run()
            let isDone = !end.outcome.isFailure && !leavesProcesses(execution.step)
            if isDone, execution.isLasting {
                record(outputs, of: execution.step, wasUpToDate: end.outcome == .upToDate)
            }
            return .step(index, end, outputs: outputs)
        }
    }

    private func leavesProcesses(_ step: PlanStep) -> Bool {
        context.actions[step.task.action.name]?.leavesProcesses ?? false
    }

    /// Stops the processes of the lanes that have ended. A process that ended earlier is a failure of its lane.
    private func stopProcesses(after end: RunState.End) {
        let (index, failed): (Int, Bool)
        switch end {
        case .step(let step, let end, _): (index, failed) = (step, end.outcome.isFailure)
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
                    context.report(.error, text)
                    state.withLock { $0.recordFailure(step: nil, status: ExitStatus.failed.rawValue, in: group) }
                } else if hasFailed, !excerpt.isEmpty {
                    context.report(.note, "\(stopped.name): \(excerpt)")
                }
            }
        }
    }

    /// Reports a step that fails before it starts, for example because its condition cannot be evaluated.
    private func fail(_ index: Int, _ failure: OperationFailure) -> RunState.End {
        let (step, name) = (step(index), name(of: index))
        send(.stepStarted(StepStart(name: name, action: step.task.action.name)), index)
        let end = StepEnd(
            name: name, outcome: .failed(status: failure.status, message: failure.message), duration: .zero,
            isForgiven: step.limits.continuesOnError)
        send(.stepEnded(end), index)
        return .step(index, end, outputs: [:])
    }

    /// Records the results of a step for a later run. Secrets are never written, so a later run repeats a step to get
    /// them.
    private func record(_ outputs: [String: Value], of step: PlanStep, wasUpToDate: Bool) {
        journal?.record(context.releases.all)
        if context.mask.containsSecret(in: outputs) {
            journal?.recordWithheld(step.id)
        } else {
            journal?.record(step.id, outputs, isDeferrable: wasUpToDate)
        }
    }

    private func step(_ index: Int) -> PlanStep { context.plan.steps[index] }

    private func name(of index: Int) -> String {
        step(index).name(in: state.withLock { $0.evaluation(of: step(index).group) })
    }

    private func send(_ kind: LaneEvent.Kind, _ index: Int) { context.send(kind, step: StepID(step(index).id)) }
}
