/// The case of the hexadecimal digits `a` to `f`.
package enum HexCase: Sendable {
    case lowercase, uppercase
}

extension UInt8 {
    /// Returns the two hexadecimal digits of the byte, in ASCII.
    package func hexDigits(_ letters: HexCase = .lowercase) -> [UInt8] {
        [Self.hexDigit(self >> 4, letters), Self.hexDigit(self & 15, letters)]
    }

    private static func hexDigit(_ value: UInt8, _ letters: HexCase) -> UInt8 {
        if value < 10 { return UInt8(ascii: "0") + value }
        return value - 10 + (letters == .lowercase ? UInt8(ascii: "a") : UInt8(ascii: "A"))
    }
}

extension Sequence<UInt8> {
    /// The bytes as lowercase hexadecimal digits, two for each byte.
    package var hexString: String { String(decoding: flatMap { $0.hexDigits() }, as: UTF8.self) }
}
