import ASCII

/// Versions in files whose form is not known.
enum PlainVersions {
    /// Where the text of a pattern stands with any version in the place of `{version}`.
    static func matching(_ pattern: String, in bytes: [UInt8], of file: String) -> [VersionPlace] {
        guard let hole = pattern.range(of: "{version}") else { return [] }
        let (before, after) = (Array(pattern[..<hole.lowerBound].utf8), Array(pattern[hole.upperBound...].utf8))
        return starts(of: before, in: bytes).compactMap { start in
            let rest = bytes[start...]
            let end = rest.firstIndex { !isVersionByte($0) } ?? rest.endIndex
            // A version may not end in a full stop, but a sentence may.
            for end in (start..<(end + 1)).reversed() {
                guard let version = SemanticVersion(String(decoding: bytes[start..<end], as: UTF8.self)),
                    bytes[end...].starts(with: after)
                else { continue }
                return place(start..<end, version, in: bytes, of: file)
            }
            return nil
        }
    }

    /// Where exactly this version stands, not as a part of a longer one.
    static func equal(to version: SemanticVersion, in bytes: [UInt8], of file: String) -> [VersionPlace] {
        let text = Array(version.description.utf8)
        return starts(of: text, in: bytes).compactMap { end in
            let start = end - text.count
            let isAlone =
                (start == 0 || !isVersionByte(bytes[start - 1]) || bytes[start - 1] == UInt8(ascii: "v"))
                && !continues(bytes[end...])
            return isAlone ? place(start..<end, version, in: bytes, of: file) : nil
        }
    }

    /// Where something begins right behind an occurrence of `text`.
    private static func starts(of text: [UInt8], in bytes: [UInt8]) -> [Int] {
        guard let first = text.first else { return [] }
        return bytes.indices.filter { bytes[$0] == first && bytes[$0...].starts(with: text) }.map { $0 + text.count }
    }

    private static func isVersionByte(_ byte: UInt8) -> Bool {
        SemanticVersion.isIdentifierByte(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+")
    }

    /// A full stop or hyphen ends a sentence unless a digit or letter follows.
    private static func continues(_ rest: ArraySlice<UInt8>) -> Bool {
        guard let next = rest.first, isVersionByte(next) else { return false }
        guard next == UInt8(ascii: ".") || next == UInt8(ascii: "-") else { return true }
        guard let second = rest.dropFirst().first else { return false }
        return next == UInt8(ascii: ".") ? second.isDigit : SemanticVersion.isIdentifierByte(second)
    }

    private static func place(
        _ range: Range<Int>, _ version: SemanticVersion, in bytes: [UInt8], of file: String
    ) -> VersionPlace {
        let line = bytes[..<range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
        return VersionPlace(
            file: file, line: line, range: range, text: String(decoding: bytes[range], as: UTF8.self), version: version,
            certainty: .certain)
    }
}
