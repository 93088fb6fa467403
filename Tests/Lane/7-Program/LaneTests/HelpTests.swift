import TestSupport
import Testing
import Text

@Suite struct HelpTests {
    /// The files in `docs/reference` with the words after `lane help` whose output they contain.
    private static let reference: [(file: String, words: [String])] = [
        ("commands.md", []), ("lane-files.md", ["lane-file"]), ("actions.md", ["actions"]),
        ("expressions.md", ["expressions"]), ("test-patterns.md", ["test-patterns"]),
        ("remote-lanes.md", ["remote-lanes"]), ("jobs.md", ["ci"]), ("environment.md", ["environment"]),
        ("exit-statuses.md", ["exit-statuses"]),
    ]

    @Test func referenceIsUpToDate() throws {
        for (file, words) in Self.reference {
            let outcome = try Session().run(["help"] + words + ["--format", "markdown"])
            #expect(outcome.status == .done, "\(outcome.errors)")
            expectFile("\(repositoryRoot)/docs/reference/\(file)", toContain: outcome.output)
        }
    }

    @Test func lanesPrecedeActionsOfTheSameName() throws {
        let session = try Session(["Lanes/lint.yml": "summary: Check the style\nsteps: [run: lint]"])
        let lane = try session.run("help", "lint").output
        #expect(lane.hasPrefix("OVERVIEW: Check the style.\n"))
        #expect(lane.hasSuffix("\nSEE ALSO:\n  lane help actions lint\n"))
        #expect(try session.run("help", "actions", "lint").output.hasPrefix("OVERVIEW: Lint the sources.\n"))
        #expect(try session.run("help", "bump").output.hasPrefix("OVERVIEW: Write the next version"))
    }

    @Test func misspeltTopicsGetTheNearest() throws {
        let session = try Session(["Lanes/deploy.yml": "steps: [run: deploy]"])
        for (word, nearest) in [
            ("bmp", "bump"), ("expresions", "expressions"), ("deplay", "deploy"), ("chek", "check"),
        ] {
            let outcome = try session.run("help", word)
            #expect(outcome.status == .fileNotFound)
            #expect(
                outcome.errors == """
                    error: there is no lane, subcommand, action or topic '\(word)'
                    hint: did you mean '\(nearest)'?

                    """)
        }
        #expect(try session.run("help", "actions", "bmp").errors.hasSuffix("hint: did you mean 'bump'?\n"))
        #expect(try session.run("help", "ci", "bump").status == .usage)
    }

    @Test func ownActionsAreTopics() throws {
        let session = try Session(["Lanes/x.yml": "steps: [run: x]"])
        try expectGolden(session.run("help", "actions").output, "help-actions.txt")
        #expect(try session.run("help", "notify").status == .fileNotFound)
    }

    @Test func helpOfALaneHasSectionsAndExamples() throws {
        let session = try Session([
            "Lanes/deploy.yml": """
            parameters: { target: { type: enum, values: [staging, live], position: 1, required: true } }
            steps: [test: {}]
            """
        ])
        let help = try session.run("deploy", "--help").output
        let headings = help.split(separator: "\n").filter { $0.hasSuffix(":") && !$0.hasPrefix(" ") }
        #expect(headings == ["ARGUMENTS:", "OPTIONS:", "TEST SELECTION:", "EXAMPLES:"])
        let all = try session.run("deploy", "--help-all").output
        #expect(
            all.split(separator: "\n").filter { $0.hasSuffix(":") && !$0.hasPrefix(" ") } == [
                "ARGUMENTS:", "OPTIONS:", "TEST SELECTION:", "TEST POLICY:", "TEST BUILD:", "TEST ON OTHER MACHINES:",
                "RUNNING:", "REPORTS:", "EXAMPLES:",
            ])
        expectGolden(help, "lane-with-tests-help.txt")
    }

    @Test func manualPageDescribesEverything() throws {
        let manual = try Session().run("help", "--format", "man").output
        for heading in ["LANE CHECK", "BUMP", "EXPRESSIONS", "EXIT STATUSES"] {
            #expect(manual.contains(".SH \"\(heading)\"\n"), "\(heading)")
        }
        #expect(try Session().run("help", "bump", "--format", "man").status == .usage)
    }
}
