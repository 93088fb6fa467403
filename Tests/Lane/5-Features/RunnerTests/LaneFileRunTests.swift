import Actions
import Events
import Expressions
import LaneFixtures
import LaneModel
import OperatingSystem
import Runner
import StepActions
import TestSupport
import Testing
import Text

/// Tests of complete runs, from the text of lane files to the output of steps.
@Suite struct LaneFileRunTests {
    private func run(
        _ files: [String: String], _ arguments: [String: String] = [:], lanes: [String] = ["main"],
        dotenv: [String: String] = [:], environment: [String: String] = [:], jobs: Int = 1,
        keepsGoing: Bool = false
    ) throws -> Recorder {
        let sources = files.sorted { $0.key < $1.key }
            .map { SourceFile(path: "Lanes/\($0.key).yml", text: $0.value) }
        let environment = environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }
        let read: PlanSources.DotEnv = { file, _ in dotenv[file.path].map { SourceFile(path: file.path, text: $0) } }
        let planner = Planner(LaneFiles.check(sources, with: .samples), sources: PlanSources(dotEnv: read))
        let plan = try planner.plan(
            lanes.map { ($0, arguments.mapValues { [$0] }) }, context: EvaluationContext(environment: environment))
        let recorder = Recorder()
        let runner = LaneRunner(
            plan: plan, actions: ["run": RunAction()],
            in: RunEnvironment(
                root: "/", variables: environment, processes: ChildRunner(), cancellation: Cancellation(),
                now: { 0 }),
            events: EventStream(elapsed: { .zero }, receivers: [recorder]),
            options: RunOptions(
                jobs: jobs, failurePolicy: keepsGoing ? .keepGoing : .stop, grace: .seconds(5)))
        _ = runner.run()
        return recorder
    }

    @Test(arguments: [("true", "needed inner last\n"), ("false", "last\n")])
    func theConditionOfALaneStepReadsTheOuterLane(_ test: String, _ output: String) throws {
        let record = try run(
            [
                "main": """
                parameters: { test: bool }
                steps:
                  - lane: inner
                    if: parameters.test
                  - run: echo last
                """,
                "inner":
                    "parameters: { test: { type: bool, default: true } }\nneeds: needed\nsteps: [{ run: printf 'inner ' }]",
                "needed": "steps: [{ run: printf 'needed ' }]",
            ], ["test": test])
        #expect(record.output == output)
    }

    /// Conditions, arguments and items see the variables that steps see.
    @Test func variablesOfALaneAreTheSameEverywhere() throws {
        let record = try run(
            [
                "main": """
                needs: [{ lane: inner, parameters: { p: "${{ env.M2 }}" } }]
                dotenv: [.env]
                env: { M2: "${{ env.MODE }}-2" }
                steps:
                  - lane: inner
                    if: env.MODE == 'fast' && env.M2 == 'fast-2'
                    parameters: { p: "${{ env.MODE }}" }
                  - { lane: inner, if: env.M2 != 'fast-2' }
                  - lane: inner
                    foreach: ["${{ env.M2 }}", "${{ env.MODE }}"]
                    parameters: { p: "item ${{ item }}" }
                  - parallel: [run: printf "$M2"]
                    if: env.M2 == 'fast-2'
                """,
                "inner": """
                if: env.OWN == 'own'
                env: { OWN: own }
                parameters: { p: string }
                steps: [{ run: "printf '%s, ' ${{ parameters.p }}" }]
                """,
            ], dotenv: [".env": "MODE=fast\n"])
        #expect(record.output == "fast-2, fast, item fast-2, item fast, fast-2")
    }

    @Test func outputsOfCombinationsWithAnyValuesAreFound() throws {
        let record = try run([
            "main": """
            matrix: { v: ["é", "日本語", "a/b", "x\\n\\ey", "]"] }
            steps:
              - id: s
                run: echo "o=1" >> "$LANE_OUTPUT"
              - run: printf %s ${{ steps.s.o }}
            """
        ])
        #expect(record.output == "11111")
    }

    /// With `--keep-going`, the next steps and lanes run unless they need those that failed.
    @Test(arguments: [
        ("steps: [run: exit 1, run: echo b, { run: echo c, if: success() }, run: echo d]", "b d"),
        (
            "steps: [{ id: a, run: exit 1 }, { run: 'echo ${{ steps.a.x }}', id: b }, run: 'echo ${{ steps.b.y }}', run: echo d]",
            "d"
        ),
        (
            "steps: [{ run: exit 1, outputs: [/n/a] }, { run: echo b, inputs: [/n/a/*] }, { run: echo c, inputs: [/] }, run: echo d]",
            "d"
        ),
        ("secrets: [TOKEN]\nsteps: [run: exit 1, { run: echo deploy, secrets: [TOKEN] }, run: echo c]", ""),
        ("steps: [run: exit 1, { run: echo b, if: \"false\" }, run: echo c, { commit: {}, id: p }, run: echo d]", "c"),
        ("steps: [{ require: { clean: true } }, run: echo b]", ""),
        ("steps: [run: exit 1, lane: inner, { parallel: [run: exit 2, run: echo d] }, run: echo e]", "inner d e"),
        ("steps: [lane: bad, run: echo b]\nalways: [run: echo z]", "a b z"),
        ("steps: [{ lane: bad, if: always() }, lane: needing, run: echo b]", "a a z b"),
        ("steps: [run: exit 1, run: echo b]\nthen: [run: echo then]\ntransaction: true", ""),
    ])
    func independentStepsRun(_ main: String, _ output: String) throws {
        let files = [
            "main": main, "inner": "steps: [run: echo inner]", "bad": "steps: [run: exit 1, run: echo a]",
            "needing": "needs: [bad]\nsteps: [run: echo never]\nalways: [run: echo z]",
            "other": "steps: [run: echo other]",
        ]
        let environment = ["TOKEN": "correct-horse"]
        let record = try run(files, environment: environment, keepsGoing: true)
        #expect(record.output.split(separator: "\n").joined(separator: " ") == output)
        #expect(
            try run(files, lanes: ["main", "other"], environment: environment, keepsGoing: true).output.hasSuffix(
                "other\n"))
        #expect(!(try run(files, lanes: ["main", "other"], environment: environment).output.hasSuffix("other\n")))
        let before = ["_package": "before-all: [run: exit 1]"].merging(files) { $1 }
        #expect(try run(before, environment: environment, keepsGoing: true).output == "")
    }

    /// Values that are known only during the run replace expressions in names, also in later messages.
    @Test func namesContainTheValuesOfOutputs() throws {
        let record = try run([
            "main": """
            steps:
              - id: a
                run: echo "v=1 2" >> "$LANE_OUTPUT"
              - run: test ${{ steps.a.v }} = x
              - run: echo ${{ steps.a.v }}
            """
        ])
        #expect(record.outcomes["main/run-2"] == .skipped(reason: "\"test '1 2' = x\" failed"))
        let names = record.events.compactMap { event in
            if case .stepEnded(let end) = event.kind { end.name } else { nil }
        }
        #expect(names == [#"echo "v=1 2" >> "$LANE_OUTPUT""#, "test '1 2' = x", "echo '1 2'"])
    }

    @Test func namesContainNoControlCharacters() throws {
        let files = LaneFiles.check(
            [
                SourceFile(
                    path: "Lanes/main.yml",
                    text: "matrix: { v: [\"a\\nb\\e[2J\"] }\nsteps: [{ run: [x], name: \"c\\td\\r\\n\" }, { run: [y] }]"
                )
            ], with: .samples)
        let names = try Planner(files).plan(lane: "main").steps.map(\.name)
        #expect(names == ["c    d  (v: a b)", "y (v: a b)"])
    }

    /// A needed lane fails before the lane that needs it starts: directly, through another lane, in a lane that it runs.
    @Test(arguments: [
        ["dep": "steps: [run: exit 1]"],
        ["dep": "needs: [inner]\nsteps: [run: echo dep]", "inner": "steps: [run: exit 1]"],
        ["dep": "steps: [lane: inner]", "inner": "steps: [run: exit 1]"],
        ["dep": "matrix: { v: [a, b] }\nsteps: [run: '[ ${{ matrix.v }} = a ]']"],
        ["dep": "steps: [{ run: sleep 20, timeout: 100ms }]"],
    ])
    func hooksRunWhenANeededLaneFails(_ files: [String: String]) throws {
        let main = """
            needs: [dep]
            steps: [run: echo main]
            on-failure: [run: echo failure]
            always: [run: echo always]
            """
        let record = try run(files.merging(["main": main]) { $1 })
        #expect(record.output.replacing("dep\n", with: "") == "failure\nalways\n")
        #expect(!record.started.contains("main/run"))
    }

    /// The second lane of a command line does not begin if the first one fails.
    @Test func variablesOfAGitHookReachNoStep() throws {
        let names = [
            "GIT_DIR", "GIT_INDEX_FILE", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_CONFIG", "GIT_CONFIG_COUNT",
        ]
        let record = try run(
            ["main": "steps: [run: env]"], environment: Dictionary(uniqueKeysWithValues: names.map { ($0, "0") }))
        #expect(record.output.split(separator: "\n").filter { $0.hasPrefix("GIT_") } == ["GIT_CONFIG_COUNT=0"])
    }

    @Test func hooksOfALaneThatDoesNotBeginAreSkipped() throws {
        let files = ["a": "steps: [run: exit 1]", "b": "steps: [run: echo b]\nalways: [run: echo always]"]
        #expect(try run(files, lanes: ["a", "b"]).output == "")
    }

    @Test(arguments: [
        ("echo dep", ["main"], "start\ndep\ninner\nmain\nalways p\n"),
        ("echo dep", ["main", "other"], "start\ndep\ninner\nmain\nother\nalways p\n"),
        ("exit 3", ["main", "other"], "start\nfailure\nalways p\n"),
    ])
    func hooksOfThePackageRunOnce(_ dep: String, lanes: [String], output: String) throws {
        let files = [
            "_package": """
            parameters: { p: { default: p } }
            before-all: [run: echo start]
            on-failure: [run: echo failure]
            always: [run: "echo always ${{ parameters.p }}"]
            """,
            "dep": "steps: [run: \(dep)]", "inner": "steps: [run: echo inner]", "other": "steps: [run: echo other]",
            "main": "needs: [dep]\nsteps: [{ lane: inner }, { run: echo main }]",
        ]
        let record = try run(files, lanes: lanes)
        #expect(record.output == output)
        #expect(record.outcomes.keys.contains("main/run"))
        #expect(record.outcomes.keys.contains("dep/run"))
    }

    /// The hooks also run if the steps before all lanes fail.
    @Test func hooksOfThePackageFollowItsOwnFailure() throws {
        let record = try run([
            "_package": "before-all: [run: exit 1]\non-failure: [run: echo failure]\nalways: [run: echo always]",
            "main": "steps: [run: echo main]\nalways: [run: echo no]",
        ])
        #expect(record.output == "failure\nalways\n")
    }

    /// The services before all lanes run until the last lane has ended, also if the package has no hooks.
    @Test func servicesOfThePackageRunAroundAllLanes() throws {
        let plan = try Planner(
            LaneFiles.check(
                [
                    SourceFile(path: "Lanes/_package.yml", text: "before-all: [{ parallel: [service: { run: x }] }]"),
                    SourceFile(path: "Lanes/main.yml", text: "steps: [run: x]"),
                ], with: .samples)
        ).plan([("main", [:])])
        #expect(plan.steps.map(\.id) == ["_package/service", "main/run"])
        #expect(plan.groups.map(\.parent) == [nil, 0])
    }

    /// Hooks run in order, each regardless of the result of the one before. The steps of a lane in a hook end with the
    /// first failure.
    @Test func lanesInHooksRunInOrder() throws {
        let files = [
            "main": """
            parameters: { fails: bool }
            steps:
              - id: begin
                run: printf 'x=1\\n' >> "$LANE_OUTPUT"
              - { run: "false", if: parameters.fails }
              - run: printf 'end '
            on-failure:
              - run: printf 'one ' && false
              - lane: tell
                parameters: { word: two }
              - lane: tell
                parameters: { word: three }
              - lane: tell
                parameters: { word: never }
                if: steps.begin.x == '2'
            always:
              - lane: tidy
            """,
            "tell": """
            parameters: { word: string }
            steps:
              - run: printf '%s ' ${{ parameters.word }}
              - run: "false"
              - run: printf 'unheard '
            on-failure:
              - run: printf '(%s failed) ' ${{ parameters.word }}
            """,
            "tidy": "timeout: 1m\nsteps: [{ run: printf 'tidy ' }, { run: printf 'up' }]",
        ]
        let failed = try run(files, ["fails": "true"])
        #expect(failed.output == "one two (two failed) three (three failed) tidy up")
        #expect(failed.outcomes["main/tell/run-3"] == .skipped(reason: "'false' failed"))
        #expect(
            failed.outcomes["main/tell-3/run"] == .skipped(reason: "condition \"steps.begin.x == '2'\" does not hold"))
        let passed = try run(files, ["fails": "false"])
        #expect(passed.output == "end tidy up")
        #expect(passed.outcomes["main/tell/run"] == .skipped(reason: "nothing failed"))
        #expect(passed.outcomes["main/tell/run-4"] == .skipped(reason: "nothing failed"))
    }

    /// The hooks of a lane that has started run for any reason for which its steps are skipped.
    @Test(arguments: [
        ("[{ run: echo x, if: \"false\" }]", "always "), ("[{ lane: inner, if: \"false\" }]", "always "),
        ("[{ lane: inner }, { run: echo x, if: \"false\" }]", "always "),
        ("[{ parallel: [{ run: echo x, if: \"false\" }, { lane: inner }], if: \"false\" }]", "always "),
        ("[{ run: \"false\", if: failure() }]", "always "),
    ])
    func hooksRunIfAllStepsAreSkipped(steps: String, output: String) throws {
        let hooks = "on-failure: [{ run: printf 'failed ' }]\nalways: [{ run: printf 'always ' }]\n"
        let end = "steps: [{ run: echo x }]\nif: \"false\"\nalways: [{ run: echo never }]"
        let record = try run(["main": "steps: \(steps)\n\(hooks)", "inner": end])
        #expect(record.output == output)
        // A needed lane that fails is a failure of the lane.
        let blocked = try run([
            "main": "needs: [bad]\nsteps: \(steps)\n\(hooks)", "inner": end, "bad": "steps: [{ run: \"false\" }]",
        ])
        #expect(blocked.output == "failed always ")
    }

    /// A lane ends with its hooks, and successors wait for this end.
    @Test func successorsOfALaneWaitForItsHooks() throws {
        let record = try run(
            [
                "main": """
                needs: needed
                steps: [{ lane: inner }, { run: printf 'last ' }]
                always: [{ lane: inner }, { run: printf 'hook ' }]
                """,
                "needed": "steps: [{ run: printf 'needed ' }]\nalways: [{ run: sleep 0.2; printf 'tidied ' }]",
                "inner": "steps: [{ run: printf 'inner ' }]\nalways: [{ run: sleep 0.2; printf 'tidied ' }]",
            ], jobs: 4)
        #expect(record.output == "needed tidied inner tidied last inner tidied hook ")
    }

    @Test func theTimeoutOfALaneDoesNotEndItsHooks() throws {
        let record = try run([
            "main": "timeout: 300ms\nsteps: [{ run: sleep 20 }]\nalways: [{ lane: tidy }, { lane: slow }]",
            "tidy": "steps: [{ run: sleep 0.1 }, { run: echo tidied }]",
            "slow": "timeout: 200ms\nsteps: [{ run: sleep 20 }, { run: echo never }]\nalways: [{ run: echo over }]",
        ])
        #expect(record.output == "tidied\nover\n")
        #expect(record.outcomes["main/slow/run"] == .timedOut(after: .milliseconds(200)))
    }

    @Test func environmentAndLaneOverrideDotenvFiles() throws {
        let record = try run(
            [
                "main": """
                dotenv: [.env, { path: .env.local, optional: true }, { path: .none, optional: true }]
                env: { C: lane }
                secrets: [TOKEN]
                steps:
                  - run: echo $A $B $C $D $TOKEN
                    secrets: [TOKEN]
                  - run: echo ${TOKEN_2-none}; env | grep -c TOKEN || true
                """
            ], dotenv: [".env": "A=one\nB=one\nC=one\nD=one\nTOKEN='very secret'\n", ".env.local": "B=two\n"],
            environment: ["D": "outside"])
        #expect(record.output == "one two lane outside ***\nnone\n0\n")
    }

    /// A secret that one lane declares is masked in the output of all lanes, including a secret from a dotenv file.
    @Test func secretsOfOtherLanesAreMasked() throws {
        let record = try run(
            [
                "main": "steps: [{ run: 'echo ${{ env.TOKEN }} very secret; env | grep -c TOKEN || true' }]",
                "other": "secrets: [TOKEN, KEY]\ndotenv: [.env, .none]\nsteps: []",
            ], dotenv: [".env": "KEY='very secret'\n"], environment: ["TOKEN": "hunter22"])
        #expect(record.output == "*** ***\n0\n")
    }

    @Test func aMissingDotenvFileIsReported() throws {
        #expect { try run(["main": "dotenv: .env\nsteps: []"]) } throws: {
            ($0 as? Diagnostics)?.all.map(\.message) == ["there is no file '.env'"]
        }
    }

    @Test func valuesReachAShellUnchanged() throws {
        let record = try run(
            [
                "main":
                    "parameters: { x: { position: 1 } }\nsteps:\n  - run: printf '<%s>' ${{ parameters.x }} \"${{ parameters.x }}\"\n"
            ],
            ["x": "a 'b' $(c) \"d\""])
        #expect(record.output == "<a 'b' $(c) \"d\"><a 'b' $(c) \"d\">")
    }
}
