import Expressions
import LaneFixtures
import LaneModel
import Testing
import Text

@Suite struct PlannerTests {
    private func plan(_ lane: String, _ arguments: [String: String] = [:], _ files: [String: String]) throws -> Plan {
        try Planner(checkedLanes(files)).plan(lane: lane, arguments: arguments)
    }

    @Test func stepsDependOnThePreviousOnes() throws {
        let plan = try plan(
            "a", [:],
            [
                "a": """
                steps:
                  - run: echo 1
                  - parallel:
                      - run: echo 2
                      - lane: b
                      - run: echo 3
                  - lane: b
                  - id: run-3
                    run: echo 4
                on-failure:
                  - run: echo oh
                always:
                  - run: echo end
                """,
                "b": "steps: [{run: x}, {run: y}]",
            ])
        #expect(
            lines(plan) == [
                "a/run",
                "a/run-2 < a/run",
                "a/b/run < a/run",
                "a/b/run-2 < a/b/run",
                "a/run-4 < a/run",
                "a/b-2/run < a/run-2 a/b/run-2 a/run-4",
                "a/b-2/run-2 < a/b-2/run",
                "a/run-3 < a/b-2/run-2",
                "a/run-5 (on-failure)",
                "a/run-6 (always)",
            ])
        #expect(plan.groups.map(\.path) == ["a", "a/b", "a/b-2"])
        #expect(plan.groups.map(\.parent) == [nil, 0, 0])
        #expect(plan.steps[7].key == "run-3")
    }

    @Test func hooksRunInOrderWithATimeLimit() throws {
        let plan = try plan(
            "a", [:],
            [
                "a": """
                timeout: 1h
                steps: [run: x]
                on-failure:
                  - run: [tell, "1"]
                  - run: [tell, "2"]
                always:
                  - id: log
                    run: x
                    timeout: 30m
                  - parallel:
                      - { id: mail, run: x }
                      - { id: chat, run: x, if: failure() }
                    if: ci.name != ''
                  - { id: ask, run: x, interactive: true }
                """
            ])
        #expect(
            lines(plan) == [
                "a/run", "a/run-2 (on-failure)", "a/run-3 (on-failure) < a/run-2", "a/log (always)",
                "a/mail (always) < a/log", "a/chat (always) < a/log", "a/ask (always) < a/mail a/chat",
            ])
        let tenMinutes = Duration.seconds(600)
        #expect(
            plan.steps.map(\.limits.timeout) == [
                nil, tenMinutes, tenMinutes, .seconds(1800), tenMinutes, tenMinutes, nil,
            ])
        #expect(plan.steps[5].schedule.condition?.text == "(ci.name != '') && (failure())")
    }

    @Test func neededLanesRunOncePerParameters() throws {
        let plan = try plan(
            "all", [:],
            [
                "all": "needs: [left, right]\nsteps: [{run: x}]",
                "left": "needs: [base]\nsteps: [{run: x}]",
                "right": "needs: [base, { lane: base, parameters: { x: other } }]\nsteps: [{run: x}]",
                "base": "parameters: { x: { default: same } }\nsteps: [{run: x}]",
            ])
        #expect(
            lines(plan) == [
                "base/run", "left/run < base/run", "base-2/run", "right/run < base/run base-2/run",
                "all/run < left/run right/run",
            ])
        #expect(plan.groups.map { $0.parent } == [nil, nil, nil, nil, nil])
        #expect(plan.groups.last?.path == "all")
    }

    @Test func neededLanesRunOncePerListOfWords() throws {
        let plan = try plan(
            "all", [:],
            [
                "all": """
                needs:
                  - { lane: base, parameters: { words: [a] } }
                  - { lane: base, parameters: { words: [b, c] } }
                steps: [{run: x}]
                """,
                "base": "parameters: { words: { variadic: true } }\nsteps: [{run: x}]",
            ])
        #expect(lines(plan) == ["base/run", "base-2/run", "all/run < base/run base-2/run"])
    }

    @Test func neededLanesRunOncePerConditionOfAnItem() throws {
        func plan(_ condition: String) throws -> [String] {
            lines(
                try self.plan(
                    "all", [:],
                    [
                        "all": "steps: [{ lane: x, foreach: [b, a], if: \(condition) }]",
                        "x": "needs: [y]\nsteps: [run: x]", "y": "steps: [run: y]",
                    ]))
        }
        #expect(
            try plan("item == 'a'") == [
                "all/y/run", "all/x/run < all/y/run", "all/y-2/run < all/x/run",
                "all/x-2/run < all/x/run all/y-2/run",
            ])
        #expect(
            try plan("ci.active") == [
                "all/y/run", "all/x/run < all/y/run", "all/x-2/run < all/x/run all/y/run",
            ])
    }

    @Test func needsOfALaneInATransactionAreInTheTransaction() throws {
        let plan = try plan(
            "release", [:],
            [
                "release":
                    "transaction: true\nneeds: [lint]\nsteps: [{run: bump}, {lane: test}, {run: tag}]\nthen: [{run: publish}, {run: tell}]",
                "test": "needs: [build]\nsteps: [{run: x}]", "build": "steps: [{run: x}]", "lint": "steps: [{run: x}]",
            ])
        #expect(
            lines(plan) == [
                "lint/run", "release/run < lint/run", "release/build/run < release/run",
                "release/test/run < release/run release/build/run",
                "release/run-2 < release/test/run", "release/run-3 (then) < release/run-2",
                "release/run-4 (then) < release/run-3",
            ])
        #expect(plan.groups.map(\.isTransaction) == [false, true, false, false])
        #expect(plan.groups.map(\.parent) == [nil, nil, 1, 1])
    }

    @Test func lanesCanRunInThen() throws {
        let plan = try plan(
            "release", [:],
            [
                "release": """
                transaction: true
                steps:
                  - lane: test
                then:
                  - parallel:
                      - run: tell
                      - lane: site
                  - run: last
                """,
                "site": "needs: [test]\nsteps: [{ run: upload }]", "test": "steps: [{ run: unit }]",
            ])
        #expect(
            lines(plan) == [
                "release/test/run", "release/run (then) < release/test/run", "release/test-2/run < release/test/run",
                "release/site/run < release/test/run release/test-2/run",
                "release/run-2 (then) < release/run release/site/run",
            ])
        #expect(plan.groups.map(\.stage) == [.main, .main, .then, .then])
        #expect(plan.steps.map { plan.isInTransaction($0) } == [true, false, false, false, false])
        #expect(plan.steps.map { plan.stage(of: $0) } == [.main, .then, .then, .then, .then])
    }

    @Test func versionsInAMatrixKeepTheirSpelling() throws {
        let lane = """
            matrix: { swift: [5.10, "6.2", 6.2.1, 6], exclude: [{ swift: 6.2 }], include: [{ swift: 5.10, os: 10.0 }] }
            steps: [run: "echo ${{ matrix.swift }} ${{ default(matrix.os, '') }}"]
            """
        #expect(
            try plan("m", [:], ["m": lane]).groups.map(\.path) == [
                "m[swift=5.10,os=10.0]", "m[swift=6.2.1]", "m[swift=6]",
            ])
        for number in ["1e3", ".5", "1.", "-1.0"] {
            let found = LaneFiles.check(
                [
                    SourceFile(path: "Lanes/m.yml", text: "matrix: { n: [\(number)] }\nsteps: [run: x]\n")
                ], with: .samples
            ).diagnostics.all
            #expect(found.map(\.hint) == ["put it in quotes"], "\(number): \(found)")
        }
    }

    @Test func eachMatrixCombinationIsAGroup() throws {
        let plan = try plan(
            "after", [:],
            [
                "matrix": """
                matrix:
                  os: [linux, macos]
                  swift: ["6.1", "6.2"]
                  exclude: [{ os: macos, swift: "6.1" }]
                  include:
                    - { os: linux, extra: true }
                    - { os: windows }
                needs: [first]
                steps: [{ run: x }, { run: y }]
                """,
                "first": "steps: [{ run: x }]", "after": "needs: [matrix]\nsteps: [{ run: x }]",
            ])
        #expect(
            plan.groups.map(\.path) == [
                "first", "matrix[os=linux,swift=6.1,extra=true]", "matrix[os=linux,swift=6.2,extra=true]",
                "matrix[os=macos,swift=6.2]",
                "matrix[os=windows]", "after",
            ])
        #expect(
            plan.steps.last?.schedule.dependencies.map { plan.steps[$0].id.hasSuffix("/run-2") } == [
                true, true, true, true,
            ])
        #expect(
            plan.steps.filter { $0.id.hasSuffix("/run") && $0.id.hasPrefix("matrix") }.allSatisfy {
                $0.schedule.dependencies == [0]
            })
    }

    @Test func parametersArePassedToLanes() throws {
        let files = [
            "outer": """
            parameters: { version: { type: version, position: 1 }, fast: bool }
            steps:
              - lane: inner
                parameters: { tag: "v${{ parameters.version }}", jobs: "${{ default(parameters.none, 3) }}", fast: "${{ parameters.fast }}" }
            """.replacing("default(parameters.none, 3)", with: "default(env.JOBS, 3)"),
            "inner":
                "parameters: { tag: string, jobs: { type: int, default: 1 }, fast: bool, more: string }\nsteps: [{ run: x }]",
        ]
        let plan = try plan("outer", ["version": "1.2.3", "fast": "true"], files)
        #expect(plan.groups[1].parameters.map(\.name) == ["tag", "jobs", "fast", "more"])
        #expect(plan.groups[1].parameters.map(\.value) == [.string("v1.2.3"), .integer(3), .bool(true), .null])
        #expect { try self.plan("outer", ["fast": "false"], files) } throws: {
            ($0 as? Diagnostics)?.all.map(\.message) == ["'parameters.version' has no value"]
        }
    }

    struct InvalidArguments: Sendable {
        let arguments: [String: String]
        let message: String
        var hint: String?
    }

    static let invalidArguments: [InvalidArguments] = [
        InvalidArguments(
            arguments: ["version": "1.2"],
            message: "expected a version such as 1.2.3, or a word such as minor or auto for 'version', found '1.2'",
            hint: "write 1.2.0"),
        InvalidArguments(
            arguments: ["version": "v1.2.3"],
            message: "expected a version such as 1.2.3, or a word such as minor or auto for 'version', found 'v1.2.3'",
            hint: "remove the 'v': 1.2.3"),
        InvalidArguments(
            arguments: ["version": "1.0.0", "jobs": "many"], message: "expected a whole number for 'jobs', found 'many'"
        ),
        InvalidArguments(
            arguments: ["version": "1.0.0", "wait": "5"],
            message: "expected a duration such as 90s, 2m or 1h30m for 'wait', found '5'", hint: "write 5s for seconds"),
        InvalidArguments(
            arguments: ["version": "1.0.0", "kind": "stabel"],
            message: "expected stable or beta for 'kind', found 'stabel'", hint: "did you mean 'stable'?"),
        InvalidArguments(
            arguments: ["version": "1.0.0", "fast": "yes"], message: "expected true or false for 'fast', found 'yes'"),
        InvalidArguments(
            arguments: ["version": "1.0.0", "knid": "beta"], message: "lane 'l' has no parameter 'knid'",
            hint: "did you mean 'kind'?"),
        InvalidArguments(
            arguments: [:], message: "lane 'l' needs a value for 'version'",
            hint: "it is a version such as 1.2.3, or a word such as minor or auto"),
    ]

    @Test(arguments: invalidArguments) func invalidValues(_ invalid: InvalidArguments) {
        let lane = """
            parameters:
              version: { type: version, required: true }
              jobs: int
              wait: duration
              kind: { type: enum, values: [stable, beta] }
              fast: bool
            steps: []
            """
        #expect { try self.plan("l", invalid.arguments, ["l": lane]) } throws: { error in
            let all = (error as? Diagnostics)?.all ?? []
            return all.map(\.message) == [invalid.message] && all.first?.hint == invalid.hint
        }
    }

    @Test func unavailableLanes() {
        let files = ["hidden": "private: true\nsteps: []", "user": "needs: [hidden]"]
        #expect { try self.plan("usr", [:], files) } throws: {
            ($0 as? Diagnostics)?.all.first.map { [$0.message, $0.hint] } == [
                "there is no lane 'usr'", "did you mean 'user'?",
            ]
        }
        #expect { try self.plan("hidden", [:], files) } throws: {
            ($0 as? Diagnostics)?.all.first.map { [$0.message, $0.hint] } == [
                "lane 'hidden' is private", "it is run by user",
            ]
        }
    }
}
