/// How the digits from ten on are written.
package enum HexLetters: Sendable {
    case small, capital
}

extension UInt8 {
    /// Two hexadecimal digits.
    package func hexDigits(_ letters: HexLetters = .small) -> [UInt8] {
        [Self.hexDigit(self >> 4, letters), Self.hexDigit(self & 15, letters)]
    }

    private static func hexDigit(_ value: UInt8, _ letters: HexLetters) -> UInt8 {
        if value < 10 { return UInt8(ascii: "0") + value }
        return value - 10 + (letters == .small ? UInt8(ascii: "a") : UInt8(ascii: "A"))
    }
}

extension Sequence<UInt8> {
    /// Two small hexadecimal digits for each byte.
    package var hexText: String { String(decoding: flatMap { $0.hexDigits() }, as: UTF8.self) }
}
