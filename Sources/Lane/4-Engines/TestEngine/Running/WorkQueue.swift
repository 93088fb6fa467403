import Events

/// The pending attempts, and their distribution to test processes.
///
/// XCTest runs one test after another, so its tests are distributed in batches, longest first. Tests of a class are in
/// one batch if this costs no time. A batch is a fair share of the remaining tests. Batches therefore become smaller,
/// and workers finish together. Swift Testing runs tests in parallel, so all its tests of a binary are one batch.
struct WorkQueue {
    /// The assumed duration of a test in seconds, until this run has measured tests.
    private static let guess = 0.01
    /// The minimum duration of a test in seconds. XCTest rounds durations to milliseconds, but thousands of tests take
    /// time.
    private static let least = 0.000_1
    /// The minimum duration of a batch in seconds. Starting a process takes about 20 ms.
    private static let leastBatch = 0.02
    /// The duration in seconds up to which a batch may exceed its fair share, which starts fewer processes.
    private static let cheapBatch = 0.4
    /// The maximum size of an argument, below the kernel's limit of 128 KiB.
    static let maximumArgumentWidth = 120_000

    /// A class, or a part of a large class.
    private struct Group {
        struct Key: Hashable {
            let binary: Int
            let suite: SuiteID
            let isPrioritized: Bool
            let isObserved: Bool
        }

        let key: Key
        var items: [WorkItem]
        var known: Double
        var unknown: Int
    }

    private let tests: [ListedTest]
    private let durations: [Double?]
    private let workers: Int
    /// The groups, longest first.
    private var groups: [Group] = []
    /// A Boolean value that indicates whether all tests are one batch, for `swift test`.
    private let isWhole: Bool
    /// The fair share of a worker in seconds, limited to `cheapBatch`.
    private var leastShare = 0.0
    private let prioritized: Set<Int>
    private var swiftTesting: [WorkItem] = []
    private var apart: [WorkItem] = []
    /// The tests that run alone.
    private var exclusive: [WorkItem] = []
    private var measured = (seconds: 0.0, tests: 0)

    /// Creates a queue. Tests in `prioritized` come first.
    init(
        _ items: [WorkItem], of tests: [ListedTest], workers: Int, isWhole: Bool = false, prioritized: Set<Int> = [],
        duration: (TestID) -> Duration?
    ) {
        self.tests = tests
        (self.isWhole, self.prioritized, self.workers) = (isWhole, prioritized, workers)
        durations = tests.map { duration($0.id).map { max(Self.least, $0 / .seconds(1)) } }
        add(items)
    }

    /// Removes and returns all attempts, when the run stops early.
    mutating func removeAll() -> [WorkItem] {
        defer {
            groups = []
            swiftTesting = []
            apart = []
            exclusive = []
        }
        return groups.flatMap(\.items) + swiftTesting + apart + exclusive
    }

    /// Updates the assumed duration of tests without a recorded duration.
    mutating func learn(_ duration: Duration, of test: Int) {
        guard durations[test] == nil else { return }
        measured.seconds += duration / .seconds(1)
        measured.tests += 1
    }

    mutating func add(_ items: [WorkItem]) {
        var classes: [Group.Key: [WorkItem]] = [:]
        for item in items {
            if tests[item.test].isExclusive {
                exclusive.append(item)
            } else if item.isolation == .ownProcess {
                apart.append(item)
            } else if tests[item.test].id.library == .swiftTesting {
                swiftTesting.append(item)
            } else {
                let test = tests[item.test]
                let key = Group.Key(
                    binary: test.binary, suite: SuiteID(test.id), isPrioritized: prioritized.contains(item.test),
                    isObserved: item.isObserved)
                classes[key, default: []].append(item)
            }
        }
        let total = classes.values.joined().reduce(0) { $0 + (durations[$1.test] ?? Self.guess) }
        let all = groups.reduce(total) { $0 + weight($1) }
        // The share is slightly larger than fair, so that no small rest needs its own process.
        leastShare = min(all / Double(workers) * 1.05, Self.cheapBatch)
        let largest = share(of: total)
        for (key, items) in classes { groups += cut(items, of: key, largest: largest) }
        groups = groups.sorted { one, other in
            if one.key.isPrioritized != other.key.isPrioritized { return one.key.isPrioritized }
            return weight(one) != weight(other) ? weight(one) > weight(other) : one.key.suite < other.key.suite
        }
    }

    /// Returns the next batch, or `nil` if the queue is empty.
    mutating func next() -> Batch? {
        if isWhole, !groups.isEmpty || !swiftTesting.isEmpty { return wholeBatch() }
        if !prioritized.isEmpty {
            if let first = swiftTesting.first(where: { prioritized.contains($0.test) }) {
                return nextSwiftTestingBatch(like: first)
            }
            if groups.first?.key.isPrioritized == true { return nextXCTestBatch() }
        }
        if let first = swiftTesting.first {
            return nextSwiftTestingBatch(like: first)
        }
        if !groups.isEmpty { return nextXCTestBatch() }
        return apart.isEmpty ? nil : batch([apart.removeFirst()], isSerial: false)
    }

    /// Returns a test that runs alone. Call this when no process is running and the queue contains no other tests.
    mutating func nextExclusive() -> Batch? {
        exclusive.isEmpty ? nil : batch([exclusive.removeFirst()], isSerial: true)
    }

    /// Returns the share of one batch: half of a fair share, but at least the duration that is worth a process. Batches
    /// therefore become smaller.
    private func share(of left: Double) -> Double {
        workers == 1 ? left : max(left / Double(2 * workers), leastShare, Self.leastBatch)
    }

    /// Returns all attempts except those at tests of the same name, which the output of `swift test` does not
    /// distinguish.
    private mutating func wholeBatch() -> Batch {
        var names: Set<TestID> = []
        var (items, rest): ([WorkItem], [WorkItem]) = ([], [])
        for item in groups.flatMap(\.items) + swiftTesting {
            if names.insert(tests[item.test].relayedID).inserted { items.append(item) } else { rest.append(item) }
        }
        (groups, swiftTesting) = ([], [])
        add(rest)
        let isSerial = workers == 1 || items.contains { $0.isolation == .serial }
        return Batch(items: items, binary: 0, library: .xctest, isSerial: isSerial, isWhole: true)
    }

    /// Returns tests of a binary. Prioritized tests are in a separate batch. Two tests of the same name are in
    /// different batches, because the event parser cannot distinguish them. Each worker gets a share of the serial
    /// tests.
    private mutating func nextSwiftTestingBatch(like first: WorkItem) -> Batch {
        var names: Set<TestID> = []
        var (items, rest): ([WorkItem], [WorkItem]) = ([], [])
        let isSerial = first.isolation == .serial
        let most = isSerial ? (swiftTesting.count { $0.isolation == .serial } + workers - 1) / workers : .max
        for item in swiftTesting {
            let test = tests[item.test]
            let fits =
                test.binary == tests[first.test].binary && item.isolation == first.isolation
                && prioritized.contains(item.test) == prioritized.contains(first.test)
            if fits, items.count < most, !test.hasDuplicateName || names.insert(test.parserID).inserted {
                items.append(item)
            } else {
                rest.append(item)
            }
        }
        swiftTesting = rest
        return batch(items, isSerial: isSerial)
    }

    private func batch(_ items: [WorkItem], isSerial: Bool) -> Batch {
        let test = tests[items[0].test]
        let isSerial = isSerial || workers == 1 || test.id.library == .xctest
        return Batch(
            items: items, binary: test.binary, library: test.id.library, isObserved: items[0].isObserved,
            isSerial: isSerial, isWhole: isWhole)
    }

    private mutating func nextXCTestBatch() -> Batch {
        let first = groups.removeFirst()
        let left = groups.reduce(weight(first)) { $0 + weight($1) }
        let share = share(of: left)
        var items = first.items
        var taken = weight(first)
        var length = argumentLength(items)
        // Classes of different modules or types may have the same name in the output.
        var classes = [className(first): first.key.suite]
        var rest: [Group] = []
        for group in groups {
            let fits =
                taken + weight(group) <= share
                && length + argumentLength(group.items) <= Self.maximumArgumentWidth
            guard fits, group.key.binary == first.key.binary, group.key.isPrioritized == first.key.isPrioritized,
                group.key.isObserved == first.key.isObserved,
                classes[className(group), default: group.key.suite] == group.key.suite
            else {
                rest.append(group)
                continue
            }
            classes[className(group)] = group.key.suite
            items += group.items
            taken += weight(group)
            length += argumentLength(group.items)
        }
        groups = rest
        return batch(items, isSerial: true)
    }

    /// Returns the name of a group's class in XCTest's output.
    private func className(_ group: Group) -> Substring { tests[group.items[0].test].className }

    private func weight(_ group: Group) -> Double {
        group.known + Double(group.unknown) * unknownDuration
    }

    private var unknownDuration: Double {
        measured.tests == 0 ? Self.guess : max(Self.least, measured.seconds / Double(measured.tests))
    }

    private func argumentLength(_ items: [WorkItem]) -> Int {
        items.reduce(0) { $0 + tests[$1.test].selector.utf8.count + 1 }
    }

    /// Splits a class that is too large for one batch.
    private func cut(_ items: [WorkItem], of key: Group.Key, largest: Double) -> [Group] {
        var result: [Group] = []
        var group = Group(key: key, items: [], known: 0, unknown: 0)
        var length = 0
        let sorted = items.sorted {
            (durations[$0.test] ?? Self.guess, $1.test) > (durations[$1.test] ?? Self.guess, $0.test)
        }
        for item in sorted {
            let duration = durations[item.test]
            let size = tests[item.test].selector.utf8.count + 1
            let isFull =
                weight(group) + (duration ?? unknownDuration) > largest || length + size > Self.maximumArgumentWidth
            if isFull, !group.items.isEmpty {
                result.append(group)
                group = Group(key: key, items: [], known: 0, unknown: 0)
                length = 0
            }
            group.items.append(item)
            group.known += duration ?? 0
            group.unknown += duration == nil ? 1 : 0
            length += size
        }
        return result + [group]
    }
}

/// A pending attempt at a test.
struct WorkItem: Sendable, Equatable {
    enum Isolation: Sendable, Comparable {
        /// The test may share a process with all other tests.
        case any
        /// The test may share a process with other tests of this kind. They run one after another, so the cause of a
        /// crash is known.
        case serial
        /// The test has its own process.
        case ownProcess
    }

    /// The index of the test in the run.
    let test: Int
    var attempt = 1
    var isolation = Isolation.any
    /// A Boolean value that indicates whether the test runs with the observer, because its result was missing in
    /// XCTest's output.
    var isObserved = false
}

/// The tests of one process.
struct Batch: Sendable, Equatable {
    let items: [WorkItem]
    let binary: Int
    let library: TestLibrary
    /// A Boolean value that indicates whether the process runs with the observer.
    var isObserved = false
    /// A Boolean value that indicates whether the tests run one after another.
    let isSerial: Bool
    /// A Boolean value that indicates whether the batch contains tests of both libraries and all binaries, for `swift
    /// test`.
    var isWhole = false
}
