import Files
import LaneRun

/// Writes another version into places: into all of them, or into none.
struct VersionEdit {
    let root: String
    let places: [VersionPlace]

    /// - Returns: The files that were changed.
    func write(_ version: SemanticVersion) throws(StepFailure) -> [String] {
        let text = Array(version.description.utf8)
        var edits: [(path: String, old: [UInt8], new: [UInt8])] = []
        let files = Set(places.map(\.file)).sorted()
        for file in files {
            let path = "\(root)/\(file)"
            let old = try onFiles { () throws(FileError) in try readFile(path) }
            var new = old
            for place in places.filter({ $0.file == file }).sorted().reversed() {
                guard place.range.upperBound <= old.count,
                    old[place.range].elementsEqual(place.version.description.utf8)
                else { throw StepFailure("\(place.location) changed while versions were looked for") }
                new.replaceSubrange(place.range, with: text)
            }
            edits.append((path, old, new))
        }
        for (index, edit) in edits.enumerated() {
            do throws(FileError) {
                try writeFile(edit.new, to: edit.path)
            } catch {
                for edit in edits[..<index] { try? writeFile(edit.old, to: edit.path) }
                throw StepFailure(error)
            }
        }
        return files
    }
}
