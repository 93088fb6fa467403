import LaneFixtures
import LaneModel
import TestSupport
import Testing
import Text

@testable import LaneCommands
@testable import lane

/// Tests that the lanes of this repository are valid and can be planned.
@Suite struct OwnLanesTests {
    @Test func ownLanesAreValid() throws {
        let names = try entries(of: repositoryRoot + "/Lanes").filter { $0.hasSuffix(".yml") }
        #expect(names.contains("release.yml"))
        let sources = try names.map { name in
            try SourceFile(path: "Lanes/\(name)", bytes: contents(of: "\(repositoryRoot)/Lanes/\(name)"))
        }
        let checked = LaneFiles.check(sources, with: ActionTable.builtIn.schemas)
        #expect(DiagnosticText().text(for: checked.diagnostics) == "")
        for lane in checked.lanes where !lane.isPrivate {
            #expect(try !Planner(checked).plan(lane: lane.name).steps.isEmpty)
        }
    }
}
