import Events

/// The running tests of Swift Testing by the hash of their name. Lines contain neither module nor suite, so concurrent
/// tests may have the same name.
struct SwiftTestingRunning: Sendable {
    struct Entry: Sendable {
        let test: TestID
        let attempt: Int
        /// The number of tests that started earlier.
        let order: Int
        var hasFailed = false
        var isReported: Bool
        /// The argument of the last case, until the start of the test is emitted.
        var argument: String?
        /// A Boolean value that indicates whether the log does not contain the start. Quiet runs contain only issues.
        let isImplied: Bool
    }

    private var entries: [UInt64: Entry] = [:]
    /// The tests that started later with the name of a test in `entries`, oldest first.
    private var namesakes: [UInt64: ArraySlice<Entry>] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// The test with a name. If there are several tests, the first that started.
    ///
    /// An access copies the test, which takes longer than its removal.
    subscript(slot: UInt64) -> Entry? { entries[slot] }

    /// The tests in the order of their starts.
    var inOrder: [Entry] { (Array(entries.values) + namesakes.values.joined()).sorted { $0.order < $1.order } }

    mutating func add(_ entry: consuming Entry, at slot: UInt64) {
        // The earlier test keeps its place.
        if let earlier = entries.updateValue(entry, forKey: slot),
            let newer = entries.updateValue(earlier, forKey: slot)
        {
            namesakes[slot, default: []].append(newer)
        }
    }

    /// Changes the test that the subscript returns, if any.
    mutating func update(_ slot: UInt64, _ change: (inout Entry) -> Void) {
        if let index = entries.index(forKey: slot) { change(&entries.values[index]) }
    }

    /// Removes the first test with a name whose issues match the outcome.
    @inline(__always)
    mutating func remove(from slot: UInt64, hasFailed: Bool) -> Entry? {
        guard let first = entries.removeValue(forKey: slot) else { return nil }
        guard !namesakes.isEmpty, var others = namesakes.removeValue(forKey: slot) else { return first }
        var removed = first
        if first.hasFailed != hasFailed, let match = others.firstIndex(where: { $0.hasFailed == hasFailed }) {
            removed = others.remove(at: match)
            entries[slot] = first
        } else {
            entries[slot] = others.removeFirst()
        }
        if !others.isEmpty { namesakes[slot] = others }
        return removed
    }

    mutating func removeAll() {
        entries.removeAll()
        namesakes.removeAll()
    }

    /// Removes the tests without a start, in the order of their first lines.
    mutating func removeImplied() -> [Entry] {
        let implied = inOrder.filter(\.isImplied)
        guard !implied.isEmpty else { return [] }
        let all = entries.mapValues { [$0] }.merging(namesakes) { $0 + $1 }
        removeAll()
        for (slot, tests) in all {
            for test in tests where !test.isImplied { add(test, at: slot) }
        }
        return implied
    }
}
