import ASCII

/// A file in which versions are looked for.
struct VersionSource {
    /// Relative to the package.
    let path: String
    let bytes: [UInt8]
    let names: PackageNames
    private let lineStarts: [Int]

    init(path: String, bytes: [UInt8], names: PackageNames) {
        (self.path, self.bytes, self.names) = (path, bytes, names)
        lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    /// The last part of the path.
    var name: Substring { path.split(separator: "/").last ?? "" }

    /// The bytes of each line, without its end.
    var lines: [Range<Int>] {
        zip(lineStarts, lineStarts.dropFirst().map { $0 - 1 } + [bytes.count]).map { $0..<max($0, $1) }
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// A line's text in which every byte keeps its place: what is not ASCII becomes one sign each.
    func plainText(_ range: Range<Int>) -> String {
        String(decoding: bytes[range].map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    /// The place of a version; `nil` where the text is none in the given form.
    func place(
        _ range: Range<Int>, _ certainty: VersionPlace.Certainty, _ form: VersionPlace.Form = .plain
    ) -> VersionPlace? {
        let text = text(range)
        // A `v` before a version stays where it is.
        let start = text.utf8.first == UInt8(ascii: "v") ? range.lowerBound + 1 : range.lowerBound
        let plain = start == range.lowerBound ? text : String(text.dropFirst())
        guard let version = form.version(in: plain) else { return nil }
        let line = lineStarts.partitioningIndex { $0 > start }
        return VersionPlace(
            file: path, line: line, range: start..<range.upperBound, text: plain, version: version,
            certainty: certainty, form: form)
    }
}

extension [Int] {
    /// The first index whose element fits; all that do come last.
    fileprivate func partitioningIndex(_ fits: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if fits(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
