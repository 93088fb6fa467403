import LaneEvents
import TestQueue
import TestSupport
import Testing

@Suite struct TestBatchesTests {
    /// Returns tests whose durations in seconds are distributed as Pareto's, most of them short and few very long.
    private func tests(_ count: Int, seed: UInt64) -> [TestInfo] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { index in
            let seconds = 0.02 / pow(Double.random(in: 0.000_01..<1, using: &random))
            return QueueTests.test(index, .seconds(seconds))
        }
    }

    /// Returns `share` to the power of 1/1.5, where 1.5 is the shape of the distribution.
    private func pow(_ share: Double) -> Double {
        let root = share.squareRoot()
        // Newton's method for the cube root of the square.
        var cube = root
        for _ in 0..<60 { cube -= (cube * cube * cube - share * share) / (3 * cube * cube) }
        return cube
    }

    @Test("The slowest of eight machines takes at most 1.05 times the ideal", arguments: 0..<16)
    func balance(seed: UInt64) {
        let tests = tests(2000, seed: seed)
        let seconds = Dictionary(uniqueKeysWithValues: tests.map { ($0.id, ($0.usualDuration ?? .zero) / .seconds(1)) })
        var machines = [Double](repeating: 0, count: 8)
        for batch in TestBatches.batches(of: tests) {
            // The machine that is free first takes the next batch.
            let next = machines.indices.min { machines[$0] < machines[$1] } ?? 0
            machines[next] += batch.reduce(0) { $0 + (seconds[$1] ?? 0) }
        }
        let ideal = max(seconds.values.reduce(0, +) / 8, seconds.values.max() ?? 0)
        #expect((machines.max() ?? 0) <= 1.05 * ideal, "\(machines) beside \(ideal)")
    }

    @Test("Each test is in one batch, in the same one for any order of the tests", arguments: [0, 1, 7, 3000])
    func partition(_ count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        let tests = tests(count, seed: 3).map { info in
            Bool.random(using: &random) ? info : TestInfo(id: info.id)
        }
        let batches = TestBatches.batches(of: tests)
        #expect(batches.allSatisfy { !$0.isEmpty } && batches.count <= 400)
        #expect(batches.joined().sorted() == tests.map(\.id).sorted())
        #expect(TestBatches.batches(of: tests.shuffled(using: &random)) == batches)
    }
}
