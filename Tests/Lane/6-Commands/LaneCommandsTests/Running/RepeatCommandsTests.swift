import Arguments
import Events
import LaneModel
import Runner
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
            plan: try Planner(files).plan([("test", [:])]), container: container, names: ["test"], words: words)
        let step = StepID("test/test")
        #expect(commands.ofFailedTests()?.line(for: step) == failed)
        #expect(commands.ofTests()?.line(for: step) == tests)
        #expect(commands.ofStep().line(for: step) == whole)
    }

    @Test func commandsEnterTheDirectoryOfTheRun() throws {
        let files = LaneFiles.check(
            [SourceFile(path: "Lanes/test.yml", text: "steps: [test: {}]\n")], with: [TestAction.schema])
        let commands = RepeatCommands(
            tests: TestRequest(lane: try #require(files.lanes.first), arguments: ParsedArguments(), directory: "/"),
            plan: try Planner(files).plan([("test", [:])]), container: [], program: ["-C", "my pkg"], names: ["test"],
            words: ["-v"])
        #expect(commands.ofFailedTests()?.line(for: StepID("test/test")) == "lane -C 'my pkg' test --failed -v")
    }

    @Test func commandsNameTheStepOfALaneWithSeveral() throws {
        let text = "steps: [test: {}, {id: part, test: {shard: 1/2}}]\n"
        let files = LaneFiles.check([SourceFile(path: "Lanes/test.yml", text: text)], with: [TestAction.schema])
        let commands = RepeatCommands(
            tests: TestRequest(lane: try #require(files.lanes.first), arguments: ParsedArguments(), directory: "/"),
            plan: try Planner(files).plan([("test", [:])]), container: [], names: ["test"], words: [])
        #expect(commands.ofStep().line(for: StepID("test/part")) == "lane test --step test/part")
        #expect(commands.ofTests()?.line(for: StepID("test/part")) == "lane test --step test/part --shard 1/1")
        #expect(commands.ofTests()?.line(for: StepID("test/test")) == "lane test --step test/test")
    }
}
