import Text

/// A file to search for versions.
struct VersionSource {
    /// The path relative to the package.
    let path: String
    let bytes: [UInt8]
    let names: PackageNames
    private let lineStarts: [Int]
    /// The index of the first byte after a byte order mark.
    let start: Int

    init(path: String, bytes: [UInt8], names: PackageNames) {
        (self.path, self.bytes, self.names) = (path, bytes, names)
        start = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
        lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The last path component.
    var name: Substring { path.split(separator: "/").last ?? "" }

    /// The range of each line without its line break.
    var lines: [Range<Int>] {
        zip(lineStarts, lineStarts.dropFirst().map { $0 - 1 } + [bytes.count]).map { first, end in
            max(first, start)..<max(first, start, end)
        }
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Returns the version of an app. One with two numbers is possibly that of another app.
    func appOccurrence(_ range: Range<Int>, _ certainty: VersionOccurrence.Certainty = .certain) -> VersionOccurrence? {
        let hasTwoNumbers = bytes[range].count { $0 == UInt8(ascii: ".") } == 1
        return occurrence(range, hasTwoNumbers ? .possible : certainty, .numbers)
    }

    /// Returns the occurrence of a version, or `nil` if the text is not a version in the given form.
    func occurrence(
        _ range: Range<Int>, _ certainty: VersionOccurrence.Certainty, _ form: VersionOccurrence.Form = .plain
    ) -> VersionOccurrence? {
        let text = text(range)
        // The `v` before a version is kept.
        let start = text.utf8.first == UInt8(ascii: "v") ? range.lowerBound + 1 : range.lowerBound
        let plain = start == range.lowerBound ? text : String(text.dropFirst())
        guard let version = form.version(in: plain) else { return nil }
        let line = lineStarts.partitioningIndex { $0 > start }
        return VersionOccurrence(
            file: path, line: line, range: start..<range.upperBound, text: plain, version: version,
            certainty: certainty, form: form)
    }
}

extension [Int] {
    /// Returns the first index whose element satisfies a condition, if the array is partitioned by it.
    fileprivate func partitioningIndex(_ fits: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if fits(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
