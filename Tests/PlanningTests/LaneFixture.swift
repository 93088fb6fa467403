import Diagnostics
import LaneModel
import Testing

/// Returns checked lanes of texts by lane name, and records an issue if they have errors.
func checkedLanes(_ files: [String: String], sourceLocation: SourceLocation = #_sourceLocation) -> CheckedLaneFiles {
    let sources = files.sorted { $0.key < $1.key }.map { SourceFile(path: "Lanes/\($0.key).yml", text: $0.value) }
    let checked = LaneFiles.check(sources)
    #expect(DiagnosticText().text(for: checked.diagnostics) == "", sourceLocation: sourceLocation)
    return checked
}
