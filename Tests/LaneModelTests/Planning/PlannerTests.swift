import Diagnostics
import LaneModel
import Testing

@Suite struct PlannerTests {
    /// The plan as lines: id, stage when it is not the main one, and what it waits for.
    private func lines(_ plan: Plan) -> [String] {
        plan.steps.map { step in
            let waits = step.dependencies.map { plan.steps[$0].id }
            return step.id + (step.stage == .main ? "" : " (\(step.stage.rawValue))")
                + (waits.isEmpty ? "" : " < " + waits.joined(separator: " "))
        }
    }

    private func plan(_ lane: String, _ arguments: [String: String] = [:], _ files: [String: String]) throws -> Plan {
        let checked = LaneFiles.check(
            files.sorted { $0.key < $1.key }.map { SourceFile(path: "Lanes/\($0.key).yml", text: $0.value) })
        #expect(DiagnosticText().text(for: checked.diagnostics) == "")
        return try Planner(checked).plan(lane: lane, arguments: arguments)
    }

    @Test func stepsFollowEachOther() throws {
        let plan = try plan(
            "a", [:],
            [
                "a": """
                steps:
                  - run: echo 1
                  - parallel:
                      - run: echo 2
                      - lane: b
                      - run: echo 3
                  - lane: b
                  - run: echo 4
                on-failure:
                  - run: echo oh
                always:
                  - run: echo end
                """,
                "b": "steps: [{run: x}, {run: y}]",
            ])
        #expect(
            lines(plan) == [
                "a/run",
                "a/run-2 < a/run",
                "a/b/run < a/run",
                "a/b/run-2 < a/b/run",
                "a/run-3 < a/run",
                "a/b-2/run < a/run-2 a/b/run-2 a/run-3",
                "a/b-2/run-2 < a/b-2/run",
                "a/run-4 < a/b-2/run-2",
                "a/run-5 (on-failure)",
                "a/run-6 (always)",
            ])
    }

    @Test func aNeededLaneRunsOnce() throws {
        let plan = try plan(
            "all", [:],
            [
                "all": "needs: [left, right]\nsteps: [{run: x}]",
                "left": "needs: [base]\nsteps: [{run: x}]",
                "right": "needs: [base]\nsteps: [{run: x}]",
                "base": "steps: [{run: x}]",
            ])
        #expect(
            lines(plan) == [
                "base/run", "left/run < base/run", "right/run < base/run", "all/run < left/run right/run",
            ])
    }

    @Test func builtInLanesPlan() throws {
        let checked = LaneFiles.check(BuiltInLanes.sources)
        #expect(DiagnosticText().text(for: checked.diagnostics) == "")
        let plan = try Planner(checked).plan(lane: "release", arguments: ["version": "0.2.0"])
        #expect(
            plan.steps.map(\.id).map { $0.split(separator: "/")[1] } == [
                "require", "bump", "changelog", "commit", "test", "package", "tag",
            ])
        var context = EvaluationContext()
        context.parameters = Dictionary(plan.groups[0].parameters.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(try plan.steps[1].settings.evaluate(in: context).string("version") == "0.2.0")
    }
}
