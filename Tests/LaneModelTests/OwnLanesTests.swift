import Diagnostics
import JSON
import LaneModel
import TestSupport
import Testing

/// The lanes of this repository are right, and each can be planned.
@Suite struct OwnLanesTests {
    @Test func ourLanesAreRight() throws {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let names = try entries(of: root + "/Lanes").filter { $0.hasSuffix(".yml") }
        #expect(names.contains("release.yml"))
        let sources = try names.map { try SourceFile(path: "Lanes/\($0)", bytes: contents(of: "\(root)/Lanes/\($0)")) }
        let checked = LaneFiles.check(sources)
        #expect(DiagnosticText().text(for: checked.diagnostics) == "")
        for lane in checked.lanes where !lane.isPrivate {
            #expect(try !Planner(checked).plan(lane: lane.name).steps.isEmpty)
        }
    }
}
