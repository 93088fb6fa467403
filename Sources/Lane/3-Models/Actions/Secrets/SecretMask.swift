package import Expressions

/// A mask that replaces secret values with `***`: whole values, single lines, and both encoded as base64,
/// percent-encoding, JSON, XML, and for a shell.
package struct SecretMask: Sendable {
    /// The minimum length of a masked value in bytes. Shorter values would match everywhere.
    package static let minimumLength = 4

    /// A sequence of bytes to mask.
    struct Pattern: Sendable, Hashable {
        let bytes: [UInt8]
        /// A Boolean value that indicates whether line breaks may interrupt the pattern, as in base64.
        let isWrappable: Bool
    }

    /// The patterns, longest first, so a value that contains another is masked as a whole.
    let patterns: [Pattern]
    /// A bit set of the first two bytes of all patterns, high byte first.
    private let prefixes: [UInt64]
    /// The patterns by their first two bytes. A long key has thousands of patterns.
    private let patternsByPrefix: [Int: [Pattern]]
    /// The names of secrets whose values are too short to be masked.
    package let unmasked: [String]

    /// Creates a mask.
    ///
    /// - Parameter secrets: The values by name. Empty values are ignored.
    package init(_ secrets: [String: String]) {
        self.init(secrets.map { (name: $0.key, value: $0.value) })
    }

    /// Creates a mask of values, of which several can have the same name.
    package init(_ secrets: [(name: String, value: String)]) {
        var patterns: Set<Pattern> = []
        var unmasked: Set<String> = []
        for (name, value) in secrets where !value.isEmpty {
            let bytes = Array(value.utf8)
            guard bytes.count >= Self.minimumLength else {
                unmasked.insert(name)
                continue
            }
            let (plain, base64) = SecretForms.all(of: bytes)
            patterns.formUnion(plain.subtracting(base64).map { Pattern(bytes: $0, isWrappable: false) })
            patterns.formUnion(base64.map { Pattern(bytes: $0, isWrappable: true) })
        }
        self.patterns = patterns.filter { $0.bytes.count >= Self.minimumLength }
            .sorted { $0.bytes.count > $1.bytes.count }
        self.unmasked = unmasked.sorted()
        var prefixes = [UInt64](repeating: 0, count: 1024)
        patternsByPrefix = Dictionary(grouping: self.patterns) { Self.pair($0.bytes[0], $0.bytes[1]) }
        for pair in patternsByPrefix.keys { prefixes[pair >> 6] |= 1 << UInt64(pair & 63) }
        self.prefixes = prefixes
    }

    /// A Boolean value that indicates whether the mask has no secrets.
    package var isEmpty: Bool { patterns.isEmpty }

    /// Returns the text with `***` in place of every secret. Use `MaskedStream` for text that arrives in pieces.
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

    /// Returns a Boolean value that indicates whether a value contains a secret at any depth.
    package func containsSecret(in values: [String: Value]) -> Bool {
        !isEmpty && values.values.contains(where: containsSecret)
    }

    /// Returns a Boolean value that indicates whether a secret is in a value, at any depth.
    package func containsSecret(in value: Value) -> Bool {
        switch value {
        case .null, .bool: false
        case .integer(let number): containsSecret(in: String(number))
        case .string(let text): containsSecret(in: text)
        case .list(let values): values.contains(where: containsSecret)
        case .map(let members): members.contains { containsSecret(in: $0.name) || containsSecret(in: $0.value) }
        }
    }

    private func containsSecret(in text: String) -> Bool { !isEmpty && masked(text) != text }

    @inline(__always)
    private static func pair(_ first: UInt8, _ second: UInt8) -> Int { Int(first) << 8 | Int(second) }

    /// Returns the patterns that start with two bytes, longest first.
    func patterns(_ first: UInt8, _ second: UInt8) -> [Pattern] { patternsByPrefix[Self.pair(first, second)] ?? [] }

    /// Returns a Boolean value that indicates whether a pattern starts with two bytes.
    @inline(__always)
    func mayBegin(_ first: UInt8, _ second: UInt8) -> Bool {
        let pair = Self.pair(first, second)
        return prefixes[pair >> 6] & (1 << UInt64(pair & 63)) != 0
    }
}
