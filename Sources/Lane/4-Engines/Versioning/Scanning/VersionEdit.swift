import Actions
import OperatingSystem
import Text

/// A change of the version in all files. If one file cannot be written, the others are restored.
struct VersionEdit {
    let root: String
    let occurrences: [VersionOccurrence]

    /// - Returns: The changed files.
    func write(_ version: SemanticVersion) throws(OperationFailure) -> [String] {
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
        return edits.map(\.file)
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
        var edits: [Edit] = []
        for file in Set(occurrences.map(\.file)).sorted() {
            let path = "\(root)/\(file)"
            let old = try convertingFileErrors { () throws(FileError) in try readFile(path) }
            var new = old
            var end = old.count
            for occurrence in occurrences.filter({ $0.file == file }).sorted().reversed() {
                guard occurrence.range.upperBound <= end, old[occurrence.range].elementsEqual(occurrence.text.utf8)
                else {
                    throw OperationFailure("\(occurrence.location) was changed meanwhile")
                }
                let text = occurrence.replacement(for: version) ?? occurrence.text
                new.replaceSubrange(occurrence.range, with: Array(text.utf8))
                end = occurrence.range.lowerBound
            }
            edits.append(Edit(file: file, path: path, old: old, new: new))
        }
        return edits
    }

    private struct Edit {
        let file: String
        let path: String
        let old: [UInt8]
        let new: [UInt8]
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
