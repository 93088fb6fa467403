import Events
import Records
import TestSupport
import Testing
import ToolOutput

@Suite struct MergedCoverageTests {
    private let files: EventFiles

    init() throws { files = try EventFiles() }

    private static func coverage(
        _ counts: [Int: [Int]], threshold: Int? = nil, changedThreshold: Int? = nil
    ) -> ShardCoverage {
        ShardCoverage(
            files: [.init(path: "A.swift", counts: counts, changed: changedThreshold == nil ? [] : [2, 3])],
            threshold: threshold, changedThreshold: changedThreshold,
            base: changedThreshold.map { _ in "1f3c0a9d2 of 'main'" })
    }

    private static let first = [1: [4], 2: [0], 3: [0], 4: [0, 0]]
    private static let second = [1: [1], 2: [2], 3: [0], 4: [0, 0]]

    /// Returns the merged run, its coverage and its notes.
    private func merge(
        _ one: ShardCoverage?, _ other: ShardCoverage?, failing status: Int32 = 0
    ) throws -> (merged: Merged, coverage: ShardCoverage?, notes: [String]) {
        let parts = try [
            files.write("1.jsonl", shard: 1, [("a", [.passed]), ("b", [.passed])], coverage: one),
            files.write(
                "2.jsonl", shard: 2, [("c", [.passed]), ("d", [status == 0 ? .passed : .failed])], status: status,
                coverage: other),
        ]
        var coverage: ShardCoverage?
        var notes: [String] = []
        _ = try MergedRun(parts).replay { kind, _, _ in
            if case .coverage(let all) = kind { coverage = all }
            if case .message(let message) = kind { notes.append(message.text) }
        }
        return (try Merged(parts), coverage, notes)
    }

    private static func outcome(_ merged: Merged) -> StepEnd.Outcome? { merged.summary.steps.first?.end?.outcome }

    @Test func countsAreAdded() throws {
        let (merged, coverage, notes) = try merge(Self.coverage(Self.first), Self.coverage(Self.second))
        #expect(merged.status == 0)
        #expect(coverage == Self.coverage([1: [5], 2: [2], 3: [0], 4: [0, 0]]))
        #expect(notes == ["line coverage of each file\n 50.0 %  2/4  A.swift"])
        let large = try merge(Self.coverage([1: [.max]]), Self.coverage([1: [1]])).coverage
        #expect(large?.files.first?.counts == [1: [.max]])
        // The count of a line is the highest of its regions in all shards, not the sum of the highest ones.
        let regions = try merge(Self.coverage([1: [0, 3]]), Self.coverage([1: [4, 0]])).coverage
        #expect(regions?.report.files.first?.lines.map(\.count) == [4])
    }

    @Test func thresholdsAreForAllShards() throws {
        func merged(_ threshold: Int, _ changed: Int, failing status: Int32 = 0) throws -> Merged {
            try merge(
                Self.coverage(Self.first, threshold: threshold, changedThreshold: changed),
                Self.coverage(Self.second, threshold: threshold, changedThreshold: changed), failing: status
            ).merged
        }
        #expect(try merged(50, 50).status == 0)
        let low = try merged(51, 60)
        #expect(low.status == 1)
        #expect(
            Self.outcome(low)
                == .failed(
                    status: 1,
                    message: """
                        the tests cover 50.0 % of the lines, less than 51.0 %
                        the tests cover 50.0 % of the changed lines, less than 60.0 %
                        A.swift:3
                        """))
        // A failed test takes precedence.
        #expect(
            Self.outcome(try merged(90, 90, failing: 5)) == .failed(status: 5, message: "shard 2: tests failed"))
    }

    @Test func aShardWithoutCoverageFailsTheRun() throws {
        let (merged, coverage, _) = try merge(Self.coverage(Self.first), nil)
        #expect(merged.status == 1 && coverage == Self.coverage(Self.first))
        #expect(
            Self.outcome(merged) == .failed(status: 1, message: "the coverage of shard 2 was not measured"))
        #expect(try merge(nil, nil).merged.status == 0)
    }

    /// A machine that is lost after its tests has no coverage, and the shard that runs again has one.
    @Test func aShardThatRunsAgainCounts() throws {
        let run = try MergedRun([
            files.write(
                "1.jsonl", shard: 1, [("a", [.passed]), ("b", [.passed])], coverage: Self.coverage(Self.first)),
            files.write("2.jsonl", shard: 2, [("c", [.passed])], keeping: 4),
            files.write(
                "3.jsonl", shard: 2, [("c", [.passed]), ("d", [.passed])], startedAt: 1100,
                coverage: Self.coverage(Self.second)),
        ])
        #expect(try run.replay { _, _, _ in } == 0)
    }
}
