package import LaneEvents

/// The division of tests into batches, which machines take one after another.
///
/// The longest tests come first, and batches of several tests become shorter, so that the machines finish together.
package enum TestBatches {
    /// The number of batches that the rest of the tests would fill, so that batches become shorter.
    private static let divisor = 32.0
    /// The number of batches that all tests would fill if each had the shortest duration.
    private static let most = 1024.0
    /// The minimum duration of a batch with several tests in seconds. Starting its processes takes some 30 ms.
    private static let leastDuration = 0.1
    /// The assumed duration of a test in seconds if no test has a recorded one.
    private static let guess = 0.01

    /// Returns the batches in the order in which machines take them. It does not depend on the order of `tests`.
    package static func batches(of tests: [TestInfo]) -> [[TestID]] {
        let known = tests.compactMap { $0.usualDuration.map { $0 / .seconds(1) } }
        let mean = known.isEmpty ? guess : known.reduce(0, +) / Double(known.count)
        let weighted = tests.map { (id: $0.id, weight: $0.usualDuration.map { $0 / .seconds(1) } ?? mean) }
            .sorted { $0.weight != $1.weight ? $0.weight > $1.weight : $0.id < $1.id }
        let total = weighted.reduce(0) { $0 + $1.weight }
        var rest = total
        var batches: [[TestID]] = []
        var batch: [TestID] = []
        var weight = 0.0
        for test in weighted {
            if !batch.isEmpty, weight + test.weight > max(rest / divisor, total / most, leastDuration) {
                batches.append(batch)
                rest -= weight
                (batch, weight) = ([], 0)
            }
            batch.append(test.id)
            weight += test.weight
        }
        return batch.isEmpty ? batches : batches + [batch]
    }
}
