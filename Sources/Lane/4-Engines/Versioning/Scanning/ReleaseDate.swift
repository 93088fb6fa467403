import Text

/// The date of the release in a file that names the version. `bump` changes both together.
struct ReleaseDate {
    /// The line number, starting at 1.
    let line: Int
    /// The range of the date in the file.
    let range: Range<Int>
    /// The date, such as `2026-11-21`, perhaps with a time: `2026-11-21T00:00:00Z`.
    let text: String

    /// Returns the text for another date. A time is the start of its day.
    func replacement(for date: String) -> String { text.utf8.count > 10 ? "\(date)T00:00:00Z" : date }

    /// Returns the date in a file, or `nil` if its format has none, or its value is no date.
    ///
    /// The date of another work has an indentation in `CITATION.cff`.
    static func find(in bytes: [UInt8], of path: String) -> ReleaseDate? {
        let source = VersionSource(path: path, bytes: bytes, names: PackageNames(whole: [], parts: []))
        let values: [Range<Int>] =
            switch source.name {
            case "CITATION.cff": source.lines.compactMap { value(of: "date-released:", in: $0, of: bytes) }
            case "codemeta.json": JSONVersions.strings(bytes).filter { $0.keys == ["dateModified"] }.map(\.range)
            default: []
            }
        guard let range = values.first else { return nil }
        let text = source.text(range)
        let day = String(decoding: text.utf8.prefix(10), as: UTF8.self)
        let date = CalendarDates.replaced(in: day[...], with: "")
        guard date.found, date.text.isEmpty, day.contains("-") else { return nil }
        guard text == day || text.utf8.dropFirst(10).first == UInt8(ascii: "T") else { return nil }
        let line = bytes[..<range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
        return ReleaseDate(line: line, range: range, text: text)
    }

    private static func value(of key: String, in line: Range<Int>, of bytes: [UInt8]) -> Range<Int>? {
        var line = LineText(line, of: bytes, comment: "#")
        guard line.take(key) else { return nil }
        line.skipBlanks()
        return line.value()
    }
}
