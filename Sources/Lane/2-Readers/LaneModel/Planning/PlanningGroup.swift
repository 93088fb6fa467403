import Expressions

/// The location of a call to a lane, and of the calls to the lanes that it needs.
struct CallSite {
    /// The enclosing group, or `nil` outside all groups.
    var inside: GroupLocation?
    var depth = 0
    /// The condition of the `lane` step.
    var condition: Expression?
    /// The enclosing matrix combinations, for the names of steps.
    var combination = ""
    /// The indices of the steps that the lane waits for.
    var incoming: [Int] = []
}

/// A call to a lane, with all its matrix combinations.
///
/// The type is a class, like `PlanningGroup`, to avoid copies of its growing arrays.
final class PlanningCall {
    let lane: Int
    let parameters: [(name: String, value: Value)]
    /// The names of the parameters whose values are hidden.
    let hidden: Set<String>
    let site: CallSite
    let timeout: Duration?
    /// The key of a `needs` entry. A lane runs once for each key.
    let key: String?
    /// The indices of the steps that the first steps wait for, including the last steps of needed lanes.
    var heads: [Int]
    /// The groups of the lanes that the lane needs.
    var needs: [Int] = []
    /// The groups of the lane itself, one for each combination.
    var groups: [Int] = []
    var nextNeed = 0
    var nextCombination = 0
    var tails: [Int] = []

    init(
        lane: Int, parameters: [(name: String, value: Value)], hidden: Set<String> = [],
        at site: CallSite = CallSite(), timeout: Duration? = nil, key: String? = nil
    ) {
        self.lane = lane
        self.parameters = parameters
        self.hidden = hidden
        self.site = site
        self.timeout = timeout
        self.key = key
        heads = site.incoming
    }
}

/// A group whose steps are being added.
final class PlanningGroup {
    /// The lane with one step for each value of a `foreach`.
    var lane: Lane
    let group: Int
    let depth: Int
    let hidden: Set<String>
    /// The combinations of the group and the groups around it, such as `os: linux, swift: 6.2`. Empty without a matrix.
    let combination: String
    /// The known values, created for the first step name that contains an expression.
    var known: KnownValues?
    var heads: [Int]
    /// The indices of the last main or `then` steps, if there are hooks.
    private var ends: [Int]?
    private var stage = PlanStep.Stage.main
    var nextStep = 0
    /// The index of the next step within a parallel step.
    var nextMember = 0
    /// The indices of the last steps of the current step.
    var tails: [Int] = []
    /// The number of steps of each action.
    private var counts: [(word: String, count: Int)] = []

    init(lane: Lane, group: Int, depth: Int, hidden: Set<String>, combination: String, heads: [Int]) {
        self.lane = lane
        self.group = group
        self.depth = depth
        self.hidden = hidden
        self.combination = combination
        self.heads = heads
    }

    /// Returns a unique key for a step: the name of the action, followed by a number from the second step on.
    func nextKey(_ word: String, avoiding taken: Set<String>) -> String {
        while true {
            let count = count(word)
            let key = count == 1 ? word : word + "-" + String(count)
            if !taken.contains(key) { return key }
        }
    }

    private func count(_ word: String) -> Int {
        if let index = counts.firstIndex(where: { $0.word == word }) {
            counts[index].count += 1
            return counts[index].count
        }
        counts.append((word, 1))
        return 1
    }

    /// The indices of the steps that the successors of the group wait for, including hooks.
    var tailsOfAll: [Int] { ends.map { $0 + heads } ?? heads }

    /// Returns the next step and its stage. Hooks come last and wait only for hooks of the same kind.
    func next(in lane: Lane) -> (step: Step, stage: PlanStep.Stage)? {
        var index = nextStep
        if index < lane.steps.count { return (lane.steps[index], .main) }
        index -= lane.steps.count
        if index < lane.then.count { return (lane.then[index], .then) }
        index -= lane.then.count
        let isFailure = index < lane.onFailure.count
        if !isFailure { index -= lane.onFailure.count }
        guard isFailure || index < lane.always.count else { return nil }
        begin(isFailure ? .onFailure : .always)
        return (isFailure ? lane.onFailure[index] : lane.always[index], stage)
    }

    private func begin(_ hooks: PlanStep.Stage) {
        guard stage != hooks else { return }
        if ends == nil { ends = heads }
        heads = []
        stage = hooks
    }

    /// Advances to the next step, which waits for this one.
    func pass() {
        heads = tails
        tails = []
        nextStep += 1
        nextMember = 0
    }
}
