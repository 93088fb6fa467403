import Expressions
import LaneFixtures
import LaneModel
import Testing
import Text

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

    @Test func theCommandLineOverridesTheEnvironmentAndTheDefault() throws {
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

    @Test(arguments: [("1", true), ("yes", true), ("TRUE", true), ("0", false), ("No", false), ("false", false)])
    func aVariableIsTrueOrFalseInTheWordsOfAPrompt(text: String, value: Bool) throws {
        let lanes = checkedLanes([
            "up": "parameters: { dry: { type: bool, env: DRY } }\nsteps: [run: [up, \"${{ parameters.dry }}\"]]"
        ])
        let context = EvaluationContext(environment: ["DRY": text])
        #expect(try Planner(lanes).plan(lane: "up", context: context).steps.map(\.name) == ["up \(value)"])
        #expect(throws: Diagnostics.self) {
            try Planner(lanes).plan(lane: "up", context: EvaluationContext(environment: ["DRY": "2"]))
        }
    }

    @Test func aRequiredValueMayComeFromTheEnvironment() throws {
        let lanes = checkedLanes([
            "up":
                "parameters: { token: { env: TOKEN, required: true } }\nsteps: [run: [up, \"${{ parameters.token }}\"]]",
            "all": "steps: [lane: up]",
            "deploy": "needs: [up]\nsteps: [run: deploy]",
        ])
        func names(_ lane: String, _ arguments: [String: String] = [:], _ environment: [String: String] = [:]) throws
            -> [String]
        {
            let context = EvaluationContext(environment: environment)
            return try Planner(lanes).plan(lane: lane, arguments: arguments, context: context).steps.map(\.name)
        }
        #expect(try names("up", ["token": "a"]) == ["up a"])
        #expect(try names("up", [:], ["TOKEN": "b"]) == ["up b"])
        #expect(try names("all", [:], ["TOKEN": "b"]) == ["up b"])
        #expect(try names("deploy", [:], ["TOKEN": "b"]) == ["up b", "deploy"])
        for (lane, hint) in [
            ("up", "use '--token', or set TOKEN"), ("all", "add 'parameters: { token: … }', or set TOKEN"),
            ("deploy", "add 'parameters: { token: … }', or set TOKEN"),
        ] {
            let error = try #require(throws: Diagnostics.self) { try names(lane, [:], ["TOKEN": ""]) }
            #expect(error.all.map(\.message) == ["lane 'up' needs a value for 'token'"])
            #expect(error.all.map(\.hint) == [hint])
        }
    }

    @Test func valuesOfThePackageReachTheStepsBeforeAll() throws {
        let lanes = checkedLanes([
            "_package":
                "parameters: { who: { required: true } }\nbefore-all: [run: [greet, \"${{ parameters.who }}\"]]",
            "a": "steps: [run: [a, \"${{ parameters.who }}\"]]",
            "b": "steps: [run: [b, \"${{ parameters.who }}\"]]",
        ])
        let requests = [("a", ["who": ["first"]]), ("b", ["who": ["second"]])].map { (lane: $0, arguments: $1) }
        #expect(try Planner(lanes).plan(requests).steps.map(\.name) == ["greet first", "a first", "b second"])
    }

    @Test func aListOfValuesReachesAnotherLane() throws {
        let lanes = checkedLanes([
            "a":
                "parameters: { files: { variadic: true, required: true } }\nsteps: [run: [a, \"${{ parameters.files }}\"]]",
            "b": """
            parameters: { all: { variadic: true } }
            steps:
              - { lane: a, parameters: { files: [x, y z] } }
              - { lane: a, parameters: { files: "${{ parameters.all }}" } }
            """,
        ])
        let plan = try Planner(lanes).plan([("b", ["all": ["1", "2 3"]])])
        #expect(plan.steps.map(\.name) == ["a x 'y z'", "a 1 '2 3'"])
        let error = try #require(throws: Diagnostics.self) { try Planner(lanes).plan(lane: "a") }
        #expect(error.all.map(\.message) == ["lane 'a' needs a value for 'files'"])
    }

    @Test(arguments: [
        ("{ default: x, required: true }", "'required' has no effect together with 'default'"),
        ("{ variadic: true, env: A }", "a variadic parameter cannot have 'env'"),
        ("{ variadic: true, secret: true }", "a variadic parameter cannot have 'secret'"),
        ("{ variadic: true, default: { run: ls } }", "a variadic parameter cannot have 'default: { run: … }'"),
        ("{ variadic: true, type: bool }", "a flag cannot be variadic"),
        ("{ variadic: true, type: int, default: [1, x] }", "expected a whole number, found the string 'x'"),
        (
            "{ variadic: true, position: 1 }\n  other: { position: 2 }",
            "'other' follows 'target', which takes all remaining words"
        ),
        ("{ env: A-B }", "'A-B' is not a valid name for an environment variable"),
    ])
    func anotherKeyIsReported(keys: String, message: String) {
        let text = "parameters:\n  target: \(keys)\nsteps: [run: x]\n"
        let checked = LaneFiles.check([SourceFile(path: "Lanes/a.yml", text: text)], with: .samples)
        #expect(checked.diagnostics.all.map(\.message) == [message])
    }
}
