// Text for other programs is processed byte by byte. Swift combines a quote and a combining mark into one `Character`,
// but a shell, a compiler or a server still sees a quote.

extension UInt8 {
    /// A Boolean value that indicates whether the byte is a decimal digit, `0` to `9`.
    @inlinable package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// A Boolean value that indicates whether the byte is an ASCII letter, `a` to `z` or `A` to `Z`.
    @inlinable package var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

    /// A Boolean value that indicates whether the byte is an ASCII letter or a decimal digit.
    @inlinable package var isAlphanumeric: Bool { isLetter || isDigit }

    /// A Boolean value that indicates whether the byte is a hexadecimal digit in lowercase or uppercase.
    @inlinable package var isHexDigit: Bool { isDigit || (self | 0x20) &- UInt8(ascii: "a") < 6 }

    /// A Boolean value that indicates whether the byte can start an identifier: a letter or `_`.
    @inlinable package var isIdentifierStart: Bool { isLetter || self == UInt8(ascii: "_") }

    /// A Boolean value that indicates whether the byte can continue an identifier: a letter, a digit or `_`.
    @inlinable package var isIdentifierContinuation: Bool { isIdentifierStart || isDigit }

    /// A Boolean value that indicates whether the byte is a space or a tab.
    @inlinable package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// A Boolean value that indicates whether the byte is ASCII white space: a blank, LF, VT, FF or CR.
    @inlinable package var isSpace: Bool { self == UInt8(ascii: " ") || self &- UInt8(ascii: "\t") < 5 }
}

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
