import LaneEvents

/// The attempts still to be made, and the rule by which they are dealt out to test processes.
///
/// XCTest runs one test after the other, so its tests are dealt in batches: those expected to take longest first, a class
/// kept together where that costs no time, and each batch a fair share of what is left, so that batches shrink towards
/// the end and the workers finish together. Swift Testing runs side by side within its process, so all of a binary's
/// tests go to one.
struct WorkQueue {
    /// What a test without a recorded time is taken for, until this run has measured some.
    private static let guess = 0.01
    /// What a test costs at least: XCTest rounds to milliseconds, and thousands of nothings are not nothing.
    private static let least = 0.000_1
    /// Expected seconds below which a batch is not worth a process of its own: one takes some twenty milliseconds to start.
    private static let leastBatch = 0.02
    /// A batch may be so long however little is left, as long as every worker gets one: fewer processes are started.
    private static let cheapBatch = 0.4
    /// Under the kernel's limit of 128 KiB for one argument, with room for what else is in it.
    static let maximumArgumentWidth = 120_000

    /// What is best kept together: a class, or a part of a large one.
    private struct Group {
        struct Key: Hashable {
            let binary: Int
            let suite: SuiteID
            let isHurried: Bool
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
    /// Longest first.
    private var groups: [Group] = []
    /// Everything in one batch, as `swift test` runs it.
    private let isWhole: Bool
    /// A worker's fair share of all that there was to do, as far as that is cheap.
    private var leastShare = 0.0
    private let hurried: Set<Int>
    private var swiftTesting: [WorkItem] = []
    private var apart: [WorkItem] = []
    /// Those beside which nothing runs.
    private var exclusive: [WorkItem] = []
    private var measured = (seconds: 0.0, tests: 0)

    /// Tests in `hurried` are dealt before all others.
    init(
        _ items: [WorkItem], of tests: [ListedTest], workers: Int, isWhole: Bool = false, hurried: Set<Int> = [],
        duration: (TestID) -> Duration?
    ) {
        self.tests = tests
        self.isWhole = isWhole
        self.hurried = hurried
        self.workers = workers
        durations = tests.map { duration($0.id).map { max(Self.least, $0 / .seconds(1)) } }
        add(items)
    }

    var isEmpty: Bool { groups.isEmpty && swiftTesting.isEmpty && apart.isEmpty && exclusive.isEmpty }

    /// All that is left, when the run stops before its end.
    mutating func removeAll() -> [WorkItem] {
        defer {
            groups = []
            swiftTesting = []
            apart = []
            exclusive = []
        }
        return groups.flatMap(\.items) + swiftTesting + apart + exclusive
    }

    /// Learns from a test that ended how long those may take of which nothing is known.
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
            } else if item.company == .none {
                apart.append(item)
            } else if tests[item.test].id.library == .swiftTesting {
                swiftTesting.append(item)
            } else {
                let test = tests[item.test]
                let key = Group.Key(
                    binary: test.binary, suite: SuiteID(test.id), isHurried: hurried.contains(item.test),
                    isObserved: item.isObserved)
                classes[key, default: []].append(item)
            }
        }
        let total = classes.values.joined().reduce(0) { $0 + (durations[$1.test] ?? Self.guess) }
        let all = groups.reduce(total) { $0 + weight($1) }
        // A little more, lest a crumb be left that would take a process of its own.
        leastShare = min(all / Double(workers) * 1.05, Self.cheapBatch)
        let largest = share(of: total)
        for (key, items) in classes { groups += cut(items, of: key, largest: largest) }
        groups = groups.sorted { one, other in
            if one.key.isHurried != other.key.isHurried { return one.key.isHurried }
            return weight(one) != weight(other) ? weight(one) > weight(other) : one.key.suite < other.key.suite
        }
    }

    /// What a free worker shall do next; `nil` when nothing is left.
    mutating func next() -> Batch? {
        if isWhole, !groups.isEmpty || !swiftTesting.isEmpty { return wholeBatch() }
        if !hurried.isEmpty {
            if let first = swiftTesting.first(where: { hurried.contains($0.test) }) {
                return nextSwiftTestingBatch(like: first)
            }
            if groups.first?.key.isHurried == true { return nextXCTestBatch() }
        }
        if let first = swiftTesting.first {
            return nextSwiftTestingBatch(like: first)
        }
        if !groups.isEmpty { return nextXCTestBatch() }
        return apart.isEmpty ? nil : batch([apart.removeFirst()], isSerial: false)
    }

    /// A test that must have the machine for itself; to be asked for when nothing runs and nothing else is left.
    mutating func nextExclusive() -> Batch? {
        exclusive.isEmpty ? nil : batch([exclusive.removeFirst()], isSerial: true)
    }

    /// How much of what is left one batch may have: half of what would be fair, so that batches shrink towards the end,
    /// but no less than is worth a process.
    private func share(of left: Double) -> Double {
        workers == 1 ? left : max(left / Double(2 * workers), leastShare, Self.leastBatch)
    }

    /// All that is left but namesakes, which what `swift test` relays does not tell apart.
    private mutating func wholeBatch() -> Batch {
        var names: Set<TestID> = []
        var (items, rest): ([WorkItem], [WorkItem]) = ([], [])
        for item in groups.flatMap(\.items) + swiftTesting {
            if names.insert(tests[item.test].relayedID).inserted { items.append(item) } else { rest.append(item) }
        }
        (groups, swiftTesting) = ([], [])
        add(rest)
        let isSerial = workers == 1 || items.contains { $0.company == .serial }
        return Batch(items: items, binary: 0, library: .xctest, isSerial: isSerial, isWhole: true)
    }

    /// All of one binary, hurried ones apart, but never two namesakes, which the event parser cannot tell apart. Of those
    /// that run one after the other each worker gets a share.
    private mutating func nextSwiftTestingBatch(like first: WorkItem) -> Batch {
        var names: Set<TestID> = []
        var (items, rest): ([WorkItem], [WorkItem]) = ([], [])
        let isSerial = first.company == .serial
        let most = isSerial ? (swiftTesting.count { $0.company == .serial } + workers - 1) / workers : .max
        for item in swiftTesting {
            let test = tests[item.test]
            let fits =
                test.binary == tests[first.test].binary && item.company == first.company
                && hurried.contains(item.test) == hurried.contains(first.test)
            if fits, items.count < most, !test.isNamesake || names.insert(test.parserID).inserted {
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
        // Classes of two modules, or within two types, may have one name, by which the output does not tell them apart.
        var classes = [className(first): first.key.suite]
        var rest: [Group] = []
        for group in groups {
            let fits =
                taken + weight(group) <= share && length + argumentLength(group.items) <= Self.maximumArgumentWidth
            guard fits, group.key.binary == first.key.binary, group.key.isHurried == first.key.isHurried,
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

    /// The class of a group as XCTest's output names it.
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

    /// Cuts a class that is too much for one batch.
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
