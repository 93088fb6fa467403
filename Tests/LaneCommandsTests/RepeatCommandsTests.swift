import Arguments
import Diagnostics
import LaneEvents
import LaneModel
import Planning
import Testing

@testable import LaneCommands

@Suite struct RepeatCommandsTests {
    @Test(arguments: [
        ([], "lane test --failed -v", "lane test -v"),
        (
            ["--in", "docker", "--image", "my-image"], "lane test --in docker --image my-image --failed -v",
            "lane test --in docker --image my-image -v"
        ),
    ])
    func commandsNameTheContainer(_ container: [String], _ failed: String, _ tests: String) throws {
        let files = LaneFiles.check([SourceFile(path: "Lanes/test.yml", text: "steps: [test: {}]\n")])
        let commands = RepeatCommands(
            lane: try #require(files.lanes.first), plan: try Planner(files).plan(lane: "test"),
            arguments: ParsedArguments(), container: container, names: ["test"], words: ["-v"])
        let step = StepID("test/test")
        #expect(commands.ofFailedTests()(step) == failed)
        #expect(commands.ofTests()(step) == tests)
        #expect(commands.ofStep()(step) == tests)
    }
}
