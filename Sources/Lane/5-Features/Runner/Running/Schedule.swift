import LaneModel

/// The dependency graph of a plan and the queue of ready nodes.
///
/// The nodes are steps and gates. The gate before a later stage of a group opens when all steps of the earlier stages
/// have ended, regardless of their results. The gate before the main stage of a transaction begins the transaction. No
/// function recurses, so chains can have any length.
struct Schedule {
    enum Node: Hashable {
        case step(Int)
        /// The gate before a stage of the group with this index.
        case gate(Int, PlanStep.Stage)
    }

    private struct Entry {
        let node: Node
        var waitsFor = 0
        var followers: [Int] = []
        /// The index of the first step whose failure can block this step.
        var hookStart = 0
        /// The failed step that blocks this step.
        var blocker: Int?
    }

    private var entries: [Entry] = []
    private var gates: [Node: Int] = [:]
    private var ready: [Int] = []
    private var nextReady = 0
    private(set) var unfinishedCount = 0

    init(_ plan: Plan, _ hierarchy: GroupHierarchy) {
        entries = plan.steps.indices.map { Entry(node: .step($0)) }
        for (index, step) in plan.steps.enumerated() {
            if let start = plan.groups[step.group].location?.hookStart { entries[index].hookStart = start }
        }
        for group in hierarchy.stagedGroups { addGates(of: group, in: plan, hierarchy) }
        for (index, step) in plan.steps.enumerated() {
            for dependency in step.schedule.dependencies { connect(dependency, to: index, hierarchy) }
        }
        unfinishedCount = entries.count
        for index in entries.indices where entries[index].waitsFor == 0 { ready.append(index) }
    }

    /// The number of ready nodes.
    var readyCount: Int { ready.count - nextReady }

    /// Removes and returns the next ready node and the failed step that blocks it, if any.
    mutating func popReady() -> (node: Node, blocker: Int?)? {
        guard nextReady < ready.count else { return nil }
        let entry = entries[ready[nextReady]]
        nextReady += 1
        if nextReady == ready.count {
            ready.removeAll(keepingCapacity: true)
            nextReady = 0
        }
        return (entry.node, entry.blocker)
    }

    /// The next ready node.
    var next: Node? { nextReady < ready.count ? entries[ready[nextReady]].node : nil }

    /// Records the end of a node. `blocker` is the failed step that blocks its successors. A step that runs although one
    /// before it failed passes the earlier failure on.
    mutating func finish(_ node: Node, blocker: Int?) {
        let index = index(of: node)
        let blocker = blocker ?? entries[index].blocker
        unfinishedCount -= 1
        for follower in entries[index].followers {
            let isCause = index >= entries[follower].hookStart && !isLaterGate(follower)
            if let blocker, entries[follower].blocker == nil, isCause {
                entries[follower].blocker = blocker
            }
            entries[follower].waitsFor -= 1
            if entries[follower].waitsFor == 0 { ready.append(follower) }
        }
    }

    /// Gates before later stages open regardless of failures.
    private func isLaterGate(_ entry: Int) -> Bool {
        if case .gate(_, let stage) = entries[entry].node { stage != .main } else { false }
    }

    private func index(of node: Node) -> Int {
        switch node {
        case .step(let index): index
        case .gate: gates[node] ?? 0
        }
    }

    private mutating func edge(from one: Int, to other: Int) {
        entries[one].followers.append(other)
        entries[other].waitsFor += 1
    }

    /// Adds gates before the stages of a group in their order, and a gate before `then` for every transaction.
    private mutating func addGates(of group: Int, in plan: Plan, _ hierarchy: GroupHierarchy) {
        var earlier: [Int] = hierarchy.steps(of: group, in: .main)
        if hierarchy.beginsTransaction(group) {
            let gate = addGate(group, .main)
            for index in earlier { edge(from: gate, to: index) }
            let outside = Set(earlier.flatMap { plan.steps[$0].schedule.dependencies }).subtracting(earlier)
            for index in outside.sorted() { edge(from: index, to: gate) }
        }
        for stage in [PlanStep.Stage.then, .onFailure, .always] {
            let steps = hierarchy.steps(of: group, in: stage)
            let isNeeded = !steps.isEmpty || (stage == .then && hierarchy.beginsTransaction(group))
            guard isNeeded else { continue }
            let gate = addGate(group, stage)
            for index in earlier { edge(from: index, to: gate) }
            for index in steps { edge(from: gate, to: index) }
            earlier = steps + [gate]
        }
    }

    private mutating func addGate(_ group: Int, _ stage: PlanStep.Stage) -> Int {
        entries.append(Entry(node: .gate(group, stage)))
        gates[.gate(group, stage)] = entries.count - 1
        return entries.count - 1
    }

    /// Adds a dependency. A step outside a transaction that depends on a step inside waits for the end of the
    /// transaction.
    private mutating func connect(_ dependency: Int, to step: Int, _ hierarchy: GroupHierarchy) {
        edge(from: dependency, to: step)
        guard let owner = hierarchy.transaction(of: dependency), !hierarchy.isInside(step, transactionOf: owner),
            let gate = gates[.gate(owner, .then)]
        else { return }
        edge(from: gate, to: step)
    }
}
