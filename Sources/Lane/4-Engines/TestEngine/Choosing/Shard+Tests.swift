package import Events
package import Text

extension Shard {
    /// Returns the description of this shard for events. It does not depend on the order of `tests`.
    func description(of tests: [TestID]) -> TestShard {
        let sum = tests.reduce(0) { $0 &+ $1.key }
        return TestShard(index: index, count: count, total: tests.count, digest: String(sum, radix: 36))
    }

    /// Returns the tests of this shard.
    ///
    /// Tests with a known duration are assigned, longest first, to the shard with the smallest load. Other tests are
    /// assigned by a hash of their name. The result depends only on the tests and durations, not on the machine or the
    /// order of `tests`.
    package func part(of tests: [TestID], duration: (TestID) -> Duration?) -> Set<TestID> {
        // If loads are equal, the first shard gets the test. Shards beyond the number of tests are therefore empty.
        var loads = [Duration](repeating: .zero, count: min(count, tests.count))
        var part: Set<TestID> = []
        var known: [(test: TestID, duration: Duration)] = []
        for test in tests {
            if let duration = duration(test) {
                known.append((test, duration))
            } else if Int(test.key % UInt64(count)) == index - 1 {
                part.insert(test)
            }
        }
        known.sort { $0.duration != $1.duration ? $0.duration > $1.duration : $0.test < $1.test }
        for (test, duration) in known {
            let least = loads.indices.min { (loads[$0], $0) < (loads[$1], $1) } ?? 0
            // A test with a duration of zero also adds to the load. Otherwise, the first shard would get all such
            // tests.
            loads[least] += max(duration, .microseconds(10))
            if least == index - 1 { part.insert(test) }
        }
        return part
    }
}
