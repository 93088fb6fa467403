import TestSupport
import Testing

@testable import Bisection

@Suite("The search for a commit")
struct CommitSearchTests {
    /// A history, the commits that contain each one, and a culprit.
    struct Planted: CustomStringConvertible {
        let parents: [[Int]]
        let culprit: Int
        let broken: Set<Int>

        var description: String { "\(parents.count) commits, culprit \(culprit), broken \(broken.sorted())" }
        var commits: [SearchedCommit] {
            parents.enumerated().map { SearchedCommit(hash: "c\($0)", parents: $1.map { "c\($0)" }) }
        }

        /// Returns a Boolean value for each commit that indicates whether it contains the culprit.
        var isBad: [Bool] {
            var isBad = [Bool](repeating: false, count: parents.count)
            for index in parents.indices { isBad[index] = index == culprit || parents[index].contains { isBad[$0] } }
            return isBad
        }

        struct Run: Equatable {
            var decision: CommitSearch.Decision
            var tests = 0
            var skips = 0
            var longestWait = 0
        }

        func run() -> Run {
            let isBad = isBad
            var search = CommitSearch(commits)
            var run = Run(decision: search.decision)
            while case .test(let hash) = run.decision {
                let index = Int(hash.dropFirst()) ?? -1
                if broken.contains(index) {
                    run.skips += 1
                    search.record(.skipped, of: hash)
                } else {
                    run.tests += 1
                    search.record(isBad[index] ? .bad : .good, of: hash)
                }
                run.decision = search.decision
            }
            return run
        }
    }

    private static func line(_ count: Int) -> [[Int]] { (0..<count).map { $0 == 0 ? [] : [$0 - 1] } }

    @Test("50 planted commits, 50 found, with at most ⌈log₂ n⌉ tests")
    func planted() {
        var found = 0
        for number in 0..<50 {
            let count = 1 + number * 41
            let planted = Planted(parents: Self.line(count), culprit: number * 37 % count, broken: [])
            let run = planted.run()
            if run.decision == .found("c\(planted.culprit)") { found += 1 }
            #expect(run.tests <= CommitSearch.steps(for: count), "\(planted)")
        }
        #expect(found == 50)
    }

    @Test(
        "The number of steps is the rounded logarithm", arguments: [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (1024, 10)])
    func steps(_ count: Int, _ steps: Int) { #expect(CommitSearch.steps(for: count) == steps) }

    /// Histories in which each commit has one parent, or two for a merge of a commit not far away.
    private static let histories = Generator<[[Int]]> { source in
        let count = Int(source.draw(upTo: 120)) + 1
        var parents: [[Int]] = []
        for index in 0..<count {
            guard index > 0 else {
                parents.append([])
                continue
            }
            let back = source.draw(upTo: 7) < 6 ? 1 : Int(source.draw(upTo: UInt64(min(index - 1, 9)))) + 1
            var own = [index - back]
            if source.draw(upTo: 5) == 5 { own.append(index - 1 - Int(source.draw(upTo: UInt64(min(index - 1, 9))))) }
            parents.append(Array(Set(own)).sorted())
        }
        // The last commit contains all others, as in the history of one reference.
        let contained = Set(parents.joined())
        let heads = (0..<count).filter { !contained.contains($0) }
        if heads.count > 1 { parents.append(heads) }
        return parents
    }

    private static func planted(brokenOneIn: UInt64?) -> Generator<Planted> {
        Generator { source in
            let parents = try histories.generate(&source)
            let last = UInt64(parents.count - 1)
            let culprit = Int(source.draw(upTo: last))
            var broken: Set<Int> = []
            if let brokenOneIn {
                for index in 0..<(parents.count - 1) where source.draw(upTo: brokenOneIn - 1) == brokenOneIn - 1 {
                    broken.insert(index)
                }
            }
            return Planted(parents: parents, culprit: culprit, broken: broken)
        }
    }

    @Test("A planted commit is found in histories with merges")
    func merges() {
        checkProperty("a culprit among merges is found", Self.planted(brokenOneIn: nil), cases: 150) { planted in
            try expectEqual(planted.run().decision, .found("c\(planted.culprit)"), "decision")
        }
    }

    @Test("Commits that cannot be tested are skipped, and a range names only commits that nothing excludes")
    func skipping() {
        checkProperty("skipped commits exclude nothing", Self.planted(brokenOneIn: 4), cases: 150) { planted in
            switch planted.run().decision {
            case .test: return false
            case .found(let hash): return try expectEqual(hash, "c\(planted.culprit)", "culprit")
            case .range(let hashes):
                // All but the last were skipped, and the culprit is among them.
                let others = hashes.dropLast().compactMap { Int($0.dropFirst()) }
                return hashes.contains("c\(planted.culprit)") && others.allSatisfy(planted.broken.contains)
            }
        }
    }

    @Test("A run of skipped commits costs at most one more test, wherever it is", arguments: [1, 3, 10, 40])
    func runOfSkipped(_ length: Int) {
        for start in stride(from: 0, to: 200 - length, by: 13) {
            for culprit in stride(from: 0, to: 200, by: 17) {
                let broken = Set(start..<(start + length))
                let run = Planted(parents: Self.line(200), culprit: culprit, broken: broken).run()
                #expect(run.tests <= CommitSearch.steps(for: 200) + 1, "\(start) \(culprit)")
                // The commit after the run is a candidate as well if the culprit is in the run.
                if broken.contains(culprit) || culprit == start + length {
                    #expect(run.decision == .range((start...(start + length)).map { "c\($0)" }))
                } else {
                    #expect(run.decision == .found("c\(culprit)"))
                }
            }
        }
    }

    @Test("A verdict on a commit that is already excluded changes nothing")
    func excluded() {
        var search = CommitSearch(Planted(parents: Self.line(8), culprit: 0, broken: []).commits)
        search.record(.good, of: "c3")
        #expect(search.count == 4)
        for verdict in [CommitVerdict.good, .bad, .skipped] { search.record(verdict, of: "c2") }
        search.record(.good, of: "c7")
        search.record(.bad, of: "unknown")
        #expect(search.count == 4 && search.decision == .test("c5"))
    }

    @Test("With one commit there is nothing to test")
    func one() { #expect(CommitSearch([SearchedCommit(hash: "a", parents: [])]).decision == .found("a")) }
}
