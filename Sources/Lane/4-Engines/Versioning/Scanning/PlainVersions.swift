import Text

/// Versions in files of unknown formats.
enum PlainVersions {
    /// Returns the occurrences of versions in place of `{version}` in a pattern.
    static func matching(_ pattern: String, in bytes: [UInt8], of file: String) -> [VersionOccurrence] {
        guard let hole = pattern.range(of: "{version}") else { return [] }
        let (before, after) = (Array(pattern[..<hole.lowerBound].utf8), Array(pattern[hole.upperBound...].utf8))
        return starts(of: before, in: bytes).compactMap { start in
            let rest = bytes[start...]
            let end = rest.firstIndex { !isVersionByte($0) } ?? rest.endIndex
            // A period after the version ends a sentence.
            for end in (start..<(end + 1)).reversed() {
                guard let version = SemanticVersion(String(decoding: bytes[start..<end], as: UTF8.self)),
                    bytes[end...].starts(with: after)
                else { continue }
                return occurrence(start..<end, version, in: bytes, of: file)
            }
            return nil
        }
    }

    /// Returns the occurrences of a version that are not part of a longer one.
    static func equal(to version: SemanticVersion, in bytes: [UInt8], of file: String) -> [VersionOccurrence] {
        let text = Array(version.description.utf8)
        return starts(of: text, in: bytes).compactMap { end in
            let start = end - text.count
            let isAlone =
                (start == 0 || !isVersionByte(bytes[start - 1]) || bytes[start - 1] == UInt8(ascii: "v"))
                && !continues(bytes[end...])
            return isAlone ? occurrence(start..<end, version, in: bytes, of: file) : nil
        }
    }

    /// Returns the indices after each occurrence of a text. The empty text occurs before each word.
    private static func starts(of text: [UInt8], in bytes: [UInt8]) -> [Int] {
        guard let first = text.first else {
            return bytes.indices.filter { $0 == 0 || !isVersionByte(bytes[$0 - 1]) }
        }
        return bytes.indices.filter { bytes[$0] == first && bytes[$0...].starts(with: text) }.map { $0 + text.count }
    }

    private static func isVersionByte(_ byte: UInt8) -> Bool {
        SemanticVersion.isIdentifierByte(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+")
    }

    /// Returns a Boolean value that indicates whether a version continues. A period or hyphen ends it unless a digit or
    /// letter follows.
    private static func continues(_ rest: ArraySlice<UInt8>) -> Bool {
        guard let next = rest.first, isVersionByte(next) else { return false }
        guard next == UInt8(ascii: ".") || next == UInt8(ascii: "-") else { return true }
        guard let second = rest.dropFirst().first else { return false }
        return next == UInt8(ascii: ".") ? second.isDigit : SemanticVersion.isIdentifierByte(second)
    }

    private static func occurrence(
        _ range: Range<Int>, _ version: SemanticVersion, in bytes: [UInt8], of file: String
    ) -> VersionOccurrence {
        VersionOccurrence(
            file: file, line: lineNumber(of: range.lowerBound, in: bytes), range: range,
            text: String(decoding: bytes[range], as: UTF8.self), version: version, certainty: .certain)
    }
}
