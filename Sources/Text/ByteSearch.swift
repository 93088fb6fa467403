// All functions work on bytes, because CR LF and other sequences are one `Character`.

extension String {
    /// The nonempty lines without their line breaks.
    package var lines: [String] {
        utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { String(Substring($0)) }
    }
}

extension Substring {
    /// Returns the longest prefix whose bytes satisfy a predicate.
    package func prefix(ofBytes fits: (UInt8) -> Bool) -> Substring { Substring(utf8.prefix(while: fits)) }

    /// Returns the text without the longest prefix whose bytes satisfy a predicate.
    package func dropping(bytes fits: (UInt8) -> Bool) -> Substring { Substring(utf8.drop(while: fits)) }

    /// Returns the text before the first occurrence of an ASCII character, or the whole text if there is none.
    package func before(_ mark: Unicode.Scalar) -> Substring {
        let mark = UInt8(ascii: mark)
        return prefix(ofBytes: { $0 != mark })
    }
}

extension StringProtocol {
    /// Returns the range of the first occurrence of a text at or after `start`.
    package func range(of other: String, after start: Index? = nil) -> Range<Index>? {
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
