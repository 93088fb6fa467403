import Git
import TestSupport
import Testing

@Suite struct CommitGraphTests {
    /// Each commit has the distances to its parents.
    @Test func aMergeHasTheCommitsThatItsFirstParentLacks() {
        let distances = Generator<Int>.integer(in: 1...6).array(count: 0...3)
        checkProperty("merged commits are those that only the other parents reach", distances.array(count: 0...20)) {
            history in
            let parents = history.indices.map { index in
                history[index].map { index + $0 }.filter(history.indices.contains)
            }
            let graph = CommitGraph(parents.indices.map { ("\($0)", parents[$0].map(String.init)) })
            func reachable(from starts: [Int]) -> Set<Int> {
                var found: Set<Int> = []
                var waiting = starts
                while let next = waiting.popLast() {
                    if found.insert(next).inserted { waiting += parents[next] }
                }
                return found
            }
            return parents.allSatisfy { parents in
                let merged = graph.merged(
                    into: parents.first.map(String.init), from: parents.dropFirst().map(String.init))
                let expected = reachable(from: Array(parents.dropFirst()))
                    .subtracting(reachable(from: Array(parents.prefix(1))))
                return merged == Set(expected.map(String.init))
            }
        }
    }

    @Test func unknownParentsAreIgnored() {
        let graph = CommitGraph([("m", ["a", "s", "t"]), ("s", ["a"]), ("a", ["gone"])])
        #expect(graph.merged(into: "a", from: ["s", "t"]) == ["s"])
        #expect(graph.merged(into: "gone", from: ["s"]) == ["s", "a"])
    }
}
