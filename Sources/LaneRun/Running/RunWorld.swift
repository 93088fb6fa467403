import LaneEvents
import LaneModel
import Processes

/// What a run is given and does not change. A class, as every step holds it.
final class RunWorld: Sendable {
    let plan: Plan
    let actions: [String: any StepAction]
    let processes: any ProcessRunner
    let environment: [String: String]
    let root: String
    let events: EventStream
    let transactions: (any TransactionSource)?
    let options: RunOptions
    let mask: SecretMask
    let logs: StepLogs?
    /// What ran to a good end before; `nil` when no step of the plan asks.
    let ledger: StepLedger?
    let past: PastRun
    /// What expressions see outside any group.
    let evaluation: EvaluationContext
    /// The caller's; what a person or the system asked.
    let cancellation: Cancellation
    /// For main steps: also ended by a failure, where the policy says so.
    let workCancellation: Cancellation
    /// For hooks: a first request lets them run, a second one ends them.
    let hookCancellation: Cancellation

    init(_ runner: LaneRunner, past: PastRun) {
        plan = runner.plan
        actions = runner.actions
        processes = runner.processes
        environment = runner.environment
        root = runner.root
        events = runner.events
        transactions = runner.transactions
        options = runner.options
        mask = SecretMask(plan.secretValues(in: environment))
        logs = options.keepsLogs ? StepLogs(root: root, lane: plan.lane) : nil
        let asksLedger = plan.steps.contains { !$0.files.isEmpty }
        ledger = options.keepsRecords && asksLedger ? StepLedger(root: root) : nil
        self.past = past
        evaluation = runner.outermostContext
        cancellation = runner.cancellation
        workCancellation = Cancellation(following: cancellation)
        hookCancellation = Cancellation(following: cancellation, from: .immediate)
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
