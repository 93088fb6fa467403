import Arguments
import Diagnostics
import Processes
import TestSupport
import Testing

@testable import LaneCommands

@Suite struct PlanTests {
    @Test func aPlanShowsValuesAndWhatIsSkipped() throws {
        let outcome = try Session(["Lanes/release.yml": Session.release]).run("release", "1.2.3", "--plan")
        #expect(outcome.status == .done)
        #expect(outcome.output.contains("echo 1.2.3"))
        #expect(
            outcome.output.contains("(skipped: '${{ parameters.publish }}' is false)")
                || outcome.output.contains("(skipped:"))
        let json = try Session(["Lanes/release.yml": Session.release]).run("release", "1.2.3", "--plan", "--json")
        #expect(json.output.contains("\"lane\": \"release\""))
    }

    @Test func aPlanKnowsTheConditionsOfLanesAndOfWhatCallsThem() throws {
        var session = try Session([
            "Lanes/c.yml": """
            if: env.RUNC == 'yes'
            parameters: { x: { type: int, default: 1 } }
            steps:
              - lane: leaf
                if: parameters.x == 2
              - run: [echo, late]
                if: failure()
              - id: first
                run: [echo, first]
              - lane: leaf
                if: steps.first.kind == 'good'
            """,
            "Lanes/leaf.yml": "steps: [run: [echo, leaf]]",
        ])
        let skipped = try session.run("c", "--plan").output
        #expect(
            skipped.split(separator: "\n").dropFirst().allSatisfy {
                $0.hasSuffix("(skipped: 'env.RUNC == 'yes'' of lane 'c' is false)")
            }, "\(skipped)")
        session.environment["RUNC"] = "yes"
        let plan = try session.run("c", "--plan").output
        #expect(
            plan == """
                c: 4 steps
                  c/leaf/run    echo leaf (skipped: 'parameters.x == 2' is false)
                  c/run         echo late (if failure())
                  c/first       echo first
                  c/leaf-2/run  echo leaf (if steps.first.kind == 'good')

                """)
        let json = try session.run("c", "--plan", "--json", "--x", "2").output
        #expect(!json.contains("is false") && json.contains("\"note\": \"if failure()\""), "\(json)")
    }

    @Test func aPlanKnowsTheVariablesOfItsLane() throws {
        let text =
            "env: { SITE: build/site }\nsteps:\n  - run: [ls, \"${{ env.SITE }}/${{ env.PART }}\"]\n    env: { PART: \"a${{ env.SITE }}\" }\n"
        let outcome = try Session(["Lanes/x.yml": text]).run("x", "--plan")
        #expect(outcome.output.contains("ls build/site/abuild/site"), "\(outcome.output)")
    }

    @Test func aScriptOfSeveralLinesKeepsThePlansColumns() throws {
        let text = "steps:\n  - run: |\n      echo one\n      echo two\n    if: ci.name == 'none'\n  - run: [date]\n"
        let plan = try Session(["Lanes/x.yml": text]).run("x", "--plan").output
        #expect(
            plan.split(separator: "\n").dropFirst().allSatisfy {
                $0.hasPrefix("  x/run") || $0.hasPrefix("           ")
            })
        #expect(plan.contains("  echo one\n") && plan.contains("\n           echo two"), "\(plan)")
    }
}
