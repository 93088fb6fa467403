/// Where in a plan a lane is wanted; the lanes that it needs are wanted at the same place.
struct PlanningPlace {
    /// Inside which group; `nil` outside of all.
    var inside: GroupPlace?
    var depth = 0
    /// Of the `lane` step.
    var condition: Expression?
    /// The combinations that it is inside of, as names of steps tell them.
    var combination = ""
    /// What it waits for.
    var incoming: [Int] = []
}

/// A lane that is wanted once, with all its combinations.
///
/// A class, as is `PlanningGroup`: long lists grow in it, and no frame of the stack shall copy them.
final class PlanningCall {
    let lane: Int
    let parameters: [(name: String, value: Value)]
    /// Names of the parameters whose values are not to be shown.
    let hidden: Set<String>
    let place: PlanningPlace
    let timeout: Duration?
    /// Set for `needs`, so that the same lane with the same values runs once.
    let key: String?
    /// What its first steps wait for; grows with the lanes that it needs.
    var heads: [Int]
    var nextNeed = 0
    var nextCombination = 0
    var tails: [Int] = []

    init(
        lane: Int, parameters: [(name: String, value: Value)], hidden: Set<String> = [],
        at place: PlanningPlace = PlanningPlace(), timeout: Duration? = nil, key: String? = nil
    ) {
        self.lane = lane
        self.parameters = parameters
        self.hidden = hidden
        self.place = place
        self.timeout = timeout
        self.key = key
        heads = place.incoming
    }
}

/// One group whose steps are being laid out.
final class PlanningGroup {
    let lane: Int
    let group: Int
    let depth: Int
    let hidden: Set<String>
    /// The combinations that it is one of or inside of, as in `os: linux, swift: 6.2`; empty without a matrix.
    let combination: String
    /// Made for the first name that wants it, as few do.
    var known: KnownValues?
    var heads: [Int]
    /// What its main and `then` steps end with, once there are hooks.
    private var ends: [Int]?
    private var stage = PlanStep.Stage.main
    var nextStep = 0
    /// Within a parallel step the next of its steps.
    var nextMember = 0
    /// The ends of the step at hand.
    var tails: [Int] = []
    /// How many steps of each action there have been; a lane has few actions.
    private var counts: [(word: String, count: Int)] = []

    init(lane: Int, group: Int, depth: Int, hidden: Set<String>, combination: String, heads: [Int]) {
        self.lane = lane
        self.group = group
        self.depth = depth
        self.hidden = hidden
        self.combination = combination
        self.heads = heads
    }

    /// The action's word, with a number from the second step on.
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

    /// What whoever comes after the group waits for: a lane has ended when its hooks have.
    var tailsOfAll: [Int] { ends.map { $0 + heads } ?? heads }

    /// The next step and what it belongs to; the hooks come last, and those of each kind wait for nothing but each other.
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

    /// On to the next step, which waits for this one.
    func pass() {
        heads = tails
        tails = []
        nextStep += 1
        nextMember = 0
    }
}
