import Expressions
import LaneFixtures
import LaneModel
import Testing

@Suite struct MissingSecretTests {
    private func missing(
        _ steps: String, environment: [String: String] = [:], only: String? = nil
    ) throws -> [String] {
        let text = "parameters: { up: bool }\nsecrets: [A, B]\n\(steps)\n"
        let context = EvaluationContext(environment: environment)
        let plan = try Planner(checkedLanes(["l": text])).plan(lane: "l", context: context)
        return plan.missingSecrets(in: context, only: only).map { "\($0.name) \($0.step.id)" }
    }

    @Test func eachSecretOfAStepIsReportedOnce() throws {
        let steps = "steps: [{ run: x, secrets: [B, A] }, { run: y, secrets: [A] }, { run: z }]"
        #expect(try missing(steps) == ["A l/run", "B l/run"])
        #expect(try missing(steps, environment: ["A": "1", "B": ""]) == ["B l/run"])
        #expect(try missing(steps, only: "l/run-2") == ["A l/run-2"])
        // A secret that only other lanes or expressions use is not needed.
        #expect(try missing("steps: [run: x]") == [])
    }

    @Test(arguments: [
        ("if: parameters.up", false), ("if: env.A != null", false), ("if: steps.a.x == '1'", true),
        ("if: failure()", true), ("env: { A: given }", false), ("if: platform.os != ''", true),
    ])
    func aFalseConditionExcludesAStep(key: String, isMissing: Bool) throws {
        let steps = "steps: [{ id: a, run: x }, { run: y, secrets: [A], \(key) }]"
        #expect(try missing(steps).isEmpty == !isMissing)
    }

    @Test func hooksCountIfTheyAlwaysRun() throws {
        #expect(try missing("steps: [run: x]\non-failure: [{ run: y, secrets: [A] }]") == [])
        #expect(try missing("steps: [run: x]\nalways: [{ run: y, secrets: [A] }]") == ["A l/run-2"])
    }
}
