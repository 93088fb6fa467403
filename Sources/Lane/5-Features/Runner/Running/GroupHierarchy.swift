import Actions
import Expressions
import LaneModel

/// The nested groups of a plan and their steps.
///
/// Groups can be nested deeply, so no group has a list of its ancestors. A search visits only ancestors with a limit or
/// with later stages. The type is an immutable class because many parts of a run share it.
final class GroupHierarchy: Sendable {
    private let parents: [Int?]
    /// For each group, the nearest enclosing group (or itself) with a condition or a timeout.
    private let nearestLimited: [Int?]
    /// For each group, the nearest enclosing group (or itself) that has later stages or is a transaction.
    private let nearestStaged: [Int?]
    /// For each group, the outermost enclosing transaction. A transaction inside another is a part of it.
    private let transactions: [Int?]
    /// For each group, the innermost enclosing lane that a hook runs.
    private let hookLanes: [HookLane?]
    /// For each group that others need, their groups.
    private let dependents: [Int: [Int]]
    private let steps: [PlanStep]
    private let members: [Member: [Int]]

    /// A lane that a hook of another lane runs.
    struct HookLane {
        let group: Int
        let owner: Int
        let stage: PlanStep.Stage
    }

    private struct Member: Hashable {
        let group: Int
        let stage: PlanStep.Stage
    }

    init(_ plan: Plan) {
        parents = plan.groups.map(\.parent)
        var dependents: [Int: [Int]] = [:]
        for (index, group) in plan.groups.enumerated() {
            for need in group.needs { dependents[need, default: []].append(index) }
        }
        self.dependents = dependents
        steps = plan.steps
        var limited = [Int?](repeating: nil, count: plan.groups.count)
        var staged = limited
        var transactions = limited
        var hookLanes = [HookLane?](repeating: nil, count: plan.groups.count)
        for step in plan.steps where step.schedule.stage != .main { staged[step.group] = step.group }
        for (index, group) in plan.groups.enumerated() where group.isTransaction || group.stage != .main {
            staged[index] = index
            if let parent = group.parent, group.stage != .main { staged[parent] = parent }
        }
        for index in Self.outermostFirst(plan) {
            let group = plan.groups[index]
            limited[index] =
                group.isConditional || group.timeout != nil
                ? index : group.parent.flatMap { limited[$0] }
            staged[index] = staged[index] ?? group.parent.flatMap { staged[$0] }
            if let parent = group.parent {
                hookLanes[index] =
                    group.stage.isHook
                    ? HookLane(group: index, owner: parent, stage: group.stage) : hookLanes[parent]
            }
            let outer = group.stage == .main ? group.parent.flatMap { transactions[$0] } : nil
            transactions[index] = outer ?? (group.isTransaction ? index : nil)
        }
        var members: [Member: [Int]] = [:]
        for (index, step) in plan.steps.enumerated() {
            var group = staged[step.group]
            // A step of an inner lane belongs to the stage in which the outer lane runs the inner lane. The search
            // skips only groups in the main stage.
            var stage = group == step.group ? step.schedule.stage : .main
            while let current = group {
                members[Member(group: current, stage: stage), default: []].append(index)
                group = parents[current].flatMap { staged[$0] }
                stage = plan.groups[current].stage
            }
        }
        (nearestLimited, nearestStaged, self.transactions, self.members) = (limited, staged, transactions, members)
        self.hookLanes = hookLanes
    }

    /// Returns the enclosing groups of a group, including itself, that have a condition or a timeout, innermost first.
    func limits(on group: Int) -> [Int] {
        var found: [Int] = []
        var next = nearestLimited[group]
        while let current = next {
            found.append(current)
            next = parents[current].flatMap { nearestLimited[$0] }
        }
        return found
    }

    /// Returns the enclosing groups whose timeouts apply to a group, innermost first. The timeouts around a lane that a
    /// hook runs do not apply.
    func timeLimits(on group: Int) -> [Int] {
        guard let own = hookLanes[group]?.group else { return limits(on: group) }
        return limits(on: group).filter { hookLanes[$0]?.group == own }
    }

    /// Returns a Boolean value that indicates whether a step is a hook or in a lane that a hook runs.
    func isHook(_ step: Int) -> Bool { steps[step].schedule.stage.isHook || hookLanes[steps[step].group] != nil }

    /// Returns the enclosing lanes of a group, including itself, that hooks run, outermost first.
    func hookLanes(around group: Int) -> [HookLane] {
        var found: [HookLane] = []
        var next = hookLanes[group]
        while let hook = next {
            found.append(hook)
            next = hookLanes[hook.owner]
        }
        return found.reversed()
    }

    /// Returns the directly enclosing group, or `nil` for an outermost group.
    func parent(of group: Int) -> Int? { parents[group] }

    /// Returns the groups of the lanes that directly need the lane of a group.
    func groupsThatNeed(_ group: Int) -> [Int] { dependents[group] ?? [] }

    /// Returns the groups whose `then` stage contains a step, innermost first.
    func groupsBefore(_ step: Int, in plan: Plan) -> [Int] {
        var found: [Int] = []
        var group = nearestStaged[steps[step].group]
        var stage = group == steps[step].group ? steps[step].schedule.stage : .main
        while let current = group {
            if stage == .then { found.append(current) }
            group = parents[current].flatMap { nearestStaged[$0] }
            stage = plan.groups[current].stage
        }
        return found
    }

    /// Returns the steps of a group in a stage. The group must have later stages or be a transaction.
    func steps(of group: Int, in stage: PlanStep.Stage) -> [Int] { members[Member(group: group, stage: stage)] ?? [] }

    /// The groups that have later stages or are transactions.
    var stagedGroups: [Int] { nearestStaged.indices.filter { nearestStaged[$0] == $0 } }

    /// Returns the group whose transaction contains a step. Later stages of the group are not part of its transaction.
    func transaction(of step: Int) -> Int? {
        let group = steps[step].group
        guard let owner = transactions[group] else { return nil }
        return owner == group && steps[step].schedule.stage != .main ? nil : owner
    }

    /// Returns a Boolean value that indicates whether a group is the outermost group of a transaction.
    func beginsTransaction(_ group: Int) -> Bool { transactions[group] == group }

    /// Returns a Boolean value that indicates whether a step is in the transaction of a group or in a later stage of
    /// the group.
    func isInside(_ step: Int, transactionOf owner: Int) -> Bool { transactions[steps[step].group] == owner }

    private static func outermostFirst(_ plan: Plan) -> [Int] {
        guard plan.groups.count > 1 else { return Array(plan.groups.indices) }
        var children = [[Int]](repeating: [], count: plan.groups.count)
        var order: [Int] = []
        for (index, group) in plan.groups.enumerated() {
            if let parent = group.parent { children[parent].append(index) } else { order.append(index) }
        }
        var next = 0
        while next < order.count {
            order += children[order[next]]
            next += 1
        }
        return order
    }
}

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
        parameters = Value.byName(group.parameters)
        matrix = Value.byName(group.matrix)
        values = Value.byName(group.values)
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
