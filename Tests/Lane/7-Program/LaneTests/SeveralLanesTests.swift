import OperatingSystem
import TestSupport
import Testing
import Text

/// Tests of command lines with several lanes, of aliases, and of words after `--`.
@Suite struct SeveralLanesTests {
    private static let lanes = [
        "Lanes/lint.yml": "aliases: [l]\ngroup: CI\nneeds: [prepare]\nsteps: [run: lint]",
        "Lanes/test.yml": "summary: Test it\nneeds: [prepare]\nsteps: [test: {}]",
        "Lanes/pack.yml":
            "parameters: { name: { default: x } }\nneeds: [prepare, lint]\nsteps: [run: \"pack ${{ parameters.name }}\"]",
        "Lanes/deploy.yml":
            "parameters: { to: { required: true, position: 1 } }\nsteps: [run: \"up ${{ parameters.to }} ${{ arguments }}\"]",
        "Lanes/release.yml": "transaction: true\nsteps: [run: x]",
        "Lanes/prepare.yml": "private: true\nsteps: [run: pre]",
    ]

    private func run(_ words: String...) throws -> Session.Outcome { try Session(Self.lanes).run(words) }

    /// Returns the steps of a plan.
    private func steps(_ words: String...) throws -> [String] {
        let outcome = try Session(Self.lanes).run(words + ["--plan"])
        #expect(outcome.status == .done, "\(outcome.errors)")
        return outcome.output.split(separator: "\n").dropFirst()
            .map { $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ") }
    }

    @Test func namesAloneAreSeveralLanes() throws {
        #expect(
            try steps("l", "test", "pack") == [
                "prepare/run pre", "lint/run lint", "test/test runs the tests", "pack/run pack x",
            ])
        #expect(try steps("pack", "lint") == ["prepare/run pre", "lint/run lint", "pack/run pack x"])
    }

    @Test func lanesWithWordsAreSeparated() throws {
        #expect(
            try steps("deploy", "a", "+", "pack", "--name", "n") == [
                "deploy/run up a", "prepare/run pre", "lint/run lint", "pack/run pack n",
            ])
        #expect(try steps("lint", "+", "deploy", "a").last == "deploy/run up a")
    }

    @Test func thePlanHasTheNamesOfAllLanes() throws {
        #expect(try run("lint", "test", "--plan").output.hasPrefix("lint+test: 3 steps\n"))
        expectGolden(try run("lint", "test", "--plan", "--json").output, "several-lanes-plan.json")
    }

    @Test(arguments: [
        (["lint", "tset"], "error: lane 'lint' has no argument 'tset'\nhint: did you mean the lane 'test'?\n"),
        (["lint", "xyz"], usage("Unexpected argument 'xyz'", "lint")),
        (["lint", "test", "pakc"], "error: there is no lane 'pakc'\nhint: did you mean 'pack'?\n"),
        (
            ["test", "lint"],
            """
            error: 'lint' is a lane, and could also be a filter of the tests
            hint: use 'lane test + lint' for both lanes, or '--filter lint'

            """
        ),
        (["lint", "+"], "error: expected the name of a lane after '+'\n"),
        (["lint", "+", "--plan"], "error: expected the name of a lane after '+'\n"),
        (
            ["lint", "release"],
            "error: 'release' is a transaction and runs alone\nhint: use a 'lane' step or 'needs' in it\n"
        ),
        (["lint", "deploy"], usage("Missing expected argument '<to>'", "deploy", " <to>")),
        (
            ["lint", "--force", "+", "pack"],
            """
            error: '--force' after 'lint' applies to all lanes
            hint: write it at the end of the command line

            """
        ),
        (
            ["test", "--filter", "A", "+", "pack"],
            """
            error: '--filter' applies to the tests of one lane, but several lanes run
            hint: write 'test' last, and no other lane with tests

            """
        ),
        (
            ["deploy", "a", "lint"],
            """
            error: lane 'deploy' takes no argument 'lint' here
            hint: use 'lane deploy a + lint' for both lanes

            """
        ),
        (["lint", "prepare"], usage("Unexpected argument 'prepare'", "lint")),
    ])
    func mistakesAreReported(words: [String], message: String) throws {
        let outcome = try Session(Self.lanes).run(words)
        #expect(outcome.status == .usage || outcome.status == .fileNotFound)
        #expect(outcome.errors == message)
    }

    private static func usage(_ error: String, _ lane: String, _ arguments: String = "") -> String {
        """
        Error: \(error)
        Usage: lane \(lane) [<options>]\(arguments)
          See 'lane \(lane) --help' for more information.

        """
    }

    @Test func wordsBehindDashesAreArguments() throws {
        #expect(
            try run("deploy", "a", "--plan", "--", "--b", "c d").output == """
                deploy: 1 step
                  deploy/run  up a --b 'c d'

                """)
        // The words belong to the last lane, and all lanes can read them.
        #expect(
            try run("deploy", "a", "+", "lint", "--plan", "--", "-x").output == """
                deploy+lint: 3 steps
                  deploy/run   up a -x
                  prepare/run  pre
                  lint/run     lint

                """)
        let outcome = try run("lint", "--", "x")
        #expect(
            outcome.errors == """
                error: lane 'lint' takes no arguments after '--'
                hint: a step can use them as '${{ arguments }}'

                """)
    }

    @Test func aliasesAndGroupsAreListed() throws {
        let outcome = try run("list")
        #expect(
            outcome.output == """
                deploy <to>
                pack
                release
                test         Test it

                CI:
                lint         (l)

                """)
        let json = try run("list", "--json").output
        expectGolden(json, "several-lanes-list.json")
        #expect(
            try run("--complete", "l").output == """
                lint\tRun the lane 'lint'.
                l\tRun the lane 'lint'.
                list\tList the lanes of the package in the current directory or above.
                :none

                """)
        #expect(try run("l", "--help").output.hasPrefix("OVERVIEW: Run the lane 'lint'."))
        #expect(
            try run("lnt").errors == """
                error: there is no lane 'lnt'
                hint: did you mean 'lint'?

                """)
    }

    @Test func thePackageFileAppliesToAllLanes() throws {
        let files = [
            "Lanes/_package.yml": "env: { A: one }\nlet: { v: two }\nbefore-all:\n  - run: echo $A ${{ let.v }}\n",
            "Lanes/a.yml": "needs: [b]\nsteps: [run: \"a ${{ env.A }} ${{ let.v }}\"]",
            "Lanes/b.yml": "steps: [run: b]",
        ]
        let outcome = try Session(files).run("b", "a", "--plan")
        #expect(outcome.errors == "")
        #expect(
            outcome.output == """
                b+a: 3 steps
                  _package      let.v = two
                  a             let.v = two
                  _package/run  echo $A two
                  b/run         b
                  a/run         a one two

                """)
        #expect(try Session(files).run("list").output == "a\nb\n")
        let wrong = try Session(["Lanes/a.yml": "before-all: [run: x]\nsteps: [run: x]"]).run("check")
        #expect(
            wrong.errors == """
                Lanes/a.yml:1:1: error: 'before-all' is not allowed in this file
                    before-all: [run: x]
                    ^~~~~~~~~~
                hint: move it to 'Lanes/_package.yml', or use 'needs'
                1 error in lane files

                """)
    }
}
