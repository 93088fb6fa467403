import LaneModel
import Planning

/// The groups of a plan, nested in each other, and the steps in each.
///
/// Groups may be nested as deep as lanes can need each other, so no list is kept per group: a walk up the chain of
/// ancestors skips those without a limit or later stages. A class, as it is shared and never changes.
final class GroupHierarchy: Sendable {
    private let parents: [Int?]
    /// The nearest of a group and its ancestors that has a condition or a timeout.
    private let nearestLimited: [Int?]
    /// The nearest of a group and its ancestors that has later stages or is a transaction.
    private let nearestStaged: [Int?]
    /// The outermost transaction around a group: one within another is a part of that.
    private let transactions: [Int?]
    /// The innermost lane around a group that is run by a hook.
    private let hookLanes: [HookLane?]
    private let steps: [PlanStep]
    private let members: [Member: [Int]]

    /// A lane that is run by a hook of another.
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
        steps = plan.steps
        var limited = [Int?](repeating: nil, count: plan.groups.count)
        var staged = limited
        var transactions = limited
        var hookLanes = [HookLane?](repeating: nil, count: plan.groups.count)
        for step in plan.steps where step.turn.stage != .main { staged[step.group] = step.group }
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
            // A step of an inner lane belongs to the stage of the outer lane that runs the inner one. The walk never
            // skips a group that is in another stage than the main one.
            var stage = group == step.group ? step.turn.stage : .main
            while let current = group {
                members[Member(group: current, stage: stage), default: []].append(index)
                group = parents[current].flatMap { staged[$0] }
                stage = plan.groups[current].stage
            }
        }
        (nearestLimited, nearestStaged, self.transactions, self.members) = (limited, staged, transactions, members)
        self.hookLanes = hookLanes
    }

    /// Returns the group and its ancestors that have a condition or a timeout, innermost first.
    func limits(on group: Int) -> [Int] {
        var found: [Int] = []
        var next = nearestLimited[group]
        while let current = next {
            found.append(current)
            next = parents[current].flatMap { nearestLimited[$0] }
        }
        return found
    }

    /// Returns the same, but for a lane that a hook runs without the groups around it, whose timeouts do not count for it.
    func timeLimits(on group: Int) -> [Int] {
        guard let own = hookLanes[group]?.group else { return limits(on: group) }
        return limits(on: group).filter { hookLanes[$0]?.group == own }
    }

    /// Returns a Boolean value that indicates whether a step is a hook, or in a lane that one runs.
    func isHook(_ step: Int) -> Bool { steps[step].turn.stage.isHook || hookLanes[steps[step].group] != nil }

    /// Returns the lanes run by hooks that a group is or is inside of, outermost first.
    func hookLanes(around group: Int) -> [HookLane] {
        var found: [HookLane] = []
        var next = hookLanes[group]
        while let hook = next {
            found.append(hook)
            next = hookLanes[hook.owner]
        }
        return found.reversed()
    }

    /// Returns the group around a group; `nil` for the outermost.
    func parent(of group: Int) -> Int? { parents[group] }

    /// Returns the groups to whose `then` stage a step belongs, innermost first.
    func groupsBefore(_ step: Int, in plan: Plan) -> [Int] {
        var found: [Int] = []
        var group = nearestStaged[steps[step].group]
        var stage = group == steps[step].group ? steps[step].turn.stage : .main
        while let current = group {
            if stage == .then { found.append(current) }
            group = parents[current].flatMap { nearestStaged[$0] }
            stage = plan.groups[current].stage
        }
        return found
    }

    /// Returns the steps of a group that has later stages or is a transaction.
    func steps(of group: Int, in stage: PlanStep.Stage) -> [Int] { members[Member(group: group, stage: stage)] ?? [] }

    /// The groups that have later stages or are transactions.
    var stagedGroups: [Int] { nearestStaged.indices.filter { nearestStaged[$0] == $0 } }

    /// Returns the group whose transaction a step is a part of; later stages of that group itself are not.
    func transaction(of step: Int) -> Int? {
        let group = steps[step].group
        guard let owner = transactions[group] else { return nil }
        return owner == group && steps[step].turn.stage != .main ? nil : owner
    }

    /// Returns a Boolean value that indicates whether a group is the outermost of its transaction.
    func beginsTransaction(_ group: Int) -> Bool { transactions[group] == group }

    /// Returns a Boolean value that indicates whether a step is in a group's transaction, or in a later stage of it.
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
