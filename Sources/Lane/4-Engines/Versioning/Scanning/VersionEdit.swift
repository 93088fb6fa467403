import Actions
import OperatingSystem
import Text

/// A change of the version, and of the date beside it, in all files. If one file cannot be written, the others are
/// restored.
struct VersionEdit {
    let root: String
    let occurrences: [VersionOccurrence]
    /// The date of the release, such as `2026-11-21`.
    let date: String

    /// The change of a file.
    struct Edit {
        let file: String
        fileprivate let path: String
        fileprivate let old: [UInt8]
        fileprivate let new: [UInt8]
        let changes: [Change]
    }

    /// The change of a version or of a date.
    struct Change {
        let line: Int
        let range: Range<Int>
        let old: String
        let new: String
    }

    /// - Returns: The changes.
    func write(_ version: SemanticVersion) throws(OperationFailure) -> [Edit] {
        let edits = try edits(to: version)
        for (index, edit) in edits.enumerated() {
            do throws(FileError) {
                try writeFile(edit.new, to: edit.path)
            } catch {
                throw OperationFailure(
                    status: ExitStatus.cannotWrite.rawValue,
                    ([error] + restore(edits[..<index])).map(\.description).joined(separator: "\n"))
            }
        }
        return edits
    }

    /// Returns the changes in the format of `diff -u`.
    func differences(to version: SemanticVersion) throws(OperationFailure) -> [ForecastDetail] {
        try edits(to: version).map { edit in
            let old = String(decoding: edit.old, as: UTF8.self)
            let new = String(decoding: edit.new, as: UTF8.self)
            return .edit(file: edit.file, difference: UnifiedDiff(from: old, to: new).text(edit.file))
        }
    }

    private func edits(to version: SemanticVersion) throws(OperationFailure) -> [Edit] {
        try VersionOccurrences.byFile(occurrences.sorted()).map { (file, places) throws(OperationFailure) in
            let path = "\(root)/\(file)"
            let old = try convertingFileErrors(of: readFile(path))
            var end = 0
            for place in places {
                guard place.range.lowerBound >= end, place.range.upperBound <= old.count,
                    old[place.range].elementsEqual(place.text.utf8)
                else {
                    throw OperationFailure("\(place.location) was changed meanwhile")
                }
                end = place.range.upperBound
            }
            let changes = changes(of: places, in: old, of: file, to: version)
            var new = old
            for change in changes.reversed() { new.replaceSubrange(change.range, with: Array(change.new.utf8)) }
            return Edit(file: file, path: path, old: old, new: new, changes: changes)
        }
    }

    /// Returns the changes of a file in the order of their ranges.
    private func changes(
        of places: [VersionOccurrence], in bytes: [UInt8], of file: String, to version: SemanticVersion
    ) -> [Change] {
        var changes = places.map {
            Change(line: $0.line, range: $0.range, old: $0.text, new: $0.replacement(for: version) ?? $0.text)
        }
        if let found = ReleaseDate.find(in: bytes, of: file), !found.text.hasPrefix(date),
            !changes.contains(where: { $0.range.overlaps(found.range) })
        {
            changes.append(
                Change(line: found.line, range: found.range, old: found.text, new: found.replacement(for: date)))
        }
        return changes.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Restores files, and returns the errors.
    private func restore(_ edits: ArraySlice<Edit>) -> [FileError] {
        var failures: [FileError] = []
        for edit in edits {
            do throws(FileError) { try writeFile(edit.old, to: edit.path) } catch { failures.append(error) }
        }
        return failures
    }
}

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
        return ReleaseDate(line: lineNumber(of: range.lowerBound, in: bytes), range: range, text: text)
    }

    private static func value(of key: String, in line: Range<Int>, of bytes: [UInt8]) -> Range<Int>? {
        var line = LineText(line, of: bytes, comment: "#")
        guard line.take(key) else { return nil }
        line.skipBlanks()
        return line.value()
    }
}
