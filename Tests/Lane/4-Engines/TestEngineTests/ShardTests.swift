import CLibrary
import Events
import TestEngine
import TestSupport
import Testing
import Text

@Suite struct ShardTests {
    private let tests = (0..<500).map { TestID(library: .xctest, module: "M", suite: "C\($0 % 7)", name: "test\($0)") }

    /// Durations for two of three tests, from a millisecond to half a second, some of them equal.
    private func duration(_ test: TestID) -> Duration? {
        let number = Int(test.name.dropFirst(4)) ?? 0
        return number % 3 == 0 ? nil : .milliseconds(number / 10 * 10 + 1)
    }

    @Test(arguments: 1...5) func everyTestIsInExactlyOneShard(count: Int) throws {
        var seen: [TestID: Int] = [:]
        for index in 1...count {
            let shard = try #require(Shard(index, of: count))
            for test in shard.part(of: tests, duration: duration) { seen[test, default: 0] += 1 }
        }
        #expect(seen.count == tests.count)
        #expect(seen.values.allSatisfy { $0 == 1 })
    }

    @Test func ofMoreShardsThanTestsMostAreEmpty() throws {
        let count = Int.max
        let timed = tests.filter { duration($0) != nil }
        let first = try #require(Shard(1, of: count)).part(of: timed, duration: duration)
        #expect(first.map(\.name) == ["test490"])
        let last = try #require(Shard(count, of: count)).part(of: timed, duration: duration)
        #expect(last.isEmpty)
    }

    @Test func theOrderOfTheTestsDoesNotMatter() throws {
        let shard = try #require(Shard(2, of: 4))
        #expect(shard.part(of: tests, duration: duration) == shard.part(of: tests.reversed(), duration: duration))
    }

    @Test func recordedTimesAreBalanced() {
        let loads = (1...4).map { index in
            Shard(index, of: 4)?.part(of: tests, duration: duration).compactMap(duration).reduce(.zero, +) ?? .zero
        }
        let mean = loads.reduce(.zero, +) / 4
        #expect(loads.allSatisfy { $0 > mean * 99 / 100 && $0 < mean * 101 / 100 })
    }

    /// A few tests take most of the time, as in real suites; some have never run.
    @Test func paretoDistributedTimesAreBalanced() {
        let suites = zip(.integer(in: 300...1500), .integer(in: 1...1 << 40))
        checkProperty("the slowest of 8 shards takes at most 1.15 times the ideal", suites, cases: 10) { count, seed in
            var random = SplitMix64(seed: UInt64(seed))
            let tests = (0..<count).map { TestID(library: .xctest, module: "M", suite: "C", name: "test\($0)") }
            var times: [TestID: Duration] = [:]
            for test in tests.dropLast(count / 20) {
                // The inverse of the distribution function with exponent 1.3 and a minimum of 5 ms.
                let sample = Double.random(in: 0.000_1..<1, using: &random)
                times[test] = .milliseconds(5 * pow(sample, -1 / 1.3))
            }
            let shards = (1...8).compactMap { Shard($0, of: 8)?.part(of: tests) { times[$0] } }
            let loads = shards.map { $0.compactMap { times[$0] }.reduce(.zero, +) }
            let ideal = max(loads.reduce(.zero, +) / 8, times.values.max() ?? .zero)
            return loads.allSatisfy { $0 <= ideal * 1.15 } && shards.reduce(0) { $0 + $1.count } == count
                && shards.reduce(into: Set()) { $0.formUnion($1) }.count == count
        }
    }
}
