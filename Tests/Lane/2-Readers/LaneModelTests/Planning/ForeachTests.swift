import Expressions
import LaneFixtures
import LaneModel
import Testing

@Suite struct ForeachTests {
    @Test func itemsBecomeStepsOneAfterAnother() throws {
        let plan = try Planner(
            checkedLanes([
                "main": """
                steps:
                  - run: lint ${{ item }}
                    foreach: [a, b]
                  - test: {}
                    name: test it
                    env: { X: "${{ item }}" }
                    foreach: c
                  - parallel:
                      - run: [build, "${{ format('{0}.o', item) }}"]
                        foreach: [1, 2]
                      - run: rest
                  - lane: deploy
                    parameters: { to: "${{ item }}" }
                    foreach: [x, y]
                always:
                  - { run: "rm ${{ item }}", foreach: [p, q] }
                """,
                "deploy": "parameters: { to: { required: true } }\nsteps: [{ run: \"up ${{ parameters.to }}\" }]",
            ])
        ).plan(lane: "main")
        #expect(
            plan.steps.map(\.name) == [
                "lint a", "lint b", "test it (c)", "build 1.o", "build 2.o", "rest", "up x", "up y", "rm p",
                "rm q",
            ])
        #expect(
            lines(plan).prefix(6) == [
                "main/run", "main/run-2 < main/run", "main/test < main/run-2", "main/run-3 < main/test",
                "main/run-4 < main/test", "main/run-5 < main/test",
            ])
        #expect(plan.steps[6].schedule.dependencies == [3, 4, 5])
    }

    @Test func anItemSelectsSteps() throws {
        let plan = try Planner(
            checkedLanes(["main": "steps: [{ run: x, foreach: [a, b], if: item == 'b', name: \"do ${{ item }}\" }]"])
        ).plan(lane: "main")
        #expect(plan.steps.map(\.name) == ["do a", "do b"])
        let holds = try plan.steps.map { try $0.schedule.condition?.isTrue(in: .init()) }
        #expect(holds == [false, true])
    }
}
