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
    /// Returns the range of the first occurrence of a text at or after `start`, or `nil` for the empty text.
    package func range(of other: String, after start: Index? = nil) -> Range<Index>? {
        guard !other.isEmpty else { return nil }
        let rest = utf8[(start ?? startIndex)...]
        var other = other
        let offset = other.withUTF8 { other in
            rest.withContiguousStorageIfAvailable { $0.firstOffset(of: other) }
                ?? Array(rest).withUnsafeBufferPointer { $0.firstOffset(of: other) }
        }
        guard let offset else { return nil }
        let lower = utf8.index(rest.startIndex, offsetBy: offset)
        return lower..<utf8.index(lower, offsetBy: other.utf8.count)
    }

    /// Returns a Boolean value that indicates whether a text occurs in this one. Every text contains the empty text.
    package func contains(_ other: String) -> Bool { other.isEmpty || range(of: other) != nil }

    /// Returns the texts between the occurrences of a separator.
    package func parts(separatedBy separator: String, maxSplits: Int = .max) -> [SubSequence] {
        var parts: [SubSequence] = []
        var start = startIndex
        while parts.count < maxSplits, let found = range(of: separator, after: start) {
            parts.append(self[start..<found.lowerBound])
            start = found.upperBound
        }
        return parts + [self[start...]]
    }

    /// Returns the text with `replacement` in place of each occurrence of `other`.
    package func replacing(_ other: String, with replacement: String, maxReplacements: Int = .max) -> String {
        parts(separatedBy: other, maxSplits: maxReplacements).joined(separator: replacement)
    }
}

extension [UInt8] {
    /// Returns the offset of the first occurrence of a text, or `nil` if there is none.
    package func firstOffset(of text: String) -> Int? {
        var text = text
        return text.withUTF8 { text in withUnsafeBufferPointer { $0.firstOffset(of: text) } }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func firstOffset(of other: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let first = other.first else { return 0 }
        var rest = self[...]
        while let offset = rest.firstIndex(of: first) {
            rest = rest[offset...]
            if rest.starts(with: other) { return offset }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension StringProtocol {
    /// The text without the white space at both ends.
    package var trimmed: SubSequence {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return self[endIndex...] }
        return self[first...last]
    }
}

extension String {
    /// Calls `body` with the UTF-8 code units, without the copy that the mutating `withUTF8` may need.
    ///
    /// Inlinable, so that other modules call a specialized version.
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        // Only a bridged Objective-C string may have no contiguous storage.
        var text = self
        return text.withUTF8(body)
    }
}
