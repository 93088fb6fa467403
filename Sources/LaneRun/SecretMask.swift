/// Finds secret values in bytes and puts `***` in their place: as they are, each line of those with several, and as
/// base64, percent-encoding and JSON write them.
package struct SecretMask: Sendable {
    /// Shorter values are not masked, as they would be found everywhere.
    package static let shortestLength = 4

    /// Longest first, so that a value which holds another goes as a whole.
    let patterns: [[UInt8]]
    /// Bit n is set when a pattern begins with the two bytes n, high byte first.
    private let beginnings: [UInt64]
    /// Names of secrets whose values are too short to be masked.
    package let unmasked: [String]

    /// The values by their names; empty ones are nothing to hide.
    package init(_ secrets: [String: String]) {
        var patterns: Set<[UInt8]> = []
        var unmasked: [String] = []
        for (name, value) in secrets where !value.isEmpty {
            let bytes = Array(value.utf8)
            guard bytes.count >= Self.shortestLength else {
                unmasked.append(name)
                continue
            }
            patterns.formUnion(SecretForms.all(of: bytes))
        }
        self.patterns = patterns.filter { $0.count >= Self.shortestLength }
            .sorted { ($1.count, $0.description) < ($0.count, $1.description) }
        self.unmasked = unmasked.sorted()
        var beginnings = [UInt64](repeating: 0, count: 1024)
        for pattern in self.patterns {
            let pair = Int(pattern[0]) << 8 | Int(pattern[1])
            beginnings[pair >> 6] |= 1 << UInt64(pair & 63)
        }
        self.beginnings = beginnings
    }

    package var isEmpty: Bool { patterns.isEmpty }

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

    /// Whether some pattern may begin with these two bytes.
    @inline(__always)
    func mayBegin(_ first: UInt8, _ second: UInt8) -> Bool {
        let pair = Int(first) << 8 | Int(second)
        return beginnings[pair >> 6] & (1 << UInt64(pair & 63)) != 0
    }
}

/// The shapes in which a secret value may turn up.
enum SecretForms {
    static func all(of value: [UInt8]) -> Set<[UInt8]> {
        var forms: Set<[UInt8]> = []
        let newline = UInt8(ascii: "\n")
        let lines = value.split { $0 == newline || $0 == UInt8(ascii: "\r") }.map(Array.init)
        for text in [value] + lines where text.count >= SecretMask.shortestLength {
            forms.insert(text)
            for digits in ["0123456789ABCDEF", "0123456789abcdef"] {
                for space in ["%20", "+"] { forms.insert(percentEncoded(text, digits, space: space)) }
            }
            forms.insert(jsonEscaped(text))
            forms.formUnion(base64Forms(text))
        }
        return forms
    }

    /// As it stands in the base64 of a longer text that holds it: a byte's place among three decides how it is written, and
    /// the characters at the ends also depend on the neighbours and are left out.
    private static func base64Forms(_ text: [UInt8]) -> Set<[UInt8]> {
        var forms: Set<[UInt8]> = []
        for shift in 0..<3 {
            let padded = [UInt8](repeating: 0, count: shift) + text
            // Each group of 6 bits that lies within the text gives a character that nothing else decides.
            let first = (shift * 8 + 5) / 6
            let end = padded.count * 8 / 6
            guard end - first >= SecretMask.shortestLength else { continue }
            for alphabet in ["+/", "-_"] {
                let digits = Array(
                    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(alphabet)".utf8)
                forms.insert((first..<end).map { digits[sixBits(of: padded, at: $0 * 6)] })
            }
        }
        return forms
    }

    private static func sixBits(of bytes: [UInt8], at bit: Int) -> Int {
        let byte = bit / 8
        let pair = Int(bytes[byte]) << 8 | (byte + 1 < bytes.count ? Int(bytes[byte + 1]) : 0)
        return (pair >> (10 - bit % 8)) & 63
    }

    private static func percentEncoded(_ text: [UInt8], _ digits: String, space: String) -> [UInt8] {
        let digits = Array(digits.utf8)
        return text.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                [byte]
            case _ where "-._~".utf8.contains(byte): [byte]
            case UInt8(ascii: " "): Array(space.utf8)
            default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }

    private static func jsonEscaped(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): Array("\\n".utf8)
            case UInt8(ascii: "\r"): Array("\\r".utf8)
            case UInt8(ascii: "\t"): Array("\\t".utf8)
            default: [byte]
            }
        }
    }
}
