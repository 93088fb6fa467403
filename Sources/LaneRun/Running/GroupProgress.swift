import Expressions
import LaneModel
import Planning

/// The state of one group of the plan.
struct GroupProgress {
    enum Condition {
        case unknown
        case holds
        case fails(reason: String)
    }

    let group: PlanGroup
    private let parameters: [String: Value]
    private let matrix: [String: Value]
    var condition = Condition.unknown
    /// The transaction while it is open.
    var transaction: (any Transaction)?
    /// The moment when its first step began.
    var startedAt: Duration?
    /// A Boolean value that indicates whether a main or `then` step of it, or of a group within it, has failed.
    var hasFailed = false
    /// Results for `steps.<id>`.
    private(set) var outputs: [String: [String: Value]] = [:]

    init(_ group: PlanGroup) {
        self.group = group
        parameters = Dictionary(group.parameters.map { ($0.name, $0.value) }) { $1 }
        matrix = Dictionary(group.matrix.map { ($0.name, $0.value) }) { $1 }
    }

    /// The end of the group's time; `nil` without a timeout, or before it has begun.
    var deadline: Deadline? {
        guard let limit = group.timeout, let startedAt else { return nil }
        return Deadline(moment: startedAt + limit, length: limit)
    }

    /// Notes the end of a step for later expressions.
    ///
    /// - Parameter outcome: The outcome, unless the results of an earlier run contain it.
    mutating func note(_ results: [String: Value], _ outcome: StepOutcome, of step: PlanStep) {
        guard step.task.isNamed || !results.isEmpty else { return }
        outputs[String(step.key)] = results.adding(outcome)
    }

    /// Returns what expressions see in the group.
    ///
    /// - Parameter base: The context of expressions outside any group.
    func evaluation(_ base: EvaluationContext) -> EvaluationContext {
        var context = base
        context.parameters = parameters
        context.matrix = matrix
        context.steps = outputs
        context.hasFailed = hasFailed
        return context
    }
}

extension [String: Value] {
    /// Returns the results of a step with its outcome.
    func adding(_ outcome: StepOutcome) -> [String: Value] {
        merging([StepOutcome.key: .string(outcome.rawValue)]) { result, _ in result }
    }
}
