import Expressions
import LaneFixtures
import LaneModel
import Testing
import Text

@Suite struct SettingsTests {
    private func settings(_ step: String, _ context: EvaluationContext = EvaluationContext()) throws -> Settings {
        let lane = "parameters: { text: string, flag: bool, count: int }\nsteps:\n  - \(step)\n"
        return try Planner(checkedLanes(["l": lane])).plan(lane: "l").steps[0].task.settings.evaluate(in: context)
    }

    @Test func defaultsAndShorthands() throws {
        #expect(try settings("changelog: {}").values == ["file": .string("CHANGELOG.md")])
        #expect(try settings("changelog:").string("file") == "CHANGELOG.md")
        #expect(try settings("package: { verify: false }").bool("verify") == false)
        #expect(try settings("bump: 1.2.3").string("version") == "1.2.3")
        #expect(try settings("run: [echo, 1, \"2\"]").strings("command") == ["echo", "1", "2"])
        #expect(try settings("run: true").string("command") == "true")
        #expect(try settings("test: { filter: A, timeout: 1m30s }").strings("filter") == ["A"])
        #expect(try settings("test: { timeout: 1m30s }").duration("timeout") == .seconds(90))
        #expect(
            try settings("bump: { files: [README.md, { path: x, pattern: 'v{version}' }] }")["files"]
                == .list([.string("README.md"), .map([("path", .string("x")), ("pattern", .string("v{version}"))])]))
        #expect(try settings("require: { tools: { swift: '6.1' } }").map("tools")?.first?.name == "swift")
        #expect(try settings("require: { tools: git }").strings("tools") == ["git"])
    }

    /// `require` checks the files of `bump` unless it sets `files`.
    @Test(arguments: [
        ("require: { version: 1.2.3 }", ["a"]), ("require: { version: 1.2.3, files: [b] }", ["b"]),
        ("require: { clean: true }", nil),
    ]) func aRequiredVersionIsLookedForWhereBumpWritesIt(_ require: String, _ files: [String]?) throws {
        let settings = try settings("\(require)\n  - bump: { version: 1.2.3, files: [a] }")
        #expect(settings.strings("files") == files)
    }

    private static let publish = "then: [publish: { to: github, remote: fork, repository: a/b, token: KEY }]"
    private static let proposal = "  - pull-request: { remote: fork, repository: a/b, token: KEY }"

    /// `require` uses the target and the token of `publish`, or of `pull-request` in a lane that publishes nothing.
    @Test(
        arguments: [
            ("{ publish-to: github }", publish, "fork", "a/b", "KEY"),
            ("{ publish-to: github, token: OWN, remote: mine }", publish, "mine", "a/b", "OWN"),
            ("{ clean: true }", publish, nil, nil, nil),
            ("{ publish-to: github }", proposal, "fork", "a/b", "KEY"),
            ("{ publish-to: github, remote: mine }", proposal, "mine", "a/b", "KEY"),
            (
                "{ publish-to: github }", "  - pull-request: { token: OWN }\n    if: ci.active\n\(publish)", "fork",
                "a/b", "KEY"
            ),
            // The pull request replaces the publication.
            ("{ publish-to: github }", "  - pull-request: { token: OWN }\n\(publish)", nil, nil, "OWN"),
        ] as [(String, String, String?, String?, String?)])
    func aTargetIsCheckedWithTheSettingsOfPublish(
        require: String, target: String, remote: String?, repository: String?, token: String?
    ) throws {
        let lane = """
            secrets: [KEY, OWN]
            transaction: true
            steps:
              - require: \(require)
            \(target)
            """
        let plan = try Planner(checkedLanes(["l": lane])).plan(lane: "l")
        let settings = try plan.steps[0].task.settings.evaluate(in: EvaluationContext())
        #expect(settings.string("remote") == remote)
        #expect(settings.string("repository") == repository)
        #expect(settings.string("token") == token)
    }

    /// `require` checks the pull request if the lane opens one.
    @Test(
        arguments: [
            ("{ publish-to: github }", "", true),
            ("{ publish-to: github }", "if: parameters.propose", true),
            ("{ publish-to: github }", "if: ${{ parameters.propose && ci.active }}", true),
            ("{ publish-to: github }", "if: ${{ !parameters.propose }}", false),
            ("{ publish-to: github }", "if: success() && parameters.propose", true),
            ("{ publish-to: github, pull-request: false }", "", false),
            // The output is unknown when `require` runs.
            ("{ publish-to: github }", "if: ${{ steps.bump.previous != '' }}", nil),
            ("{ publish-to: github, pull-request: true }", "if: ${{ steps.bump.previous != '' }}", true),
            ("{ clean: true }", "", nil),
        ] as [(String, String, Bool?)])
    func aPullRequestIsCheckedIfTheLaneOpensOne(require: String, condition: String, expected: Bool?) throws {
        let lane = """
            secrets: [GITHUB_TOKEN]
            parameters: { propose: bool }
            transaction: true
            steps:
              - require: \(require)
              - id: bump
                bump: {}
              - pull-request: {}
                \(condition)
            """
        let plan = try Planner(checkedLanes(["l": lane])).plan(lane: "l")
        let context = EvaluationContext(
            parameters: ["propose": .bool(true)], ci: ["active": .bool(true)])
        #expect(try plan.steps[0].task.settings.evaluate(in: context).bool("pull-request") == expected)
    }

    @Test func aLaneWithoutPullRequestsChecksThePush() throws {
        let lane = "secrets: [GITHUB_TOKEN]\nsteps: [require: { publish-to: github }, publish: github]"
        let plan = try Planner(checkedLanes(["l": lane])).plan(lane: "l")
        #expect(try plan.steps[0].task.settings.evaluate(in: EvaluationContext()).bool("pull-request") == nil)
    }

    @Test func resultsAreConverted() throws {
        var context = EvaluationContext(
            parameters: ["text": .string("a"), "flag": .bool(true), "count": .integer(3)],
            environment: ["N": "4", "B": "true", "BAD": "x"],
            steps: ["s": ["list": .list([.string("x"), .string("y")])]])
        let step = "id: s\n    run: x\n  - "
        func evaluate(_ text: String) throws -> Settings {
            let lane = "parameters: { text: string, flag: bool, count: int }\nsteps:\n  - \(step)\(text)\n"
            return try Planner(checkedLanes(["l": lane])).plan(lane: "l").steps[1].task.settings.evaluate(in: context)
        }
        #expect(
            try evaluate("test: { jobs: '${{ env.N }}', coverage: '${{ env.B }}', retries: '${{ parameters.count }}' }")
                .integer("jobs") == 4)
        #expect(try evaluate("test: { filter: '${{ steps.s.list }}' }").strings("filter") == ["x", "y"])
        #expect(
            try evaluate("test: { filter: ['${{ parameters.text }}', 'b${{ parameters.count }}'] }").strings("filter")
                == ["a", "b3"])
        #expect(try evaluate("test: { filter: '${{ env.NOT_THERE }}' }")["filter"] == nil)
        #expect(try evaluate("commit: ${{ parameters.text }}-${{ parameters.flag }}").string("message") == "a-true")
        // A list becomes elements of a list or words of a script.
        #expect(try evaluate("run: [a, '${{ steps.s.list }}', b]").strings("command") == ["a", "x", "y", "b"])
        #expect(
            try evaluate("run: a ${{ steps.s.list }}").string("command") == "a \"${LANE_VALUE_1}\" \"${LANE_VALUE_2}\"")
        for (text, message) in [
            ("test: { jobs: '${{ env.BAD }}' }", "expected a whole number from 1 to 1024, found the string 'x'"),
            (
                "bump: ${{ parameters.text }}",
                "expected a version such as 1.2.3, or a word such as minor or auto, found the string 'a'"
            ),
            ("run: echo ${{ env.NOT_THERE }}", "'env.NOT_THERE' has no value"),
            ("run: { command: '${{ env.NOT_THERE }}' }", "'env.NOT_THERE' has no value"),
        ] {
            #expect { try evaluate(text) } throws: { ($0 as? Diagnostics)?.all.map(\.message) == [message] }
        }
        context.environment = ["BAD": "a\0b"]
        #expect { try evaluate("run: echo ${{ env.BAD }}") } throws: {
            ($0 as? Diagnostics)?.all.map(\.message) == ["a value for a shell cannot contain NUL"]
        }
    }

    @Test(arguments: [
        ("1.2.3", true), ("0.0.0", true), ("1.2.3-rc.1", true), ("1.2.3+b.01", true), ("1.2.3-a-b+c", true),
        ("major", true), ("patch", true),
        ("1.2", false), ("1.2.3.4", false), ("01.2.3", false), ("1.2.3-01", false), ("1.2.3-", false),
        ("v1.2.3", false), ("1.2.x", false),
        ("1.2.3-a..b", false), ("", false), ("1.2.3-ü", false), ("1.2.3-a_b", false),
    ]) func versions(_ text: String, _ isRight: Bool) throws {
        let checked = LaneFiles.check(
            [SourceFile(path: "Lanes/l.yml", text: "steps: [{ bump: \"\(text)\" }]")], with: .samples)
        #expect(checked.diagnostics.hasErrors == !isRight)
    }
}
