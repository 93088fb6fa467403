import Actions
import Events
import LaneModel
import OperatingSystem
import Records

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The constant part of a run, shared by its steps.
final class RunContext: Sendable {
    let plan: Plan
    let actions: [String: any StepAction]
    let environment: RunEnvironment
    let events: EventStream
    let options: RunOptions
    let mask: SecretMask
    let logs: StepLogs?
    /// The cache of up-to-date steps, or `nil` if no step of the plan declares files.
    let cache: StepCache?
    /// The key of fingerprints if values of the plan may be secrets.
    let stateKey: [UInt8]?
    let reused: ReusedResults
    let background: BackgroundProcesses
    /// The releases whose versions the steps of this run or of the resumed run have determined.
    let releases: PlannedReleases
    /// A unique name of this run.
    let run = "\(getpid()).\(Monotonic.now.components.seconds).\(Monotonic.now.components.attoseconds)"
    /// The cancellation of main steps, which a failure also requests if the policy is `cancelOthers`.
    let workCancellation: Cancellation
    /// The cancellation of hooks. Hooks run after a first request, and a second request ends them.
    let hookCancellation: Cancellation

    init(
        _ plan: Plan, _ actions: [String: any StepAction], in environment: RunEnvironment, events: EventStream,
        options: RunOptions, reused: ReusedResults, isRecorded: Bool
    ) {
        self.plan = plan
        self.actions = actions
        self.environment = environment
        self.events = events
        self.options = options
        self.reused = reused
        releases = PlannedReleases(reused.releases)
        background = BackgroundProcesses(plan) { actions[$0.task.action.name]?.leavesProcesses ?? false }
        mask = SecretMask(plan.secretValues(in: environment.variables))
        logs = options.keepsLogs ? StepLogs(root: environment.root, lane: plan.lane) : nil
        let usesCache = plan.steps.contains { !$0.files.isEmpty }
        cache = isRecorded && usesCache ? StepCache(root: environment.root) : nil
        stateKey = cache != nil && plan.hasSecrets ? StateKey.read(root: environment.root) : nil
        workCancellation = Cancellation(following: environment.cancellation)
        hookCancellation = Cancellation(following: environment.cancellation, from: .immediate)
    }

    var root: String { environment.root }

    /// Returns a runner whose child processes get only the given secrets of the plan.
    func processes(with secrets: Set<String>) -> any ProcessRunner {
        let withheld = plan.allSecrets.subtracting(secrets)
        return withheld.isEmpty
            ? environment.processes : WithholdingRunner(environment.processes, withholding: withheld)
    }

    /// Starts a process that runs until the lane of a step ends.
    ///
    /// The process keeps running after a first cancellation, because hooks may use it. A second request ends it.
    func startInBackground(
        _ command: Command, for step: PlanStep, receive: @escaping @Sendable ([UInt8]) -> Void,
        cleanUp: @escaping @Sendable () -> Void
    ) -> BackgroundProcess {
        let cancellation = Cancellation(following: environment.cancellation, from: .immediate)
        let processes = StepProcesses(
            base: processes(with: step.task.secrets), mask: mask, limit: nil, grace: step.limits.grace ?? options.grace,
            cancellation: cancellation)
        let output = StepID("\(step.id).output")
        let process = BackgroundProcess(
            command, by: processes, cancellation: cancellation, log: logs?.path(of: output),
            receive: { [logs] bytes in
                _ = logs?.append(bytes, isLine: false, of: output)
                receive(bytes)
            },
            cleanUp: { [logs] in
                logs?.finish(output)
                cleanUp()
            },
            didEnd: { [weak self] process in
                self?.send(.message(Message(.warning, "\(step.name) has ended: \(process.reason)")), step: nil)
            })
        background.add(process, of: step)
        return process
    }

    /// Sends an event with masked secrets and appends it to the step's log.
    func send(_ kind: LaneEvent.Kind, step: StepID?) {
        let kind = mask.isEmpty ? kind : kind.masked(by: mask)
        if let logs, let step, let (text, isLine) = kind.logText,
            let failure = logs.append(text, isLine: isLine, of: step)
        {
            events.send(.message(Message(.warning, "\(failure); the rest of this log is lost")), step: step)
        }
        events.send(kind, step: step)
    }
}
