// Text is read by its bytes wherever other programs do so, too: a quote with a combining mark behind it is one `Character`
// to Swift, but a quote to a shell, a compiler or a server.

extension UInt8 {
    /// `0` to `9`.
    @inlinable package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// `a` to `z` and `A` to `Z`.
    @inlinable package var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

    /// A letter or a digit.
    @inlinable package var isAlphanumeric: Bool { isLetter || isDigit }

    /// A digit, or `a` to `f` in small or capital.
    @inlinable package var isHexDigit: Bool { isDigit || (self | 0x20) &- UInt8(ascii: "a") < 6 }

    /// What begins a name in most languages: a letter or `_`.
    @inlinable package var beginsName: Bool { isLetter || self == UInt8(ascii: "_") }

    /// What goes on in a name: a letter, a digit or `_`.
    @inlinable package var isOfName: Bool { beginsName || isDigit }

    /// What parts words on a line: a space or a tab.
    @inlinable package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// A blank, or one of the bytes that end lines and pages.
    @inlinable package var isSpace: Bool { self == UInt8(ascii: " ") || self &- UInt8(ascii: "\t") < 5 }
}
