import LaneFixtures
import LaneModel
import TestSupport
import Testing
import Text

/// Returns lane files for texts by lane name.
func laneSources(_ files: [String: String]) -> [SourceFile] {
    files.sorted { $0.key < $1.key }.map { SourceFile(path: "Lanes/\($0.key).yml", text: $0.value) }
}

/// Returns checked lanes, and records an issue if they have errors.
func checkedLanes(_ files: [String: String], sourceLocation: SourceLocation = #_sourceLocation) -> CheckedLaneFiles {
    let checked = LaneFiles.check(laneSources(files), with: .samples)
    #expect(DiagnosticText().text(for: checked.diagnostics) == "", sourceLocation: sourceLocation)
    return checked
}

/// Checks a lane file in which the location of each expected error is marked.
func expectFindings(
    _ marked: String, _ messages: [String], beside others: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let expected = MarkedText(marked)
    var files = others
    files["lane"] = expected.text
    let found = LaneFiles.check(laneSources(files), with: .samples).diagnostics.all
        .filter { $0.span?.file.path == "Lanes/lane.yml" }
        .sorted { ($0.span?.range.lowerBound ?? 0) < ($1.span?.range.lowerBound ?? 0) }
    let ranges = found.compactMap { $0.span?.range }
    #expect(found.map(\.message) == messages, sourceLocation: sourceLocation)
    #expect(ranges == expected.ranges, "\(expected.marked(ranges))", sourceLocation: sourceLocation)
}
