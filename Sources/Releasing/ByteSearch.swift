// All by bytes: two characters of a text may be one `Character`, such as a CR before a line feed.

extension String {
    /// Lines without their ends, empty ones left out.
    var lines: [String] {
        utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { String(Substring($0)) }
    }
}

extension Substring {
    /// What comes before the first byte that does not fit.
    func prefix(ofBytes fits: (UInt8) -> Bool) -> Substring { Substring(utf8.prefix(while: fits)) }

    /// What follows from the first byte on that does not fit.
    func dropping(bytes fits: (UInt8) -> Bool) -> Substring { Substring(utf8.drop(while: fits)) }

    /// What comes before an ASCII character, or all of it where there is none.
    func before(_ mark: Unicode.Scalar) -> Substring {
        let mark = UInt8(ascii: mark)
        return prefix(ofBytes: { $0 != mark })
    }
}

extension UInt8 {
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// A letter of ASCII.
    var isLetter: Bool {
        (self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z"))
            || (self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z"))
    }

    /// A space, a tab or a line's end.
    var isBlank: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }

    /// What an identifier of Swift may hold; whatever is not ASCII counts as a letter.
    var isOfIdentifier: Bool { isLetter || isDigit || self == UInt8(ascii: "_") || self >= 0x80 }
}

extension StringProtocol {
    /// The first place at or after `start` where `other` stands.
    func range(of other: String, after start: Index? = nil) -> Range<Index>? {
        guard let first = other.utf8.first else { return nil }
        var rest = utf8[(start ?? startIndex)...]
        while let place = rest.firstIndex(of: first) {
            rest = rest[place...]
            if rest.starts(with: other.utf8) { return place..<rest.index(place, offsetBy: other.utf8.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
