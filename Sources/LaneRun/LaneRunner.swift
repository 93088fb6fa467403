import Diagnostics
import Files
package import LaneEvents
package import LaneModel
package import Processes
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Runs a plan: each step when what it needs is done, several at once, to one exit status.
///
/// Events come in the order that `LaneEvent` promises. `run` blocks its thread, which is also the first worker.
package struct LaneRunner: Sendable {
    let plan: Plan
    let actions: [String: any StepAction]
    let processes: any ProcessRunner
    let environment: [String: String]
    let root: String
    let events: EventStream
    let cancellation: Cancellation
    let transactions: (any TransactionSource)?
    let options: RunOptions
    /// What expressions see outside any group.
    let outermostContext: EvaluationContext
    private let fingerprint: String
    private let past: PastRun

    /// Reads what is left of the lane's last run where a part of the plan is asked for.
    ///
    /// - Parameters:
    ///   - actions: What each word of the plan's steps does.
    ///   - environment: The whole environment from which steps start.
    ///   - root: The package's root, absolute.
    ///   - evaluation: What expressions see outside any group: `git`, `ci`.
    package init(
        plan: Plan, actions: [String: any StepAction], processes: any ProcessRunner, environment: [String: String],
        root: String, events: EventStream, cancellation: Cancellation, transactions: (any TransactionSource)? = nil,
        evaluation: EvaluationContext = EvaluationContext(), options: RunOptions
    ) {
        self.plan = plan
        self.actions = actions
        self.processes = processes
        var environment = environment
        environment[RunLock.rootVariable] = root
        self.environment = environment
        self.root = root
        self.events = events
        self.cancellation = cancellation
        self.transactions = transactions
        self.options = options
        outermostContext = evaluation.with(environment)
        fingerprint = options.keepsJournal(of: plan) || options.part != .all ? plan.fingerprint : ""
        past = PastRun(options.part, of: plan, fingerprint: fingerprint, root: root, evaluation: outermostContext)
    }

    /// Why the part of the plan that is asked for cannot be run; whoever asks before spares a person a whole report.
    package var obstacle: String? { past.obstacle }

    /// Runs it to its end.
    ///
    /// - Parameter startedAt: Seconds since 1970, for reports.
    /// - Returns: 0, or the status of the first step that failed, 124 for a timeout, 128 and the signal after a
    ///   cancellation.
    package func run(startedAt: Double) -> Int32 {
        let start = Monotonic.now
        let world = RunWorld(self, past: past)
        let steps = plan.steps.map { step in
            RunStart.PlannedStep(id: StepID(step.id), name: world.mask.masked(step.name))
        }
        world.send(.runStarted(RunStart(lane: plan.lane, steps: steps, startedAt: startedAt)), step: nil)
        for name in world.mask.unmasked {
            let text = "the value of \(name) is too short to be masked in output"
            world.send(.message(Message(.warning, text)), step: nil)
        }
        let status: Int32
        if let obstacle = past.obstacle {
            world.send(.message(Message(.error, obstacle)), step: nil)
            status = ExitStatus.refused.rawValue
        } else {
            status = work(in: world, startedAt: startedAt, start: start)
        }
        world.send(.runEnded(RunEnd(status: status, duration: Monotonic.now - start)), step: nil)
        return status
    }

    /// Runs the steps, and writes down what later runs want to know.
    private func work(in world: RunWorld, startedAt: Double, start: Duration) -> Int32 {
        let journal =
            options.keepsJournal(of: plan)
            ? RunJournal(root: root, lane: plan.lane, plan: fingerprint, done: world.past.done) : nil
        let state = Monitor(RunState(world))
        WorkerPool(state: state, world: world, journal: journal).run()
        let (status, failedStep) = state.withLock { ($0.status, $0.firstFailure?.step.map { plan.steps[$0].id }) }
        guard options.keepsRecords else { return status }
        // Of a run whose single steps were repeated, the rest is still to be done.
        let leavesRest = if case .only = options.part { !world.past.wasFinished } else { false }
        let entry = RunHistory.Entry(
            lane: plan.lane, startedAt: startedAt, duration: Monotonic.now - start, status: status,
            failedStep: failedStep)
        var failure: FileError?
        if status != 0 || !leavesRest { failure = journal?.end(status) }
        do { try world.ledger?.write() } catch { failure = failure ?? error }
        do { try RunHistory(root: root).append(entry) } catch { failure = failure ?? error }
        if let failure { tellOfLostRecords(failure, in: world) }
        return status
    }

    /// A record that cannot be written is no reason to call the run a failure, and in a folder that is not ours to write
    /// in nobody expects one.
    private func tellOfLostRecords(_ failure: FileError, in world: RunWorld) {
        guard ![EROFS, EACCES, EPERM].contains(failure.code) else { return }
        let text = "\(failure); the next run knows only in part what this one did"
        world.send(.message(Message(.warning, text)), step: nil)
    }
}

extension RunOptions {
    /// Of a single step there is nothing to take up.
    fileprivate func keepsJournal(of plan: Plan) -> Bool { keepsRecords && plan.steps.count > 1 }
}

extension EvaluationContext {
    fileprivate func with(_ environment: [String: String]) -> EvaluationContext {
        var context = self
        context.environment = environment
        return context
    }
}

extension RunState {
    /// What the run ends with.
    var status: Int32 {
        if world.cancellation.isCancelled { return ExitStatus.signalled(world.cancellation.signal).rawValue }
        return firstFailure?.status ?? ExitStatus.done.rawValue
    }
}
