import LaneFixtures
import LaneModel
import Testing

/// Tests of lanes that hooks run.
@Suite struct HookLaneTests {
    private func plan(_ lane: String, _ files: [String: String]) throws -> Plan {
        try Planner(checkedLanes(files)).plan(lane: lane, arguments: [:])
    }

    @Test func aLaneInAHookIsPlannedAsAHook() throws {
        let plan = try plan(
            "a",
            [
                "a": """
                steps: [{ run: x }, { lane: b }]
                on-failure: [{ run: x }, { lane: b }, { parallel: [{ run: x }, { lane: b, if: ci.active }] }, { run: x }]
                always: [{ lane: c }]
                """,
                "b": "needs: [c]\nsteps: [{ run: x }, { run: y, timeout: 1h }]\nalways: [{ run: z }]",
                "c": "timeout: 1h\nsteps: [{ run: x }]",
            ])
        #expect(
            lines(plan) == [
                "a/run",
                "a/c/run < a/run", "a/b/run < a/run a/c/run", "a/b/run-2 < a/b/run", "a/b/run-3 (always)",
                "a/run-2 (on-failure)",
                "a/c-2/run < a/run-2", "a/b-2/run < a/run-2 a/c-2/run", "a/b-2/run-2 < a/b-2/run",
                "a/b-2/run-3 (always)",
                "a/run-3 (on-failure) < a/b-2/run-2 a/b-2/run-3",
                "a/c-3/run < a/b-2/run-2 a/b-2/run-3", "a/b-3/run < a/b-2/run-2 a/b-2/run-3 a/c-3/run",
                "a/b-3/run-2 < a/b-3/run",
                "a/b-3/run-3 (always)",
                "a/run-4 (on-failure) < a/run-3 a/b-3/run-2 a/b-3/run-3",
                "a/c-4/run",
            ])
        let bounds = plan.steps.map { "\(plan.stage(of: $0).rawValue) \($0.limits.timeout.map { "\($0)" } ?? "-")" }
        #expect(
            bounds == [
                "main -", "main -", "main -", "main 3600.0 seconds", "always 600.0 seconds",
                "on-failure 600.0 seconds",
                "on-failure -", "on-failure 600.0 seconds", "on-failure 3600.0 seconds", "always 600.0 seconds",
                "on-failure 600.0 seconds",
                "on-failure -", "on-failure 600.0 seconds", "on-failure 3600.0 seconds", "always 600.0 seconds",
                "on-failure 600.0 seconds",
                "always -",
            ])
    }
}
