import CLibrary

/// A hash of the bytes of strings. It makes lookups of tests several times faster than `Hasher`.
struct NameHash: Hashable, Sendable {
    private let value: UInt64

    init(_ text: String, _ other: String) {
        value = Self.hash(other, after: Self.hash(text, after: 0))
    }

    private init(value: UInt64) {
        self.value = value
    }

    /// Returns the hash of the same strings and another one.
    func appending(_ text: String) -> NameHash { NameHash(value: Self.hash(text, after: value)) }

    private static func hash(_ text: String, after earlier: UInt64) -> UInt64 {
        var text = text
        return text.withUTF8 { hashOf($0, after: earlier) }
    }
}

/// Returns a 64-bit hash of bytes.
///
/// The function multiplies and mixes eight bytes at a time.
///
/// - Parameter earlier: The hash of the preceding bytes.
package func hashOf(_ bytes: UnsafeBufferPointer<UInt8>, after earlier: UInt64 = 0) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: raw.count) ^ earlier
    var index = 0
    func mix(_ word: UInt64) {
        let product = (hash ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        hash = product.high ^ product.low
    }
    while index + 8 <= raw.count {
        mix(raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        index += 8
    }
    var rest: UInt64 = 0
    while index < raw.count {
        rest = rest << 8 | UInt64(raw[index])
        index += 1
    }
    mix(rest)
    return hash
}

/// Returns a Boolean value that indicates whether two strings have the same bytes.
///
/// `==` also considers canonically equivalent strings equal, such as composed and decomposed letters.
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
