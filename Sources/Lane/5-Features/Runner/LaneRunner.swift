package import Actions
package import Events
package import LaneModel
import OperatingSystem
import Records
import Text

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A runner that executes the steps of a plan in parallel, each after its dependencies.
///
/// The runner sends events in the order that `LaneEvent` documents. `run(startedAt:)` blocks its thread and uses it as
/// the first worker.
package struct LaneRunner: Sendable {
    private let context: RunContext
    private let fingerprint: String

    /// Creates a runner. Reads the journal of the lane's last run if the options request a part of the plan.
    ///
    /// - Parameters:
    ///   - actions: The implementations of actions by name.
    ///   - events: The stream to which events are sent.
    package init(
        plan: Plan, actions: [String: any StepAction], in environment: RunEnvironment, events: EventStream,
        options: RunOptions
    ) {
        fingerprint =
            options.keepsJournal(of: plan) || options.part != .all ? plan.fingerprint(root: environment.root) : ""
        let past = PastRun(options.part, of: plan, fingerprint: fingerprint, in: environment)
        context = RunContext(plan, actions, in: environment, events: events, options: options, past: past)
    }

    /// The reason why the requested part of the plan cannot run, or `nil` if it can. Check it before `run(startedAt:)`.
    package var obstacle: String? { context.past.obstacle }

    /// Runs the plan.
    ///
    /// - Parameter startedAt: The start time in seconds since 1970, for reports.
    /// - Returns: 0, or the exit status of the first failed step. The status is 124 after a timeout, and 128 plus the
    ///   signal after a cancellation.
    package func run(startedAt: Double) -> Int32 {
        let start = Monotonic.now
        context.logs?.clear()
        context.send(.runStarted(RunStart(lane: plan.lane, steps: plannedSteps, startedAt: startedAt)), step: nil)
        for name in context.mask.unmasked where !plan.foreignSecrets.contains(name) {
            let text = "the value of \(name) is too short to be masked in output"
            context.send(.message(Message(.warning, text)), step: nil)
        }
        let status: Int32
        if let obstacle {
            context.send(.message(Message(.error, obstacle)), step: nil)
            status = ExitStatus.refused.rawValue
        } else {
            status = work(startedAt: startedAt, start: start)
        }
        context.send(.runEnded(RunEnd(status: status, duration: Monotonic.now - start)), step: nil)
        return status
    }

    private var plan: Plan { context.plan }

    private var plannedSteps: [RunStart.PlannedStep] {
        plan.steps.map { RunStart.PlannedStep(id: StepID($0.id), name: context.mask.masked($0.name)) }
    }

    /// Runs the steps and writes the records for later runs.
    private func work(startedAt: Double, start: Duration) -> Int32 {
        let journal =
            context.options.keepsJournal(of: plan)
            ? RunJournal(root: context.root, lane: plan.lane, plan: fingerprint, run: context.run, past: context.past)
            : nil
        let state = Monitor(RunState(context))
        WorkerPool(state: state, context: context, journal: journal).run()
        let (status, failedStep) = state.withLock { ($0.status, $0.firstFailure?.step.map { plan.steps[$0].id }) }
        guard context.options.keepsRecords else { return status }
        // A run of a single step does not finish an earlier, unfinished run.
        let isUnfinished = if case .only = context.options.part { !context.past.wasFinished } else { false }
        let entry = RunHistory.Entry(
            lane: plan.lane, startedAt: startedAt, duration: Monotonic.now - start, status: status,
            failedStep: failedStep)
        var failure: FileError?
        if status != 0 || !isUnfinished { failure = journal?.end(status) }
        do { try context.cache?.write() } catch { failure = failure ?? error }
        do { try RunHistory(root: context.root).append(entry) } catch { failure = failure ?? error }
        if let failure { warnStateNotSaved(failure) }
        return status
    }

    /// Warns about a record that could not be written, unless the directory is read-only. The run does not fail for
    /// this reason.
    private func warnStateNotSaved(_ failure: FileError) {
        guard ![EROFS, EACCES, EPERM].contains(failure.code) else { return }
        let text = "\(failure); the next run may repeat steps"
        context.send(.message(Message(.warning, text)), step: nil)
    }
}

extension RunOptions {
    /// Returns a Boolean value that indicates whether a run of the plan can be resumed, which requires several steps.
    fileprivate func keepsJournal(of plan: Plan) -> Bool { keepsRecords && plan.steps.count > 1 }
}

extension RunState {
    /// The exit status of the run.
    var status: Int32 {
        let cancellation = context.environment.cancellation
        if cancellation.isCancelled { return ExitStatus.signalled(cancellation.signal).rawValue }
        return firstFailure?.status ?? ExitStatus.done.rawValue
    }
}
