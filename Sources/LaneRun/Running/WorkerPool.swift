import Diagnostics
import LaneEvents
import LaneModel
import Processes
import Threads

/// The threads that run steps: the caller's own, and others as soon as there is work for them.
final class WorkerPool: Sendable {
    private let state: Monitor<RunState>
    private let world: RunWorld
    private let journal: RunJournal?
    private let threads = Monitor<[Thread]>([])

    init(state: Monitor<RunState>, world: RunWorld, journal: RunJournal?) {
        self.state = state
        self.world = world
        self.journal = journal
    }

    /// Works until everything has ended.
    func run() {
        work()
        for thread in threads.withLock({ $0 }) { thread.join() }
    }

    private func work() {
        var end: RunState.End?
        while let (task, demand) = turn(after: end) {
            callHelp(demand)
            end = perform(task)
        }
        state.signalAll()
    }

    /// Hands in what has been done and takes what is next, in one visit: threads that do little meet here often. `nil`
    /// when everything has ended.
    private func turn(after end: RunState.End?) -> (task: RunState.Task, demand: RunState.Demand)? {
        var end = end
        var isIdle = false
        return state.wait { state in
            if isIdle { state.idleCount -= 1 }
            isIdle = false
            if let done = end.take() { state.finish(done) }
            if let task = state.take() { return .some((task, state.demand)) }
            if state.isFinished { return .some(nil) }
            state.idleCount += 1
            isIdle = true
            return nil
        }
    }

    /// Wakes workers, or starts new ones, for what is ready beside what the calling thread does next.
    private func callHelp(_ demand: RunState.Demand) {
        for _ in 0..<min(demand.readyCount, demand.idleCount) { state.signal() }
        guard demand.readyCount > demand.idleCount else { return }
        threads.withLock { threads in
            let missing = min(demand.readyCount - demand.idleCount, world.options.jobs - 1 - threads.count)
            for _ in 0..<max(0, missing) {
                if let thread = Thread({ self.work() }) { threads.append(thread) }
            }
        }
    }

    private func perform(_ task: RunState.Task) -> RunState.End {
        switch task {
        case .gate(let group, .main, let blocker):
            beginTransaction(group, blocker: blocker)
            return .gate(group, .main, blocker: blocker)
        case .gate(let group, let stage, _):
            if stage == .then { endTransaction(group) }
            return .gate(group, stage, blocker: nil)
        case .step(let index, let decision):
            return perform(decision, on: index)
        }
    }

    private func perform(_ decision: RunState.Decision, on index: Int) -> RunState.End {
        switch decision {
        case .skip(let reason, let blocker):
            let step = world.plan.steps[index]
            let end = StepEnd(name: step.name, outcome: .skipped(reason: reason), duration: .zero)
            world.send(.stepEnded(end), step: StepID(step.id))
            return .skipped(index, blocker: blocker)
        case .fail(let diagnostic):
            let step = world.plan.steps[index]
            let failure = StepFailure(Diagnostics([diagnostic]))
            let outcome = StepEnd.Outcome.failed(status: failure.status, message: failure.message)
            world.send(.stepStarted(StepStart(name: step.name, action: step.task.action.word)), step: StepID(step.id))
            world.send(
                .stepEnded(
                    StepEnd(
                        name: step.name, outcome: outcome, duration: .zero, isForgiven: step.limits.continuesOnError)),
                step: StepID(step.id))
            return .step(index, StepVerdict(status: failure.status))
        case .run(let job):
            let verdict = StepExecution(world: world, job: job).run()
            if verdict.status == nil, job.isLasting {
                // A secret is not written down: a later run does the step once more.
                if world.mask.finds(in: verdict.outputs) {
                    journal?.noteWithheld(job.step.id)
                } else {
                    journal?.note(job.step.id, verdict.outputs, mayWait: verdict.wasUpToDate)
                }
            }
            return .step(index, verdict)
        }
    }

    // MARK: Transactions

    private func beginTransaction(_ group: Int, blocker: Int?) {
        guard state.withLock({ $0.beginsTransaction(group, blocker: blocker) }) else { return }
        do throws(StepFailure) {
            guard let source = world.surroundings.transactions else {
                throw StepFailure(status: ExitStatus.internal.rawValue, "nothing here knows how to begin a transaction")
            }
            let transaction = try source.begin(
                root: world.root, environment: world.surroundings.environment,
                processes: processes(until: world.workCancellation),
                tidying: processes(until: world.hookCancellation))
            state.withLock { $0.set(transaction, of: group) }
        } catch {
            fail(error, in: group)
        }
    }

    private func processes(until cancellation: Cancellation) -> StepProcesses {
        StepProcesses(
            base: world.processes(with: []), mask: world.mask, limit: nil, grace: world.options.grace,
            cancellation: cancellation)
    }

    private func endTransaction(_ group: Int) {
        guard let (transaction, isGood) = state.withLock({ $0.transactionToEnd(group) }) else { return }
        guard isGood else {
            transaction.abandon()
            world.send(.message(Message(.note, "nothing has been changed in the repository")), step: nil)
            return state.withLock { $0.set(nil, of: group) }
        }
        do {
            let steps = state.withLock { $0.stepsMadeReal(by: group) }
            transaction.notes.record = record(of: steps)
            let news = try transaction.commit()
            for (step, artifact) in transaction.notes.artifacts { world.send(.artifact(artifact), step: step) }
            if let news { world.send(.message(Message(.note, news)), step: nil) }
            state.withLock { $0.set(nil, of: group) }
            for (id, results) in steps { journal?.note(id, results, mayWait: false) }
        } catch {
            transaction.abandon()
            state.withLock { $0.set(nil, of: group) }
            fail(error, in: group)
        }
    }

    /// The steps as they are kept with a transaction; secrets are not.
    private func record(of steps: [(id: String, results: [String: Value])]) -> TransactionRecord {
        let safe = steps.map { ($0.id, world.mask.finds(in: $0.results) ? [:] : $0.results) }
        return TransactionRecord(lane: world.plan.lane, run: world.run, steps: Dictionary(safe) { $1 })
    }

    /// A failure that belongs to no step.
    private func fail(_ failure: StepFailure, in group: Int) {
        world.send(.message(Message(.error, failure.message)), step: nil)
        let status = failure.status == 0 ? ExitStatus.failed.rawValue : failure.status
        state.withLock { $0.noteFailure(step: nil, status: status, in: group) }
    }
}
