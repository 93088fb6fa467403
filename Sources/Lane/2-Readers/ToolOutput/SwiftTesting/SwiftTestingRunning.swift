import Events

/// The running tests of Swift Testing by the hash of their name. Lines contain neither module nor suite, so concurrent
/// tests may have the same name. They use the next hashes.
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

    var isEmpty: Bool { entries.isEmpty }

    /// The test with a name. If there are several tests, the first that started.
    ///
    /// An access copies the test, which takes longer than its removal.
    subscript(slot: UInt64) -> Entry? { entries[slot] }

    /// The tests in the order of their starts.
    var inOrder: [Entry] { entries.values.sorted { $0.order < $1.order } }

    mutating func add(_ entry: consuming Entry, at slot: UInt64) {
        var slot = slot
        var added = consume entry
        // The earlier test keeps its slot.
        while let earlier = entries.updateValue(added, forKey: slot),
            let newer = entries.updateValue(earlier, forKey: slot)
        {
            added = newer
            slot &+= 1
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
        guard let next = entries.removeValue(forKey: slot &+ 1) else { return first }
        var namesakes = [first, next]
        var last = slot &+ 2
        while let other = entries.removeValue(forKey: last) {
            namesakes.append(other)
            last &+= 1
        }
        let removed = namesakes.remove(at: namesakes.firstIndex { $0.hasFailed == hasFailed } ?? 0)
        for (offset, other) in namesakes.enumerated() { entries[slot &+ UInt64(offset)] = other }
        return removed
    }

    mutating func removeAll() { entries.removeAll() }

    /// Removes the tests without a start, in the order of their first lines.
    mutating func removeImplied() -> [Entry] {
        let implied = inOrder.filter(\.isImplied)
        entries = entries.filter { !$0.value.isImplied }
        return implied
    }
}
