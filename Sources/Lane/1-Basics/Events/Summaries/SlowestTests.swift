/// The records of the ten slowest tests. The records of all other passed tests are discarded.
struct SlowestTests {
    private static let limit = 10

    private(set) var tests: [TestRecord] = []
    private var times: [Duration] = []

    func has(roomFor duration: Duration) -> Bool {
        times.count < Self.limit || times.contains { $0 < duration }
    }

    mutating func add(_ test: TestRecord, _ duration: Duration) {
        if times.count == Self.limit {
            guard let least = times.indices.min(by: { times[$0] < times[$1] }), times[least] < duration else { return }
            tests.remove(at: least)
            times.remove(at: least)
        }
        tests.append(test)
        times.append(duration)
    }
}
