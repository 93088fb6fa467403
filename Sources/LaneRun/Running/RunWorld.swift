import LaneEvents
import LaneModel
import Processes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What a run is given and does not change. A class, as every step holds it.
final class RunWorld: Sendable {
    let plan: Plan
    let actions: [String: any StepAction]
    let surroundings: RunSurroundings
    let events: EventStream
    let options: RunOptions
    let mask: SecretMask
    let logs: StepLogs?
    /// What ran to a good end before; `nil` when no step of the plan asks.
    let ledger: StepLedger?
    let past: PastRun
    /// A name of this run that no other has.
    let run = "\(getpid()).\(Monotonic.now.components.seconds).\(Monotonic.now.components.attoseconds)"
    /// For main steps: also ended by a failure, where the policy says so.
    let workCancellation: Cancellation
    /// For hooks: a first request lets them run, a second one ends them.
    let hookCancellation: Cancellation

    init(
        _ plan: Plan, _ actions: [String: any StepAction], in surroundings: RunSurroundings, events: EventStream,
        options: RunOptions, past: PastRun
    ) {
        self.plan = plan
        self.actions = actions
        self.surroundings = surroundings
        self.events = events
        self.options = options
        self.past = past
        mask = SecretMask(plan.secretValues(in: surroundings.environment))
        logs = options.keepsLogs ? StepLogs(root: surroundings.root, lane: plan.lane) : nil
        let asksLedger = plan.steps.contains { !$0.files.isEmpty }
        ledger = options.keepsRecords && asksLedger ? StepLedger(root: surroundings.root) : nil
        workCancellation = Cancellation(following: surroundings.cancellation)
        hookCancellation = Cancellation(following: surroundings.cancellation, from: .immediate)
    }

    var root: String { surroundings.root }

    /// Returns a runner whose children get no secrets but these.
    func processes(with secrets: Set<String>) -> any ProcessRunner {
        let withheld = plan.allSecrets.subtracting(secrets)
        return withheld.isEmpty
            ? surroundings.processes : WithholdingRunner(surroundings.processes, withholding: withheld)
    }

    /// Sends an event with every secret in it masked, and keeps what the step's log holds of it.
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
