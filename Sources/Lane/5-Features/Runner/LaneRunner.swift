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
        context.logs?.clear()
        let startedAt = context.environment.now()
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
            status = work()
        }
        context.send(.runEnded(RunEnd(status: status, duration: Monotonic.now - start)), step: nil)
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
        var failure = context.events.read(RunRecorder.self) { $0.save(failedStep: failedStep) } ?? nil
        do { try context.cache?.write() } catch { failure = failure ?? error }
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

extension RunState {
    /// The exit status of the run.
    var status: Int32 {
        let cancellation = context.environment.cancellation
        if cancellation.isCancelled { return ExitStatus.signalled(cancellation.signal).rawValue }
        return firstFailure?.status ?? ExitStatus.done.rawValue
    }
}
