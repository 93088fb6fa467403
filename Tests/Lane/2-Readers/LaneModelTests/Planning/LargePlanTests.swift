import LaneFixtures
import LaneModel
import Testing
import Text

/// Plans whose size would overflow the stack of a recursive function.
@Suite struct LargePlanTests {
    @Test func aChainOfTenThousandLanes() throws {
        var files: [String: String] = [:]
        for index in 0..<10_000 {
            files["l\(index)"] = (index > 0 ? "needs: l\(index - 1)\n" : "") + "steps: [{ run: x }]"
        }
        let plan = try Planner(checkedLanes(files)).plan(lane: "l9999")
        #expect(plan.steps.count == 10_000)
        #expect(plan.steps.indices.dropFirst().allSatisfy { plan.steps[$0].schedule.dependencies == [$0 - 1] })
    }

    @Test func aLaneOfTenThousandSteps() throws {
        let steps = String(repeating: "  - run: x\n", count: 10_000)
        let plan = try Planner(checkedLanes(["l": "steps:\n" + steps])).plan(lane: "l")
        #expect(plan.steps.last?.id == "l/run-10000")
        #expect(plan.steps.last?.schedule.dependencies == [9998])
    }

    @Test func tooLargePlansAreRejected() {
        var files = ["l0": "steps: [{ run: x }]"]
        for index in 1...40 { files["l\(index)"] = "steps: [{ lane: l\(index - 1) }, { lane: l\(index - 1) }]" }
        #expect { try Planner(checkedLanes(files), maximumSteps: 1000).plan(lane: "l40") } throws: {
            ($0 as? Diagnostics)?.all.first?.message == "the plan has more than 1000 steps"
        }
    }

    @Test func nestingOfLanesIsLimited() {
        var files = ["l0": "steps: [{ run: x }]"]
        for index in 1...100 { files["l\(index)"] = "steps: [{ lane: l\(index - 1) }]" }
        #expect { try Planner(checkedLanes(files)).plan(lane: "l100") } throws: {
            ($0 as? Diagnostics)?.all.first?.message == "lanes run lanes more than 64 levels deep"
        }
    }
}
