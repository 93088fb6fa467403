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
        callHelp(state.withLock { $0.demand })
        work()
        for thread in threads.withLock({ $0 }) { thread.join() }
    }

    private enum Turn {
        case take(Schedule.Node, blocker: Int?)
        case leave
    }

    private func work() {
        while case .take(let node, let blocker) = nextTurn() {
            let newBlocker = perform(node, blocker)
            callHelp(
                state.withLock { state in
                    state.finish(node, blocker: newBlocker)
                    return state.demand
                })
        }
    }

    private func nextTurn() -> Turn {
        var isIdle = false
        return state.wait { state in
            if isIdle { state.idleCount -= 1 }
            isIdle = false
            if let (node, blocker) = state.take() { return .take(node, blocker: blocker) }
            if state.isFinished { return .leave }
            state.idleCount += 1
            isIdle = true
            return nil
        }
    }

    /// Wakes workers, or starts new ones, for what this thread will not do itself next.
    private func callHelp(_ demand: RunState.Demand) {
        if demand.isFinished { return state.signalAll() }
        let (surplus, idle) = (demand.readyCount - 1, demand.idleCount)
        guard surplus > 0 else { return }
        for _ in 0..<min(surplus, idle) { state.signal() }
        guard surplus > idle else { return }
        threads.withLock { threads in
            let missing = min(surplus - idle, world.options.jobs - 1 - threads.count)
            for _ in 0..<max(0, missing) {
                if let thread = Thread({ self.work() }) { threads.append(thread) }
            }
        }
    }

    /// Does one thing; gives the failed step that keeps what follows from running, if there is one.
    private func perform(_ node: Schedule.Node, _ blocker: Int?) -> Int? {
        switch node {
        case .gate(let group, .main):
            beginTransaction(group, blocker: blocker)
            return blocker
        case .gate(let group, .then):
            endTransaction(group)
            return nil
        case .gate: return nil
        case .step(let index): return perform(step: index, blocker)
        }
    }

    private func perform(step index: Int, _ blocker: Int?) -> Int? {
        let step = world.plan.steps[index]
        switch state.withLock({ $0.decide(index, blocker: blocker) }) {
        case .skip(let reason, let blocker):
            let end = StepEnd(name: step.name, outcome: .skipped(reason: reason), duration: .zero)
            world.send(.stepEnded(end), step: StepID(step.id))
            return blocker
        case .fail(let diagnostic):
            let failure = StepFailure(Diagnostics([diagnostic]))
            let outcome = StepEnd.Outcome.failed(status: failure.status, message: failure.message)
            world.send(.stepStarted(StepStart(name: step.name, action: step.action.word)), step: StepID(step.id))
            world.send(
                .stepEnded(
                    StepEnd(
                        name: step.name, outcome: outcome, duration: .zero, isForgiven: step.continuesOnError)),
                step: StepID(step.id))
            return state.withLock { $0.note(StepVerdict(status: failure.status), of: index) }
        case .run(let job):
            let verdict = StepExecution(world: world, job: job).run()
            let (blocker, isLasting) = state.withLock { ($0.note(verdict, of: index), $0.isLasting(index)) }
            if verdict.status == nil, isLasting {
                journal?.note(job.step.id, verdict.outputs, mayWait: verdict.wasUpToDate)
            }
            return blocker
        }
    }

    // MARK: Transactions

    private func beginTransaction(_ group: Int, blocker: Int?) {
        guard state.withLock({ $0.beginsTransaction(group, blocker: blocker) }) else { return }
        do throws(StepFailure) {
            guard let source = world.transactions else {
                throw StepFailure(status: ExitStatus.internal.rawValue, "nothing here knows how to begin a transaction")
            }
            let processes = StepProcesses(
                base: world.processes, mask: world.mask, limit: nil, grace: world.options.grace,
                cancellation: world.workCancellation)
            let transaction = try source.begin(
                root: world.root, environment: world.environment, processes: processes)
            state.withLock { $0.set(.open(transaction), of: group) }
        } catch {
            fail(error, in: group)
        }
    }

    private func endTransaction(_ group: Int) {
        guard let (transaction, isGood) = state.withLock({ $0.transactionToEnd(group) }) else { return }
        guard isGood else {
            transaction.abandon()
            return state.withLock { $0.set(.abandoned, of: group) }
        }
        do {
            try transaction.commit()
            let steps = state.withLock { state in
                state.set(.real, of: group)
                return state.stepsMadeReal(by: group)
            }
            for (id, results) in steps { journal?.note(id, results, mayWait: false) }
        } catch {
            transaction.abandon()
            state.withLock { $0.set(.abandoned, of: group) }
            fail(error, in: group)
        }
    }

    /// A failure that belongs to no step.
    private func fail(_ failure: StepFailure, in group: Int) {
        world.send(.message(Message(.error, failure.message)), step: nil)
        let status = failure.status == 0 ? ExitStatus.failed.rawValue : failure.status
        state.withLock { $0.noteFailure(step: nil, status: status, in: group) }
    }
}
