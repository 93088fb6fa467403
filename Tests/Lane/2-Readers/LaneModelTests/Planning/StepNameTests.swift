import Expressions
import LaneFixtures
import LaneModel
import Testing
import Text

/// Tests of the names of steps in the output.
@Suite struct StepNameTests {
    private func names(
        _ lane: String, _ arguments: [String: String] = [:], environment: [String: String] = [:],
        in files: [String: String]
    ) throws -> [String] {
        let context = EvaluationContext(environment: environment)
        return try Planner(checkedLanes(files)).plan(lane: lane, arguments: arguments, context: context).steps.map(
            \.name)
    }

    @Test func combinationsHaveUniqueNames() throws {
        let names = try names(
            "m",
            in: [
                "m": """
                matrix: { os: [a, b], n: [1] }
                needs: [first]
                steps:
                  - { name: build it, run: x }
                  - test: {}
                  - lane: inner
                on-failure: [{ run: "echo ${{ matrix.os }}" }]
                """,
                "first": "steps: [{ run: once }]",
                "inner": "matrix: { k: [c] }\nsteps: [{ run: deep }]",
            ])
        #expect(
            names == [
                "once",
                "build it (os: a, n: 1)", "test (os: a, n: 1)", "deep (os: a, n: 1, k: c)", "echo a (os: a, n: 1)",
                "build it (os: b, n: 1)", "test (os: b, n: 1)", "deep (os: b, n: 1, k: c)", "echo b (os: b, n: 1)",
            ])
    }

    @Test func namesMayHaveExpressions() throws {
        let lane = """
            parameters: { to: string, none: string }
            matrix: { n: [1, 2] }
            steps:
              - { name: "to ${{ parameters.to }} ${{ matrix.n }}", run: x }
              - { name: "${{ default(parameters.none, 'nobody') }}", run: x }
            """
        let names = try names("l", ["to": "us"], in: ["l": lane])
        #expect(names == ["to us 1 (n: 1)", "nobody (n: 1)", "to us 2 (n: 2)", "nobody (n: 2)"])
        let secret = try self.names(
            "l", ["to": "sesame"], environment: ["TOKEN": "sesame"], in: ["l": "secrets: [TOKEN]\n" + lane])
        #expect(secret[0] == "to ${{ parameters.to }} 1 (n: 1)")
        for context in ["steps.a.b", "env.HOME", "git.branch", "ci.name"] {
            let text = "steps:\n  - { id: a, run: x }\n  - { name: \"on ${{ \(context) }}\", run: x }\n"
            let found = LaneFiles.check([SourceFile(path: "Lanes/l.yml", text: text)], with: .samples).diagnostics.all
            #expect(found.first?.message.hasSuffix("is not available here") == true, "\(found)")
        }
    }

    @Test func headlinesContainKnownValues() throws {
        let names = try names(
            "l", ["x": "va lue"],
            in: [
                "l": """
                parameters: { x: string, none: string }
                steps:
                  - id: first
                    run: echo ${{ parameters.x }} and ${{ default(parameters.none, 'nothing') }}
                  - run: [echo, "${{ parameters.none }}", "${{ steps.first.y }}", "${{ env.HOME }}", "${{ git.branch }}"]
                  - run: echo ${{ parameters.x == 'a' }} ${{ failure() }}
                """
            ])
        #expect(
            names == [
                "echo 'va lue' and nothing",
                "echo ${{ parameters.none }} ${{ steps.first.y }} ${{ env.HOME }} ${{ git.branch }}",
                "echo false ${{ failure() }}",
            ])
    }

    /// A name shows the words that the shell reads, as `set -x` does.
    @Test func valuesInScriptsAreQuoted() throws {
        let files = [
            "l": """
            parameters: { x: string, n: { type: string, default: '' } }
            steps:
              - { id: first, run: x }
              - run: echo ${{ parameters.x }} "${{ parameters.x }}" --name='${{ parameters.x }}' ${{ parameters.n }}
              - run: echo ${{ steps.first.y }} "${{ steps.first.y }}" "and ${{ steps.first.y }}"
              - run: [echo, "${{ parameters.x }}", "${{ steps.first.y }}"]
              - name: to ${{ parameters.x }}
                run: x
            """
        ]
        let context = EvaluationContext()
        let plan = try Planner(checkedLanes(files)).plan(lane: "l", arguments: ["x": "a b"], context: context)
        var later = context
        later.steps["first"] = ["y": .string("it's $HOME")]
        #expect(
            plan.steps.map { $0.name(in: later) } == [
                "x", "echo 'a b' 'a b' --name='''a b''' ''", #"echo 'it'\''s $HOME' 'it'\''s $HOME' "and it's \$HOME""#,
                #"echo 'a b' 'it'\''s $HOME'"#, "to a b",
            ])
    }

    @Test func possibleSecretsAreHidden() throws {
        let inner = """
            parameters: { token: string, plain: { type: string, default: p }, more: string }
            steps:
              - run: echo ${{ parameters.token }} ${{ parameters.plain }} ${{ default(parameters.token, 'x') }}
              - run: "${{ default(parameters, 1)['token'] }}"
              - lane: leaf
                parameters: { same: "${{ parameters.token }}!", other: "x" }
            """
        let files = [
            "l": "steps: [{ lane: inner, parameters: { token: \"${{ env.TOKEN }}\" } }]",
            "inner": inner,
            "leaf":
                "parameters: { same: string, other: string }\nsteps: [{ run: \"${{ parameters.same }} ${{ parameters.other }}\" }]",
        ]
        #expect(
            try names("l", environment: ["TOKEN": "hunter2"], in: files) == [
                "echo ${{ parameters.token }} p ${{ default(parameters.token, 'x') }}",
                "${{ default(parameters, 1)['token'] }}",
                "${{ parameters.same }} x",
            ])
        let typed =
            "secrets: [TOKEN]\nparameters: { t: string, u: string }\nsteps: [{ run: \"${{ parameters.t }} ${{ parameters.u }}\" }]"
        #expect(
            try names("l", ["t": "is:2", "u": "3"], environment: ["TOKEN": "2"], in: ["l": typed]) == [
                "${{ parameters.t }} 3"
            ])
    }
}
