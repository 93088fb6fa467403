import Expressions
import LaneFixtures
import Testing
import Text

@testable import LaneModel

@Suite struct LaneKeyPlanTests {
    private func plan(_ lane: String, _ arguments: [String: String] = [:], _ files: [String: String]) throws -> Plan {
        let sources = PlanSources(dotEnv: { file, _ in SourceFile(path: file.path, text: "") })
        return try Planner(checkedLanes(files), sources: sources).plan(lane: lane, arguments: arguments)
    }

    @Test func keysOfALaneApplyToItsSteps() throws {
        let plan = try plan(
            "l", [:],
            [
                "l": """
                include: _common.yml
                env: { B: lane, C: "1" }
                retry: { times: 2, backoff: 1s, statuses: [75] }
                timeout: 1h
                secrets: [OWN]
                dotenv: [.env, { path: .env.local, optional: true }]
                if: env.CI == 'true'
                steps:
                  - run: x
                    env: { C: step }
                    timeout: 90s
                  - retry: 0
                    continue-on-error: true
                    interactive: true
                    inputs: Sources/**
                    name: Second
                    run: y
                  - lane: inner
                    if: env.X == 'y'
                    timeout: 10m
                """,
                "_common": "env: { A: common, B: common }\nsecrets: [SHARED]\nalways: [{ run: clean }]",
                "inner": "timeout: 20m\nif: success()\nsteps: [{ run: z }]",
            ])
        let (first, second) = (plan.steps[0], plan.steps[1])
        #expect(
            first.task.environment.map { "\($0.name)=\($0.value.text)" } == [
                "A=common", "B=common", "B=lane", "C=1", "C=step",
            ])
        #expect(first.limits.retry == Retry(times: 2, backoff: .seconds(1), statuses: [75]))
        #expect(first.limits.timeout == .seconds(90) && second.limits.timeout == nil)
        #expect(second.limits.retry == Retry(times: 0) && second.limits.continuesOnError && second.task.isInteractive)
        #expect(second.files.inputs.map(\.text) == ["Sources/**"] && second.name == "Second")
        #expect(plan.secrets == ["SHARED", "OWN"])
        #expect(plan.groups[0].timeout == .seconds(3600) && plan.groups[1].timeout == .seconds(600))
        #expect(plan.groups[0].condition?.text == "env.CI == 'true'")
        #expect(plan.groups[0].dotenv.map { "\($0.path) \($0.isOptional)" } == [".env false", ".env.local true"])
        #expect(
            plan.groups[1].condition?.text == "success()" && plan.groups[1].callCondition?.text == "env.X == 'y'")
        #expect(plan.steps.last?.schedule.stage == .always)
    }

    /// The value can be one text, with or without an expression, in place of a list.
    @Test func inputsAndOutputsCanBeOneText() throws {
        let lane = """
            parameters: { directory: { default: a } }
            steps:
              - run: x
                inputs: ${{ parameters.directory }}/**
                outputs: ${{ parameters.directory }}.txt
              - run: y
                inputs: [b, { path: c, optional: true }]
              - run: z
                inputs: { path: d, optional: true }
            """
        let files = try plan("l", [:], ["l": lane]).steps.map(\.files)
        #expect(files[0].inputs.map(\.text) == ["${{ parameters.directory }}/**"])
        #expect(files[0].outputs.map(\.text) == ["${{ parameters.directory }}.txt"])
        #expect(files[1].inputs.map(\.text) == ["b", "c"] && files[1].optionalInputs == [1])
        #expect(files[2].inputs.map(\.text) == ["d"] && files[2].optionalInputs == [0])
    }

    @Test func builtInLanesPlan() throws {
        let checked = LaneFiles.check(BuiltInLanes.sources, with: .samples)
        #expect(DiagnosticText().text(for: checked.diagnostics) == "")
        for lane in checked.lanes { _ = try Planner(checked).plan(lane: lane.name) }
        let plan = try Planner(checked).plan(lane: "release", arguments: ["version": "0.2.0"])
        #expect(
            plan.steps.map(\.key) == [
                "require", "require-2", "bump", "changelog", "commit", "test", "pull-request", "package", "tag",
                "publish",
            ])
        var context = EvaluationContext()
        context.parameters = ["version": .string("0.2.0")]
        #expect(try plan.steps[2].task.settings.evaluate(in: context).string("version") == "0.2.0")
        context.parameters = ["version": .null]
        #expect(try plan.steps[2].task.settings.evaluate(in: context)["version"] == nil)
    }
}
