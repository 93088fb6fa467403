import LaneModel
import Processes

/// One step with everything that it needs to be run, taken at the moment when its turn came.
final class StepJob: Sendable {
    let step: PlanStep
    let context: EvaluationContext
    let parameters: [String: Value]
    let transaction: (any Transaction)?
    /// The end of its lane's time.
    let deadline: TimeLimit?
    /// Whether it is a hook, or in a lane that one runs.
    let isHook: Bool
    /// Whether a later run may count on it: what was done in a private worktree is gone when that is.
    let isLasting: Bool
    let cancellation: Cancellation

    init(
        step: PlanStep, context: EvaluationContext, parameters: [String: Value], transaction: (any Transaction)?,
        deadline: TimeLimit?, isHook: Bool, isLasting: Bool, cancellation: Cancellation
    ) {
        self.step = step
        self.context = context
        self.parameters = parameters
        self.transaction = transaction
        self.deadline = deadline
        self.isHook = isHook
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

/// When a time is over.
struct TimeLimit {
    let moment: Duration
    /// How much time that was, for messages.
    let length: Duration

    static func earlier(_ one: TimeLimit?, _ other: TimeLimit?) -> TimeLimit? {
        guard let one, let other else { return one ?? other }
        return other.moment < one.moment ? other : one
    }
}
