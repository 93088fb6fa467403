import LaneModel
import TestSupport
import Testing

@Suite struct PlanGraphTests {
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

    /// Graphviz and Mermaid expand entities in names.
    @Test func namesAreEscapedInGraphs() throws {
        let files = checkedLanes(["a": "steps: [{ run: x, name: \"R&D &#0; \\x01<\\u0085> \\\"q\\\" \\\\n\" }]"])
        let graph = PlanGraph(try Planner(files).plan(lane: "a"))
        #expect(
            graph.dot == """
                digraph lane {
                  rankdir=LR
                  node [shape=box, style=rounded]
                  subgraph cluster_0 {
                    label="a"
                    n0 [label="R&amp;D &amp;#0; <> \\"q\\" \\\\n"]
                  }
                }

                """)
        #expect(
            graph.mermaid == """
                flowchart LR
                  subgraph g0["a"]
                    n0("R#38;D #38;#35;0#59; #60;#62; #34;q#34; \\n")
                  end

                """)
    }
}
