import Events

/// A table that counts the occurrences of names. Each name takes 4 bytes: 24 bits of a hash, and a count up to 255.
///
/// The table is full at about 90,000 names. Further names are not counted.
struct SeenNames: Sendable {
    private static let size = 1 << 17
    private static let countMask: UInt32 = 0xFF

    private var table: [UInt32] = []
    private var used = 0

    /// Counts an occurrence of a name, and returns the number of earlier occurrences.
    mutating func count(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        if table.isEmpty { table = [UInt32](repeating: 0, count: Self.size) }
        let (slot, key) = find(name)
        let entry = table[slot]
        if entry == 0 {
            guard used < Self.size / 10 * 7 else { return 0 }
            used += 1
            table[slot] = key | 1
            return 0
        }
        if entry & Self.countMask < Self.countMask { table[slot] = entry + 1 }
        return Int(entry & Self.countMask)
    }

    func contains(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !table.isEmpty else { return false }
        return table[find(name).slot] != 0
    }

    private func find(_ name: UnsafeBufferPointer<UInt8>) -> (slot: Int, key: UInt32) {
        let hash = hashOf(name)
        let key = UInt32(truncatingIfNeeded: hash >> 32) & ~Self.countMask
        var slot = Int(truncatingIfNeeded: hash) & (Self.size - 1)
        while table[slot] != 0, table[slot] & ~Self.countMask != key { slot = (slot + 1) & (Self.size - 1) }
        return (slot, key)
    }
}
