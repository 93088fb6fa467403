import Diagnostics
import JSON
import LaneModel
import TestSupport
import Testing

@Suite struct DescriptionGoldenTests {
    @Test func schemaMatchesGolden() throws {
        let text = LaneSchema.json()
        let schema = try JSONParser.parse(text)
        for key in LaneKeys.lane { #expect(schema["properties"]?[key.name] != nil) }
        for action in ActionSchema.builtIn {
            let description = schema["definitions"]?["step"]?["properties"]?[action.name]
            #expect(description?["description"]?.string == action.summary)
            let settings = description?["anyOf"]?.array?.first?["properties"]
            for setting in action.settings { #expect(settings?[setting.name]?["description"]?.string == setting.help) }
        }
        expectGolden(text, "schema.json")
    }

    @Test func graphsMatchGolden() throws {
        let files = checkedLanes([
            "all": "needs: [test, lint]\nsteps:\n  - run: echo \"done\" <now>\n    if: success()\n",
            "test": "steps: [{ build: {} }, { parallel: [{ run: a }, { lane: lint }] }]",
            "lint": "private: true\nsteps: [{ run: [lint, x] }]",
        ])
        let plan = PlanGraph(try Planner(files).plan(lane: "all"))
        let lanes = PlanGraph(files)
        expectGolden([plan.dot, plan.mermaid, lanes.dot, lanes.mermaid].joined(separator: "\n"), "graphs.txt")
    }

    @Test func stepsOfLanesWithAConditionAreDashed() throws {
        let files = checkedLanes([
            "a": "steps: [{ run: x }, { lane: b, if: env.CI == 'true' }, { lane: c }]",
            "b": "steps: [{ lane: d }]", "c": "if: env.CI == 'true'\nsteps: [{ run: z }]", "d": "steps: [{ run: y }]",
        ])
        let graph = PlanGraph(try Planner(files).plan(lane: "a")).mermaid
        #expect(graph.hasSuffix("  class n1,n2 dashed\n"), "\(graph)")
    }

    /// Graphviz expands entities in names, and so does Mermaid.
    @Test func namesAreEscapedInGraphs() throws {
        let files = checkedLanes(["a": "steps: [{ run: x, name: \"R&D &#0; \\x01<\\u0085> \\\"q\\\" \\\\n\" }]"])
        let graph = PlanGraph(try Planner(files).plan(lane: "a"))
        #expect(graph.dot.contains(#"label="R&amp;D &amp;#0; <> \"q\" \\n""#), "\(graph.dot)")
        #expect(graph.mermaid.contains(##""R#38;D #38;#35;0#59; #60;#62; #34;q#34; \n""##), "\(graph.mermaid)")
    }

    @Test func descriptionsAreOneSentence() {
        let settings = ActionSchema.builtIn.flatMap(\.settings) + LaneKeys.lane + LaneKeys.step + LaneKeys.parameter
        let sentences = settings.map(\.help) + ActionSchema.builtIn.map(\.summary)
        for sentence in sentences {
            #expect(sentence.first?.isUppercase == true && !sentence.hasSuffix("."), "\(sentence)")
        }
        for action in ActionSchema.builtIn {
            #expect(Set(action.settings.map(\.name)).count == action.settings.count)
            #expect(action.shorthand.map { action.setting($0) != nil } ?? true)
        }
    }
}
