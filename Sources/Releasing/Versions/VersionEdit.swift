import Diagnostics
import Files
import LaneRun

/// Writes another version into places: into all of them, or into none.
struct VersionEdit {
    let root: String
    let places: [VersionPlace]

    /// - Returns: The files that were changed.
    func write(_ version: SemanticVersion) throws(StepFailure) -> [String] {
        var edits: [Edit] = []
        let files = Set(places.map(\.file)).sorted()
        for file in files {
            let path = "\(root)/\(file)"
            let old = try onFiles { () throws(FileError) in try readFile(path) }
            var new = old
            var end = old.count
            for place in places.filter({ $0.file == file }).sorted().reversed() {
                guard place.range.upperBound <= end, old[place.range].elementsEqual(place.text.utf8) else {
                    throw StepFailure("\(place.location) changed while versions were looked for")
                }
                let text = place.replacement(for: version) ?? place.text
                new.replaceSubrange(place.range, with: Array(text.utf8))
                end = place.range.lowerBound
            }
            edits.append(Edit(path: path, old: old, new: new))
        }
        for (index, edit) in edits.enumerated() {
            do throws(FileError) {
                try writeFile(edit.new, to: edit.path)
            } catch {
                throw StepFailure(
                    status: ExitStatus.cannotWrite.rawValue,
                    ([error] + putBack(edits[..<index])).map(\.description).joined(separator: "\n"))
            }
        }
        return files
    }

    private struct Edit {
        let path: String
        let old: [UInt8]
        let new: [UInt8]
    }

    /// Undoes edits; gives why any is left.
    private func putBack(_ edits: ArraySlice<Edit>) -> [FileError] {
        var failures: [FileError] = []
        for edit in edits {
            do throws(FileError) { try writeFile(edit.old, to: edit.path) } catch { failures.append(error) }
        }
        return failures
    }
}
