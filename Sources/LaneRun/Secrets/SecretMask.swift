import LaneModel

/// Finds secret values in bytes and puts `***` in their place: as they are, each line of those with several, and as
/// base64, percent-encoding, JSON and a shell write them.
package struct SecretMask: Sendable {
    /// Shorter values are not masked, as they would be found everywhere.
    package static let shortestLength = 4

    /// Bytes to mask.
    struct Pattern: Sendable, Hashable {
        let bytes: [UInt8]
        /// A Boolean value that indicates whether line breaks may lie within it, as in base64.
        let isWrappable: Bool
    }

    /// Longest first, so that a value which holds another is masked as a whole.
    let patterns: [Pattern]
    /// Bit n is set when a pattern begins with the two bytes n, high byte first.
    private let beginnings: [UInt64]
    /// The same patterns by these two bytes: a long key has thousands.
    private let byBeginning: [Int: [Pattern]]
    /// Names of secrets whose values are too short to be masked.
    package let unmasked: [String]

    /// The values by their names; empty ones are nothing to hide.
    package init(_ secrets: [String: String]) {
        var patterns: Set<Pattern> = []
        var unmasked: [String] = []
        for (name, value) in secrets where !value.isEmpty {
            let bytes = Array(value.utf8)
            guard bytes.count >= Self.shortestLength else {
                unmasked.append(name)
                continue
            }
            let (plain, base64) = SecretForms.all(of: bytes)
            patterns.formUnion(plain.subtracting(base64).map { Pattern(bytes: $0, isWrappable: false) })
            patterns.formUnion(base64.map { Pattern(bytes: $0, isWrappable: true) })
        }
        self.patterns = patterns.filter { $0.bytes.count >= Self.shortestLength }
            .sorted { $0.bytes.count > $1.bytes.count }
        self.unmasked = unmasked.sorted()
        var beginnings = [UInt64](repeating: 0, count: 1024)
        byBeginning = Dictionary(grouping: self.patterns) { Self.pair($0.bytes[0], $0.bytes[1]) }
        for pair in byBeginning.keys { beginnings[pair >> 6] |= 1 << UInt64(pair & 63) }
        self.beginnings = beginnings
    }

    var isEmpty: Bool { patterns.isEmpty }

    /// The text with `***` for every secret in it; a text that comes in pieces goes through a `MaskedStream`.
    package func masked(_ text: String) -> String {
        guard !isEmpty else { return text }
        var result: [UInt8] = []
        var stream = MaskedStream(self)
        Array(text.utf8).withUnsafeBytes { bytes in
            stream.pass(bytes) { result += $0 }
        }
        stream.finish { result += $0 }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether a secret stands in one of these values, or in what they hold.
    func finds(in values: [String: Value]) -> Bool { !isEmpty && values.values.contains(where: finds) }

    func finds(in value: Value) -> Bool {
        switch value {
        case .null, .bool: false
        case .integer(let number): finds(in: String(number))
        case .string(let text): finds(in: text)
        case .list(let values): values.contains(where: finds)
        case .map(let members): members.contains { finds(in: $0.name) || finds(in: $0.value) }
        }
    }

    private func finds(in text: String) -> Bool { !isEmpty && masked(text) != text }

    @inline(__always)
    private static func pair(_ first: UInt8, _ second: UInt8) -> Int { Int(first) << 8 | Int(second) }

    /// The patterns that begin with these two bytes, longest first.
    func patterns(_ first: UInt8, _ second: UInt8) -> [Pattern] { byBeginning[Self.pair(first, second)] ?? [] }

    /// Whether some pattern may begin with these two bytes.
    @inline(__always)
    func mayBegin(_ first: UInt8, _ second: UInt8) -> Bool {
        let pair = Self.pair(first, second)
        return beginnings[pair >> 6] & (1 << UInt64(pair & 63)) != 0
    }
}
