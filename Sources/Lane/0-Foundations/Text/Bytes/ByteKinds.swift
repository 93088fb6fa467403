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
