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

    init(
        plan: Plan, actions: [String: any StepAction], processes: any ProcessRunner, environment: [String: String],
        root: String, events: EventStream, transactions: (any TransactionSource)?, options: RunOptions,
        mask: SecretMask, logs: StepLogs?, ledger: StepLedger?, past: PastRun, evaluation: EvaluationContext,
        cancellation: Cancellation
    ) {
        self.plan = plan
        self.actions = actions
        self.processes = processes
        self.environment = environment
        self.root = root
        self.events = events
        self.transactions = transactions
        self.options = options
        self.mask = mask
        self.logs = logs
        self.ledger = ledger
        self.past = past
        self.evaluation = evaluation
        self.cancellation = cancellation
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

/// One step with everything that it needs to be run, taken at the moment when its turn came.
final class StepJob: Sendable {
    let step: PlanStep
    let context: EvaluationContext
    let parameters: [String: Value]
    let transaction: (any Transaction)?
    /// When its lane's time is over, and how much that was.
    let deadline: (moment: Duration, limit: Duration)?
    /// Whether a later run may count on it: what was done in a private worktree is gone when that is.
    let isLasting: Bool
    let cancellation: Cancellation

    init(
        step: PlanStep, context: EvaluationContext, parameters: [String: Value], transaction: (any Transaction)?,
        deadline: (moment: Duration, limit: Duration)?, isLasting: Bool, cancellation: Cancellation
    ) {
        self.step = step
        self.context = context
        self.parameters = parameters
        self.transaction = transaction
        self.deadline = deadline
        self.isLasting = isLasting
        self.cancellation = cancellation
    }
}

/// How a step ended, as far as others are concerned.
struct StepVerdict: Sendable {
    var outputs: [String: Value] = [:]
    /// Set when it failed.
    var status: Int32?
    var wasCancelled = false
    var wasUpToDate = false
}
