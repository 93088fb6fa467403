package import LaneEvents

/// One of several parts into which machines divide a test run.
package struct Shard: Sendable, Equatable {
    /// From 1.
    let index: Int
    let count: Int

    /// `nil` unless `1 ≤ index ≤ count`.
    package init?(_ index: Int, of count: Int) {
        guard index >= 1, index <= count else { return nil }
        self.index = index
        self.count = count
    }

    /// Reads `2/4`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1] else { return nil }
        self.init(index, of: count)
    }

    /// Which of the tests are this shard's.
    ///
    /// Tests whose time is known go, longest first, to the shard with the least to do; the others go by a hash of
    /// their name. The same tests and times give the same division on every machine and in any order of `tests`.
    package func part(of tests: [TestID], duration: (TestID) -> Duration?) -> Set<TestID> {
        // Of equal shards the first gets a test, so that those beyond the number of tests stay without.
        var loads = [Duration](repeating: .zero, count: min(count, tests.count))
        var part: Set<TestID> = []
        var known: [(test: TestID, duration: Duration)] = []
        for test in tests {
            if let duration = duration(test) {
                known.append((test, duration))
            } else if Int(StableHash(of: "\(test.library.rawValue) \(test)").value % UInt64(count)) == index - 1 {
                part.insert(test)
            }
        }
        known.sort { $0.duration != $1.duration ? $0.duration > $1.duration : $0.test < $1.test }
        for (test, duration) in known {
            let least = loads.indices.min { (loads[$0], $0) < (loads[$1], $1) } ?? 0
            // A test that took no measurable time still costs something; else the first shard would get them all.
            loads[least] += max(duration, .microseconds(10))
            if least == index - 1 { part.insert(test) }
        }
        return part
    }
}
