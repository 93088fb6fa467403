import LaneEvents

/// The tests of Swift Testing that have begun and not ended. A line tells no module and no suite, so they are kept by a hash
/// of the name; namesakes that run at the same time take the numbers after it.
struct SwiftTestingRunning: Sendable {
    struct Entry: Sendable {
        let test: TestID
        let attempt: Int
        /// How many had begun before it.
        let order: Int
        var hasFailed = false
        var isTold: Bool
        /// With which its last case began, as long as its start is not told.
        var argument: String?
        /// Its start was not told: quiet runs tell issues alone.
        let isImplied: Bool
    }

    private var entries: [UInt64: Entry] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// The test of this name; of namesakes the one that began first.
    subscript(slot: UInt64) -> Entry? { entries[slot] }

    /// In the order of their starts.
    var inOrder: [Entry] { entries.values.sorted { $0.order < $1.order } }

    mutating func add(_ entry: Entry, at slot: UInt64) {
        var slot = slot
        while let earlier = entries.updateValue(entry, forKey: slot) {
            entries[slot] = earlier
            slot &+= 1
        }
    }

    /// Changes the test that the subscript gives, if there is one.
    mutating func update(_ slot: UInt64, _ change: (inout Entry) -> Void) {
        if let index = entries.index(forKey: slot) { change(&entries.values[index]) }
    }

    /// Of namesakes, the first whose issues go with the outcome; those behind it move up.
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

    /// Takes out those whose starts were not told, in the order in which they were first heard of.
    mutating func removeImplied() -> [Entry] {
        let implied = inOrder.filter(\.isImplied)
        entries = entries.filter { !$0.value.isImplied }
        return implied
    }
}
