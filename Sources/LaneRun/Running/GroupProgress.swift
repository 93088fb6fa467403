import LaneModel

/// How far a group of the plan is.
struct GroupProgress {
    enum Condition {
        case unknown
        case holds
        case fails(reason: String)
    }

    let parameters: [String: Value]
    let matrix: [String: Value]
    var condition = Condition.unknown
    /// While it is open.
    var transaction: (any Transaction)?
    /// When its first step began.
    var startedAt: Duration?
    /// A main or `then` step of it failed, or of a group within it.
    var hasFailed = false
    /// Results for `steps.<id>`.
    var outputs: [String: [String: Value]] = [:]

    init(_ group: PlanGroup) {
        parameters = Dictionary(group.parameters.map { ($0.name, $0.value) }) { $1 }
        matrix = Dictionary(group.matrix.map { ($0.name, $0.value) }) { $1 }
    }
}
