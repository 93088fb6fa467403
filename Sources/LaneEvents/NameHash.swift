#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The hash of some texts, by their bytes: tests are looked up again and again, and `Hasher` takes several times as long
/// over a name.
struct NameHash: Hashable, Sendable {
    private let value: UInt32

    init(_ text: String, _ other: String) {
        self = NameHash(value: 0).appending(text).appending(other)
    }

    private init(value: UInt32) {
        self.value = value
    }

    /// The hash of the same texts and one more.
    func appending(_ text: String) -> NameHash {
        var text = text
        let mixed = text.withUTF8 { bytes in
            var hash = UInt64(value) << 32 | UInt64(truncatingIfNeeded: bytes.count)
            let bytes = UnsafeRawBufferPointer(bytes)
            var index = 0
            while index + 8 <= bytes.count {
                hash = Self.mixed(hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                index += 8
            }
            var rest: UInt64 = 0
            while index < bytes.count {
                rest = rest << 8 | UInt64(bytes[index])
                index += 1
            }
            return Self.mixed(hash ^ rest)
        }
        return NameHash(value: UInt32(truncatingIfNeeded: mixed))
    }

    /// Every bit of the number bears on all of the lower half.
    private static func mixed(_ number: UInt64) -> UInt64 {
        let (high, low) = number.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return high ^ low
    }
}

/// Whether two texts are the same to a `NameHash`; `==` takes more for the same, as a letter with its accent in one
/// scalar and in two.
func haveSameBytes(_ one: String, _ other: String) -> Bool {
    var (one, other) = (one, other)
    return one.withUTF8 { one in
        other.withUTF8 { other in
            guard one.count == other.count, let start = one.baseAddress, let otherStart = other.baseAddress else {
                return one.isEmpty && other.isEmpty
            }
            return memcmp(start, otherStart, one.count) == 0
        }
    }
}
