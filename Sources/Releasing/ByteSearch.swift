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
