/// The FNV-1a hash, which unlike `Hashable` is the same in all processes and on all machines.
struct StableHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    init() {}

    init(of text: String) { add(text) }

    mutating func add(_ text: String) {
        for byte in text.utf8 { add(UInt64(byte)) }
    }

    mutating func add(_ number: UInt64) { value = (value ^ number) &* 0x100_0000_01B3 }
}
