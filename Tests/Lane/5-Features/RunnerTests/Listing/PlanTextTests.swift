import Expressions
import LaneFixtures
import LaneModel
import OperatingSystem
import Runner
import TestSupport
import Testing
import Text

@Suite struct PlanTextTests {
    @Test func stepsAreShownWithTheirConditions() throws {
        let file = SourceFile(
            path: "Lanes/demo.yml",
            text: """
                parameters: { quick: { type: bool } }
                steps:
                  - { id: check, run: check it }
                  - { if: "${{ !parameters.quick }}", id: slow, run: check more }
                always:
                  - { id: clean, run: clean up }
                """)
        let checked = LaneFiles.check([file], with: .samples)
        try checked.diagnostics.throwIfErrors()
        let plan = try Planner(checked).plan(lane: "demo", arguments: ["quick": "true"])
        let directory = try TemporaryDirectory()
        let text = PlanText(
            plan: plan, actions: [:], context: EvaluationContext(), root: directory.path, processes: ChildRunner(),
            now: { 0 }, forecast: UpToDateForecast(root: directory.path))
        let lines = text.text(text.rows, style: .plain).split(separator: "\n")
        #expect(lines.count == 5, "\(lines)")
        #expect(lines[0] == "demo: 3 steps")
        #expect(lines[1].hasPrefix("  demo/check"))
        #expect(lines[2] == "  demo/slow   check more (skipped: '!parameters.quick' is false)")
        #expect(lines[3] == "  always, at the end:")
        expectGolden(text.json(text.rows), "plan.json")
    }
}
