/// The data that a summary keeps about tests that passed at the first attempt.
package enum PassedTestDetail: Int, Sendable, Comparable {
    /// Only their number, in constant memory for a log of any length.
    case counts
    /// Their names, times and durations, in about 70 bytes per test.
    case names
    /// Their complete records.
    case records

    package static func < (one: PassedTestDetail, other: PassedTestDetail) -> Bool { one.rawValue < other.rawValue }
}

/// The names and times of passed tests whose records were discarded.
package struct PassedTests: Sendable {
    /// A test that passed.
    package struct Test: Sendable, Equatable {
        package let name: String
        package let displayName: String?
        /// The position of the test in the order of first mention.
        package let order: Int
        package let duration: Duration?
        /// The time from the start of the run to the start of the test in seconds, if it is known.
        package let startedAt: Double?
        /// The number of the process that ran the test, if it is known.
        package let worker: Int?
    }

    private struct Entry {
        /// The position of the name.
        var start: UInt32
        let order: UInt32
        let nanoseconds: Int64
        let startedAt: Float
        let worker: Int
    }

    private struct Suite {
        /// The concatenated names of all tests.
        var names: [UInt8] = []
        var tests: [Entry] = []
        /// The display names of tests by their positions in `tests`.
        var displayNames: [Int: String] = [:]
        var firstFile: (order: Int, path: String)?
    }

    private static let unmeasured = Int64.min
    private var bySuite: [SuiteID: Suite] = [:]

    /// The suites of the tests.
    package var suites: some Collection<SuiteID> { bySuite.keys }

    /// Adds the test of a record whose last attempt passed.
    mutating func add(_ record: TestRecord) {
        let attempt = record.attempts.last
        add(record.info, order: record.order, record.duration, attempt?.startedAt, attempt?.worker)
    }

    mutating func add(_ test: TestInfo, order: Int, _ duration: Duration?, _ startedAt: Duration?, _ worker: Int?) {
        let suite = SuiteID(test.id)
        let start = bySuite[suite]?.names.count ?? 0
        var name = test.id.name
        name.withUTF8 { bySuite[suite, default: Suite()].names += $0 }
        let entry = Entry(
            start: UInt32(start), order: UInt32(order),
            nanoseconds: duration.map { Int64($0 / .nanoseconds(1)) } ?? Self.unmeasured,
            startedAt: startedAt.map { Float($0 / .seconds(1)) } ?? .nan, worker: worker ?? 0)
        if let name = test.title {
            let index = count(of: suite)
            bySuite[suite]?.displayNames[index] = name
        }
        bySuite[suite]?.tests.append(entry)
        guard let path = test.location?.path, bySuite[suite]?.firstFile.map({ order < $0.order }) ?? true
        else { return }
        bySuite[suite]?.firstFile = (order, path)
    }

    /// Returns the number of the tests of a suite.
    package func count(of suite: SuiteID) -> Int { bySuite[suite]?.tests.count ?? 0 }

    /// Returns a test of a suite by its position in the order in which they ended. A repeated test occurs several times.
    package func test(_ index: Int, of suite: SuiteID) -> Test? {
        guard let suite = bySuite[suite], suite.tests.indices.contains(index) else { return nil }
        let entry = suite.tests[index]
        let end = index + 1 < suite.tests.count ? Int(suite.tests[index + 1].start) : suite.names.count
        return Test(
            name: String(decoding: suite.names[Int(entry.start)..<end], as: UTF8.self),
            displayName: suite.displayNames[index], order: Int(entry.order),
            duration: entry.nanoseconds == Self.unmeasured ? nil : .nanoseconds(entry.nanoseconds),
            startedAt: entry.startedAt.isNaN ? nil : Double(entry.startedAt),
            worker: entry.worker == 0 ? nil : entry.worker)
    }

    /// Removes the last entry of a test, and returns it.
    mutating func remove(_ test: TestID) -> Test? {
        let id = SuiteID(test)
        guard
            let index = (0..<count(of: id)).last(where: { haveSameBytes(self.test($0, of: id)?.name ?? "", test.name) }
            ),
            let removed = self.test(index, of: id), var suite = bySuite.removeValue(forKey: id)
        else { return nil }
        let (start, length) = (Int(suite.tests[index].start), removed.name.utf8.count)
        suite.names.removeSubrange(start..<start + length)
        suite.tests.remove(at: index)
        for later in index..<suite.tests.count { suite.tests[later].start -= UInt32(length) }
        let names = suite.displayNames.filter { $0.key != index }.map { ($0.key - ($0.key > index ? 1 : 0), $0.value) }
        suite.displayNames = Dictionary(uniqueKeysWithValues: names)
        if !suite.tests.isEmpty { bySuite[id] = suite }
        return removed
    }

    /// Returns the path of the first test of a suite that has a location, and its position in the order of tests.
    package func firstFile(of suite: SuiteID) -> (order: Int, path: String)? { bySuite[suite]?.firstFile }
}
