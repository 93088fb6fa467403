import Expressions
import LaneFixtures
import LaneModel
import Synchronization
import Testing
import Text

/// Tests of `let`, of defaults from commands and of items from files in plans.
@Suite struct LaneValuePlanTests {
    /// The commands that a plan ran.
    private final class Log: Sendable {
        let commands = Mutex<[String]>([])
    }

    private let log = Log()

    private func plan(
        _ files: [String: String], arguments: [String: String] = [:], environment: [String: String] = [:],
        found: [String: [String]] = [:]
    ) throws -> Plan {
        let sources = PlanSources(
            dotEnv: { file, _ throws(Diagnostic) in
                file.path == ".env" ? SourceFile(path: ".env", text: "TARGET=from-file\nNAME=value\n") : nil
            },
            output: { [log] command, settings, environment throws(Diagnostic) in
                log.commands.withLock { $0.append(command.text) }
                if command.text == "fail" { throw Diagnostic(.error, "the command failed", at: command.span) }
                if settings.string("run")?.hasPrefix("show") == true {
                    throw Diagnostic(.error, "not \(settings.variables.map(\.value))", at: command.span)
                }
                return "<\(command.text) \(environment["NAME"] ?? "-")>"
            },
            files: { found[$0] ?? [] })
        return try Planner(checkedLanes(files), sources: sources).plan(
            lane: "main", arguments: arguments, context: EvaluationContext(environment: environment))
    }

    private func names(_ text: String, arguments: [String: String] = [:]) throws -> [String] {
        try plan(["main": text], arguments: arguments).steps.map(\.name)
    }

    private var commands: [String] { log.commands.withLock { $0 } }

    @Test func valuesAreComputedInTheirOrder() throws {
        let text = """
            parameters: { version: { default: "1" } }
            dotenv: .env
            let:
              hash: { run: hash }
              tag: v${{ parameters.version }}-${{ let.hash }}
              unused: { run: fail }
              words: [a, "${{ let.tag }}"]
            env: { TAG: "${{ let.tag }}" }
            steps:
              - run: [echo, "${{ let.tag }}", "${{ join(let.words, '+') }}"]
                name: say ${{ let.tag }}
            """
        let plan = try plan(["main": text], arguments: ["version": "2"])
        #expect(plan.steps.map(\.name) == ["say v2-<hash value>"])
        #expect(plan.groups[0].values.map(\.name) == ["hash", "tag", "words"])
        #expect(plan.groups[0].values[2].value == .list([.string("a"), .string("v2-<hash value>")]))
        #expect(commands == ["hash"])
    }

    @Test func valuesBelongToTheirLane() throws {
        let files = [
            "main": """
            let: { v: { run: outer } }
            steps: [{ lane: inner, parameters: { p: "${{ let.v }}" } }]
            """,
            "inner": """
            parameters: { p: string }
            let: { v: "${{ parameters.p }}!" }
            steps: [run: "echo ${{ let.v }}"]
            """,
        ]
        #expect(try plan(files).steps.map(\.name) == ["echo '<outer ->!'"])
    }

    @Test(arguments: [
        ("steps: [{ run: x, foreach: [a, '${{ env.NONE }}'] }]", "'env.NONE' has no value"),
        (
            "needs: [{ lane: inner, parameters: { p: '${{ env.V }}' } }]\nsteps: []",
            "'env.V' has no value before the lane starts"
        ),
        (
            "needs: [{ lane: inner, parameters: { p: '${{ env.W }}${{ env.V }}' } }]\nsteps: []",
            "'env.V' and 'env.W' have no value before the lane starts"
        ),
    ])
    func variablesWithoutAValueAreErrors(steps: String, message: String) throws {
        let files = [
            "main": "let: { v: 1 }\nenv: { U: '${{ let.v }}', V: '${{ let.v }}', W: '${{ env.V }}' }\n\(steps)",
            "inner": "parameters: { p: string }\nsteps: [{ run: y }]",
        ]
        #expect {
            try plan(files)
        } throws: { error in
            (error as? Diagnostics)?.all.map(\.message) == [message]
        }
    }

    @Test func aSkippedLaneComputesNothing() throws {
        let files = [
            "main": "parameters: { on: bool }\nsteps: [{ lane: inner, if: parameters.on }, { lane: never }]",
            "inner": "let: { v: { run: fail } }\nsteps: [{ lane: leaf, parameters: { p: \"${{ let.v }}\" } }]",
            "never":
                "if: platform.os == ''\nlet: { v: { run: fail } }\nsteps: [{ run: x, foreach: \"${{ let.v }}\" }]",
            "leaf": "parameters: { p: { required: true } }\nsteps: [run: \"x ${{ parameters.p }}\"]",
        ]
        #expect(try plan(files).steps.map(\.name) == ["x ${{ parameters.p }}"])
        #expect(throws: Diagnostics.self) { try plan(files, arguments: ["on": "true"]) }
    }

    @Test func valuesThatInvolveSecretsAreMasked() throws {
        let files = [
            "main": """
            parameters: { password: { secret: true, default: parameter-value } }
            secrets: [TOKEN]
            let:
              header: Bearer ${{ env.TOKEN }}
              twice: ${{ let.header }}!
              vault: { run: vault, secret: true }
              pass: ${{ parameters.password }}?
              plain: x
            steps:
              - run: "${{ let.twice }} ${{ let.vault }} ${{ let.pass }} ${{ let.plain }}"
              - lane: inner
                parameters: { p: "${{ let.twice }}" }
            """,
            "inner": "parameters: { p: string }\nsteps: [run: 'echo ${{ parameters.p }}']",
        ]
        let plan = try plan(files, environment: ["TOKEN": "token-value"])
        #expect(plan.groups[0].hiddenValues == ["header", "twice", "vault", "pass"])
        #expect(
            Set(plan.secretValues(in: ["TOKEN": "token-value"]).map(\.value)) == [
                "token-value", "Bearer token-value", "Bearer token-value!", "<vault ->", "parameter-value",
                "parameter-value?",
            ])
        #expect(
            plan.steps.map(\.name) == [
                "${{ let.twice }} ${{ let.vault }} ${{ let.pass }} x", "echo ${{ parameters.p }}",
            ])
    }

    /// The error of a command may contain a secret, such as an invalid token.
    @Test func theErrorOfACommandContainsNoSecret() throws {
        let text = """
            parameters: { token: { secret: true, default: the-token } }
            let: { v: { run: "show # ${{ parameters.token }}" } }
            steps: [run: "x ${{ let.v }}"]
            """
        let error = #expect(throws: Diagnostics.self) { try plan(["main": text]) }
        #expect(error?.all.map(\.message) == [#"not ["***"]"#])
        let variable = """
            secrets: [TOKEN]
            let: { v: { run: "show # ${{ env.TOKEN }}" } }
            steps: [run: "x ${{ let.v }}"]
            """
        let other = #expect(throws: Diagnostics.self) {
            try plan(["main": variable], environment: ["TOKEN": "token-value"])
        }
        #expect(other?.all.map(\.message) == [#"not ["***"]"#])
    }

    @Test func allValuesOfASecretAreMasked() throws {
        let files = [
            "main": """
            steps:
              - { lane: deploy, parameters: { token: first-token } }
              - { lane: deploy, parameters: { token: second-token } }
              - lane: build
              - lane: test
            """,
            "deploy": """
            parameters:
              token: { secret: true, required: true }
              which: { default: token }
            let: { any: "<${{ parameters[parameters.which] }}>" }
            steps: [run: "x ${{ parameters.token }} ${{ let.any }}"]
            """,
            "build": """
            matrix: { os: [linux, macos] }
            let:
              token: { run: [vault, "${{ matrix.os }}"], secret: true }
              all: [all, "${{ let.token }} ${{ matrix.os }}"]
            parameters: { pass: { default: { run: build-pass, secret: true } } }
            steps: [run: "x ${{ join(let.all, '') }} ${{ parameters.pass }}"]
            """,
            "test": """
            parameters: { pass: { default: { run: test-pass, secret: true } } }
            steps: [run: "x ${{ parameters.pass }}"]
            """,
        ]
        let sources = PlanSources(output: { command, settings, _ throws(Diagnostic) in
            settings.strings("run")?.joined(separator: "-") ?? command.text
        })
        let plan = try Planner(checkedLanes(files), sources: sources).plan(lane: "main")
        let expected: Set = [
            "first-token", "<first-token>", "second-token", "<second-token>", "vault-linux",
            "all", "vault-linux linux", "vault-macos", "vault-macos macos", "build-pass", "test-pass",
        ]
        #expect(Set(plan.secretValues(in: [:]).map(\.value)) == expected)
    }

    @Test func aComputedNameReadsAllValues() throws {
        let text = """
            parameters: { which: { default: b } }
            let: { a: { run: a }, b: { run: b } }
            steps: [run: "x ${{ format('{0}-{1}', let.a, let[parameters.which]) }}"]
            """
        #expect(try names(text) == ["x '<a ->-<b ->'"])
    }

    @Test func aStepMaySetTheVariableOfACondition() throws {
        let inner = """
            parameters: { p: string }
            let: { v: "${{ parameters.p }}!" }
            steps: [{ run: "echo ${{ let.v }} ${{ item }}", foreach: [a, b] }]
            """
        func plan(_ id: String, _ condition: String) throws -> Plan {
            let main =
                "steps: [{ \(id)run: x }, { lane: inner, if: \"\(condition)\", parameters: { p: v } }]"
            return try self.plan(["main": main, "inner": inner])
        }
        for condition in ["env.GO == 'yes'", "env[format('{0}', 'GO')] == 'yes'"] {
            let plan = try plan("id: go, ", condition)
            #expect(plan.steps.map(\.name) == ["x", "echo 'v!' a", "echo 'v!' b"])
            let prediction = PlanConditions(plan: plan, context: EvaluationContext()).prediction(for: plan.steps[1])
            guard case .depends(["\(condition)"]) = prediction else {
                Issue.record("\(prediction)")
                continue
            }
        }
        #expect(try plan("", "env.GO == 'yes'").steps.map(\.name) == ["x"])
        #expect(try plan("id: go, ", "platform.os == ''").steps.map(\.name) == ["x"])
    }

    @Test func aDefaultComesFromDotEnvThenFromItsCommand() throws {
        func text(_ dotenv: String) -> String {
            """
            \(dotenv)parameters:
              target: { env: TARGET, default: { run: target } }
              count: { type: int, default: { run: count } }
            steps: [run: "x ${{ parameters.target }} ${{ parameters.count }}"]
            """
        }
        let arguments = ["count": "3"]
        #expect(try names(text("dotenv: .env\n"), arguments: arguments) == ["x from-file 3"])
        #expect(commands == [])
        #expect(try names(text(""), arguments: arguments) == ["x '<target ->' 3"])
        #expect(try names(text(""), arguments: ["count": "3", "target": "t"]) == ["x t 3"])
        #expect(commands == ["target"])
        #expect {
            try names(text(""))
        } throws: { error in
            (error as? Diagnostics)?.all.map(\.message) == [
                "expected a whole number for 'count', found '<count ->' in the output of its command"
            ]
        }
    }

    @Test func itemsComeFromFilesAndExpressions() throws {
        let text = """
            parameters: { list: { default: "a, b" } }
            let: { lines: { run: "one\\ntwo" } }
            steps:
              - { id: gen, run: "gen ${{ item }}", foreach: { files: ["*.proto", "b.*"] } }
              - { run: "line ${{ item }}", foreach: "${{ let.lines }}" }
              - { run: "none ${{ item }}", foreach: "${{ default(env.NONE, '') }}" }
              - { run: "word ${{ item }}", foreach: ["${{ parameters.list }}", c] }
            """
        let found = ["*.proto": ["a.proto", "b.proto"], "b.*": ["b.c", "b.proto"]]
        let plan = try plan(["main": text], found: found)
        #expect(
            plan.steps.map(\.name) == [
                "gen a.proto", "gen b.proto", "gen b.c", "line '<one'", "line 'two ->'", "word 'a, b'", "word c",
            ])
        #expect(plan.steps[1].id == "main/gen[2]")
        #expect(plan.steps[1].outputKey == "gen")
        #expect { try self.plan(["main": text]) } throws: { error in
            (error as? Diagnostics)?.all.map(\.message) == ["no files match '*.proto'"]
        }
    }
}
