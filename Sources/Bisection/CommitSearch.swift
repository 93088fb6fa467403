/// A commit in the history that is searched.
package struct SearchedCommit: Sendable, Equatable {
    /// The hash of the commit.
    package let hash: String
    /// The hashes of its parents. Those outside the history are good.
    package let parents: [String]

    package init(hash: String, parents: [String]) {
        self.hash = hash
        self.parents = parents
    }
}

/// The judgment on a commit.
package enum CommitVerdict: String, Sendable, Equatable {
    case good, bad
    /// The commit cannot be tested, for example because it does not build.
    case skipped
}

/// A binary search for the commit that introduced a failure, in a history that may contain merges.
///
/// All commits that contain the culprit are bad, and all others are good. The search is a value: it takes verdicts and
/// returns the next commit to test.
package struct CommitSearch: Sendable {
    /// The next action of a search.
    package enum Decision: Sendable, Equatable {
        /// Test the commit with this hash.
        case test(String)
        /// The commit with this hash introduced the failure.
        case found(String)
        /// One of these commits introduced the failure, and those that could decide it cannot be tested. Oldest first.
        case range([String])
    }

    private let commits: [SearchedCommit]
    /// The positions of the parents of each commit.
    private let parents: [[Int]]
    private let positions: [String: Int]
    /// The positions of the commits that may be the culprit, in ascending order. The last one is bad.
    private var candidates: [Int]
    private var skipped: Set<Int> = []
    /// The number of commits that were skipped since the last other verdict.
    private var streak = 0

    /// Creates a search.
    ///
    /// - Parameter commits: The commits that the bad one contains and the good one does not, parents first. The last one
    ///   is the bad one.
    package init(_ commits: [SearchedCommit]) {
        self.commits = commits
        let positions = Dictionary(commits.enumerated().map { ($1.hash, $0) }) { first, _ in first }
        self.positions = positions
        parents = commits.map { $0.parents.compactMap { positions[$0] } }
        candidates = Array(commits.indices)
    }

    /// The number of commits that may be the culprit.
    package var count: Int { candidates.count }

    /// The number of tests that are sufficient without skipped commits and with few merges: ⌈log₂ `count`⌉.
    package var remainingSteps: Int { Self.steps(for: count) }

    /// Returns ⌈log₂ `count`⌉.
    package static func steps(for count: Int) -> Int {
        count < 2 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount
    }

    /// The next action.
    package var decision: Decision {
        if candidates.count == 1 { return .found(commits[candidates[0]].hash) }
        guard let next else { return .range(candidates.map { commits[$0].hash }) }
        return .test(commits[next].hash)
    }

    /// Narrows the search down. The verdict on a commit that cannot be the culprit changes nothing.
    package mutating func record(_ verdict: CommitVerdict, of hash: String) {
        guard let position = positions[hash], candidates.contains(position), position != candidates.last else { return }
        if verdict == .skipped {
            if skipped.insert(position).inserted { streak += 1 }
            return
        }
        streak = 0
        let isAncestor = ancestors(of: position)
        candidates.removeAll { isAncestor[$0] != (verdict == .bad) }
    }

    // MARK: The choice of the next commit

    /// The position of the commit that divides the candidates best, or `nil` if none can be tested.
    ///
    /// After a skipped commit, its neighbors probably cannot be tested either. The distance from skipped commits doubles
    /// with each one in a row, as long as the larger part has at most three quarters of the candidates.
    private var next: Int? {
        let sizes = sizes
        let testable = candidates.dropLast().filter { !skipped.contains($0) }
        func gain(_ position: Int) -> Int { min(sizes[position], candidates.count - sizes[position]) }
        guard let best = Self.first(of: testable, by: gain) else { return nil }
        guard streak > 0 else { return best }
        let avoided = candidates.filter(skipped.contains).map { sizes[$0] }
        var distance = 1 << min(streak - 1, 30)
        while distance > 0 {
            let far = testable.filter { position in avoided.allSatisfy { abs($0 - sizes[position]) >= distance } }
            if let choice = Self.first(of: far, by: gain), 2 * gain(choice) >= gain(best) { return choice }
            distance /= 2
        }
        return best
    }

    /// Returns the first position with the highest gain.
    private static func first(of positions: [Int], by gain: (Int) -> Int) -> Int? {
        var best: (position: Int, gain: Int)?
        for position in positions {
            let gain = gain(position)
            if gain > best?.gain ?? -1 { best = (position, gain) }
        }
        return best?.position
    }

    /// The number of candidates that each candidate contains, itself included, by position.
    private var sizes: [Int] {
        var isCandidate = [Bool](repeating: false, count: commits.count)
        for position in candidates { isCandidate[position] = true }
        var sizes = [Int](repeating: 0, count: commits.count)
        for position in candidates {
            let own = parents[position].filter { isCandidate[$0] }
            switch own.count {
            case 0: sizes[position] = 1
            case 1: sizes[position] = sizes[own[0]] + 1
            default:
                let isAncestor = ancestors(of: position)
                sizes[position] = candidates.count { isAncestor[$0] }
            }
        }
        return sizes
    }

    /// Returns a Boolean value for each commit that indicates whether another contains it, itself included.
    private func ancestors(of position: Int) -> [Bool] {
        var isAncestor = [Bool](repeating: false, count: commits.count)
        isAncestor[position] = true
        var waiting = [position]
        while let next = waiting.popLast() {
            for parent in parents[next] where !isAncestor[parent] {
                isAncestor[parent] = true
                waiting.append(parent)
            }
        }
        return isAncestor
    }
}
