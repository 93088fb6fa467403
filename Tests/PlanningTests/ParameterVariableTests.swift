import Diagnostics
import Expressions
import LaneModel
import Planning
import Testing

@Suite("A parameter takes its default from the environment")
struct ParameterVariableTests {
    private static let files = [
        "deploy": """
        parameters:
          target: { type: enum, values: [staging, production], default: staging, env: TARGET }
          count: { type: int, default: 1, env: COUNT }
        steps:
          - run: [deploy, "${{ parameters.target }}", "${{ parameters.count }}"]
          - lane: check
          - lane: check
            parameters: { target: other }
        """,
        "check":
            "parameters: { target: { type: string, default: any, env: TARGET } }\nsteps: [run: [check, \"${{ parameters.target }}\"]]",
    ]

    private func names(_ arguments: [String: String] = [:], _ environment: [String: String]) throws -> [String] {
        let context = EvaluationContext(environment: environment)
        return try Planner(checkedLanes(Self.files)).plan(lane: "deploy", arguments: arguments, context: context)
            .steps.map(\.name)
    }

    @Test func theCommandLineComesFirstThenTheEnvironmentThenTheDefault() throws {
        #expect(try names([:], [:]) == ["deploy staging 1", "check any", "check other"])
        #expect(try names([:], ["TARGET": ""]) == ["deploy staging 1", "check any", "check other"])
        let environment = ["TARGET": "production", "COUNT": "3"]
        #expect(try names([:], environment) == ["deploy production 3", "check production", "check other"])
        #expect(try names(["target": "staging"], environment).first == "deploy staging 3")
    }

    @Test func anInvalidValueNamesTheVariable() {
        #expect {
            try names([:], ["COUNT": "many"])
        } throws: { error in
            (error as? Diagnostics)?.all.map(\.message) == [
                "expected a whole number for 'count', found 'many' in the environment variable COUNT"
            ]
        }
    }

    @Test(arguments: [
        ("{ env: TARGET, required: true }", "'required' has no effect together with 'env'"),
        ("{ env: A-B }", "'A-B' is not a valid name for an environment variable"),
    ])
    func anotherKeyIsReported(keys: String, message: String) {
        let text = "parameters: { target: \(keys) }\nsteps: [run: x]\n"
        let checked = LaneFiles.check([SourceFile(path: "Lanes/a.yml", text: text)])
        #expect(checked.diagnostics.all.map(\.message) == [message])
    }
}
