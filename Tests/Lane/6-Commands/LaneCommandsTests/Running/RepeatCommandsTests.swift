import Arguments
import Events
import LaneModel
import TestActions
import Testing
import Text

@testable import LaneCommands

@Suite struct RepeatCommandsTests {
    @Test(arguments: [
        ([], ["-v"], "lane test --failed -v", "lane test -v", "lane test -v"),
        (
            [], ["--changed", "-v", "--coverage-threshold", "90"], "lane test --failed -v", "lane test -v",
            "lane test --changed -v --coverage-threshold 90"
        ),
        (
            ["--in", "docker", "--image", "my-image"], ["-v"], "lane test --in docker --image my-image --failed -v",
            "lane test --in docker --image my-image -v", "lane test --in docker --image my-image -v"
        ),
    ])
    func commandsKeepWhatApplies(
        _ container: [String], _ words: [String], _ failed: String, _ tests: String, _ whole: String
    ) throws {
        let files = LaneFiles.check(
            [SourceFile(path: "Lanes/test.yml", text: "steps: [test: {}]\n")], with: [TestAction.schema])
        let commands = RepeatCommands(
            tests: TestRequest(lane: try #require(files.lanes.first), arguments: ParsedArguments(), directory: "/"),
            plan: try Planner(files).plan(lane: "test"), container: container, names: ["test"], words: words)
        let step = StepID("test/test")
        #expect(commands.ofFailedTests()(step) == failed)
        #expect(commands.ofTests()(step) == tests)
        #expect(commands.ofStep()(step) == whole)
    }

    @Test func commandsEnterTheDirectoryOfTheRun() throws {
        let files = LaneFiles.check(
            [SourceFile(path: "Lanes/test.yml", text: "steps: [test: {}]\n")], with: [TestAction.schema])
        let commands = RepeatCommands(
            tests: TestRequest(lane: try #require(files.lanes.first), arguments: ParsedArguments(), directory: "/"),
            plan: try Planner(files).plan(lane: "test"), container: [], program: ["-C", "my pkg"], names: ["test"],
            words: ["-v"])
        #expect(commands.ofFailedTests()(StepID("test/test")) == "lane -C 'my pkg' test --failed -v")
    }
}
