import Diagnostics
import Files
package import LaneEvents
package import LaneModel
import Processes
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
    private let world: RunWorld
    private let fingerprint: String

    /// Reads what is left of the lane's last run where a part of the plan is asked for.
    ///
    /// - Parameters:
    ///   - actions: What each word of the plan's steps does.
    ///   - surroundings: Where and with what it runs.
    ///   - events: Where it tells what happens.
    package init(
        plan: Plan, actions: [String: any StepAction], in surroundings: RunSurroundings, events: EventStream,
        options: RunOptions
    ) {
        fingerprint = options.keepsJournal(of: plan) || options.part != .all ? plan.fingerprint : ""
        let past = PastRun(options.part, of: plan, fingerprint: fingerprint, in: surroundings)
        world = RunWorld(plan, actions, in: surroundings, events: events, options: options, past: past)
    }

    /// Why the part of the plan that is asked for cannot be run; whoever asks before spares a person a whole report.
    package var obstacle: String? { world.past.obstacle }

    /// Runs it to its end.
    ///
    /// - Parameter startedAt: Seconds since 1970, for reports.
    /// - Returns: 0, or the status of the first step that failed, 124 for a timeout, 128 and the signal after a
    ///   cancellation.
    package func run(startedAt: Double) -> Int32 {
        let start = Monotonic.now
        world.logs?.clear()
        world.send(.runStarted(RunStart(lane: plan.lane, steps: plannedSteps, startedAt: startedAt)), step: nil)
        for name in world.mask.unmasked where !plan.foreignSecrets.contains(name) {
            let text = "the value of \(name) is too short to be masked in output"
            world.send(.message(Message(.warning, text)), step: nil)
        }
        let status: Int32
        if let obstacle {
            world.send(.message(Message(.error, obstacle)), step: nil)
            status = ExitStatus.refused.rawValue
        } else {
            status = work(startedAt: startedAt, start: start)
        }
        world.send(.runEnded(RunEnd(status: status, duration: Monotonic.now - start)), step: nil)
        return status
    }

    private var plan: Plan { world.plan }

    private var plannedSteps: [RunStart.PlannedStep] {
        plan.steps.map { RunStart.PlannedStep(id: StepID($0.id), name: world.mask.masked($0.name)) }
    }

    /// Runs the steps, and writes down what later runs want to know.
    private func work(startedAt: Double, start: Duration) -> Int32 {
        let journal =
            world.options.keepsJournal(of: plan)
            ? RunJournal(root: world.root, lane: plan.lane, plan: fingerprint, run: world.run, past: world.past) : nil
        let state = Monitor(RunState(world))
        WorkerPool(state: state, world: world, journal: journal).run()
        let (status, failedStep) = state.withLock { ($0.status, $0.firstFailure?.step.map { plan.steps[$0].id }) }
        guard world.options.keepsRecords else { return status }
        // Of a run whose single steps were repeated, the rest is still to be done.
        let leavesRest = if case .only = world.options.part { !world.past.wasFinished } else { false }
        let entry = RunHistory.Entry(
            lane: plan.lane, startedAt: startedAt, duration: Monotonic.now - start, status: status,
            failedStep: failedStep)
        var failure: FileError?
        if status != 0 || !leavesRest { failure = journal?.end(status) }
        do { try world.ledger?.write() } catch { failure = failure ?? error }
        do { try RunHistory(root: world.root).append(entry) } catch { failure = failure ?? error }
        if let failure { tellOfLostRecords(failure) }
        return status
    }

    /// A record that cannot be written is no reason to call the run a failure, and in a folder that is not ours to write
    /// in nobody expects one.
    private func tellOfLostRecords(_ failure: FileError) {
        guard ![EROFS, EACCES, EPERM].contains(failure.code) else { return }
        let text = "\(failure); the next run knows only in part what this one did"
        world.send(.message(Message(.warning, text)), step: nil)
    }
}

extension RunOptions {
    /// Of a single step there is nothing to take up.
    fileprivate func keepsJournal(of plan: Plan) -> Bool { keepsRecords && plan.steps.count > 1 }
}

extension RunState {
    /// What the run ends with.
    var status: Int32 {
        let cancellation = world.surroundings.cancellation
        if cancellation.isCancelled { return ExitStatus.signalled(cancellation.signal).rawValue }
        return firstFailure?.status ?? ExitStatus.done.rawValue
    }
}
