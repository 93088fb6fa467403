import Actions
import Expressions
import LaneModel

/// The state of one group of the plan.
struct GroupProgress {
    enum Condition {
        case unknown
        case met
        case unmet(reason: String)
    }

    let group: PlanGroup
    private let parameters: [String: Value]
    private let matrix: [String: Value]
    private let values: [String: Value]
    var condition = Condition.unknown
    /// The transaction while it is open.
    var transaction: (any Transaction)?
    /// The start of the first step.
    var startedAt: Duration?
    /// A Boolean value that indicates whether a main or `then` step of the group or of an inner group has failed.
    var hasFailed = false
    /// A Boolean value that indicates whether a lane that the group needs has failed.
    var needsFailedLane = false
    /// The outputs of steps for `steps.<id>`.
    private(set) var outputs: StepOutputs
    /// The environment variables that steps have set for later ones.
    private(set) var variables: [String: String] = [:]

    /// - Parameter series: The number of steps of each `foreach` with an ID.
    init(_ group: PlanGroup, series: [String: Int]) {
        self.group = group
        outputs = StepOutputs(series: series)
        parameters = Dictionary(group.parameters.map { ($0.name, $0.value) }) { $1 }
        matrix = Dictionary(group.matrix.map { ($0.name, $0.value) }) { $1 }
        values = Dictionary(group.values.map { ($0.name, $0.value) }) { $1 }
    }

    /// The deadline of the group; `nil` without a timeout or before the group has started.
    var deadline: Deadline? {
        guard let limit = group.timeout, let startedAt else { return nil }
        return Deadline(moment: startedAt + limit, length: limit)
    }

    /// Records the end of a step for later expressions.
    ///
    /// - Parameter outcome: The outcome, unless the results of an earlier run contain it.
    mutating func record(_ results: [String: Value], _ outcome: StepOutcome, of step: PlanStep) {
        outputs.record(results, outcome, of: step)
        for (name, value) in results where name.first == StepOutputFile.environmentMark {
            variables[String(name.dropFirst())] = value.text
        }
    }

    /// Returns the context of expressions in the group.
    ///
    /// - Parameter base: The context of expressions outside all groups.
    func evaluation(_ base: EvaluationContext) -> EvaluationContext {
        var context = base
        context.parameters = parameters
        if !variables.isEmpty { context.environment.merge(variables) { $1 } }
        context.matrix = matrix
        context.values = values
        context.steps = outputs.values
        context.hasFailed = hasFailed
        return context
    }
}
