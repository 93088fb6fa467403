/// The parents of commits, which tell what a merge has merged.
package struct CommitGraph: Sendable {
    private let hashes: [String]
    private let positions: [String: Int]
    /// The positions of the parents that are in the graph.
    private let parents: [[Int]]

    /// - Parameter commits: Commits with the hashes of their parents, each before its parents. Other parents are ignored.
    package init(_ commits: [(hash: String, parents: [String])]) {
        hashes = commits.map(\.hash)
        let positions = Dictionary(zip(hashes, hashes.indices)) { one, _ in one }
        self.positions = positions
        parents = commits.map { $0.parents.compactMap { positions[$0] } }
    }

    /// Returns the hashes of the commits that a merge has merged: those that its first parent does not reach.
    ///
    /// It reads the commits down to the one where the branches part, so the merges of a long history take little time.
    ///
    /// - Parameters:
    ///   - first: The hash of the first parent.
    ///   - others: The hashes of the other parents.
    package func merged(into first: String?, from others: some Sequence<String>) -> Set<String> {
        // The reached commits, and whether the first parent reaches them.
        var reached: [Int: Bool] = [:]
        var merged: Set<String> = []
        var openCount = 0
        func reach(_ position: Int, isMain: Bool) {
            let before = reached.updateValue(isMain || reached[position] == true, forKey: position)
            if before == nil, !isMain { openCount += 1 }
            if before == false, isMain { openCount -= 1 }
        }
        if let first = first.flatMap({ positions[$0] }) { reach(first, isMain: true) }
        for other in others { if let other = positions[other] { reach(other, isMain: false) } }
        var position = reached.keys.min() ?? hashes.count
        while openCount > 0, position < hashes.count {
            if let isMain = reached.removeValue(forKey: position) {
                if !isMain {
                    openCount -= 1
                    merged.insert(hashes[position])
                }
                for parent in parents[position] where parent > position { reach(parent, isMain: isMain) }
            }
            position += 1
        }
        return merged
    }
}
