/// An FNV-1a hash. Unlike the hash of `Hashable`, it is the same in all processes and on all machines.
package struct StableHash: Sendable {
    /// The hash of all added bytes and numbers.
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    /// Creates the hash of the UTF-8 bytes of a string.
    package init(of text: String) { add(text) }

    /// Adds the UTF-8 bytes of a string.
    package mutating func add(_ text: String) {
        for byte in text.utf8 { add(UInt64(byte)) }
    }

    /// Adds a byte or a number.
    package mutating func add(_ number: UInt64) { value = (value ^ number) &* 0x100_0000_01B3 }
}
