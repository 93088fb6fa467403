import Arguments
import OperatingSystem
import TestSupport
import Testing
import Text

@Suite struct PlanTests {
    @Test func plansShowValuesAndSkippedSteps() throws {
        let outcome = try Session(["Lanes/release.yml": Session.release]).run("release", "1.2.3", "--plan")
        expectGolden(outcome.transcript, "plan.txt")
        let json = try Session(["Lanes/release.yml": Session.release]).run("release", "1.2.3", "--plan", "--json")
        expectGolden(json.output, "plan.json")
    }

    /// The value of a parameter is for the expressions of the lane, also if a setting has its name.
    @Test func parametersDoNotReplaceSettings() throws {
        let lane = """
            parameters: { shard: { type: int, default: 1 } }
            steps: [test: { shard: "${{ parameters.shard }}/4" }]
            """
        let plan = try Session(["Lanes/a.yml": lane]).run("a", "--shard", "2", "--plan").output
        #expect(plan.contains("part 2/4"), "\(plan)")
    }

    @Test func plansShowTheWorkingDirectory() throws {
        let lane = """
            directory: Site
            steps:
              - { id: a, run: npm test }
              - { run: npm test, directory: "${{ env.OTHER }}", env: { OTHER: Other } }
              - { run: npm test, directory: "${{ steps.a.x }}" }
            """
        let plan = try Session(["Lanes/web.yml": lane]).run("web", "--plan").output
        #expect(
            plan == """
                web: 3 steps
                  web/a      npm test (in 'Site')
                  web/run    npm test (in 'Other')
                  web/run-2  npm test (in '${{ steps.a.x }}')

                """)
    }

    /// A command line with a mistake undoes nothing. A required parameter may be missing.
    @Test(
        arguments: [
            (["--abort", "--verbos"], "Unknown option '--verbos'. Did you mean '--verbose'?"),
            (["--abort", "--dry-run"], "Unknown option '--dry-run'. Did you mean '--plan'?"),
            (["--abort", "a", "b"], "Unexpected argument 'b'"),
            (["--abort", "--plan"], "The options '--abort' and '--plan' exclude each other"),
            (["--resume", "--abort"], "The options '--abort' and '--resume' exclude each other"),
            (["--abort", "--step", "x"], "The options '--abort' and '--step' exclude each other"), (["--abort"], nil),
        ] as [([String], String?)])
    func theCommandLineIsReadBeforeAnythingIsTakenBack(words: [String], message: String?) throws {
        let lane = "transaction: true\nparameters: { name: { type: string, position: 1 } }\nsteps: [run: date]"
        var session = try Session(["Lanes/release.yml": lane])
        session.processes = EndlessProcesses()
        let outcome = try session.run(["release"] + words)
        guard let message else {
            let root = session.directory.path
            #expect(outcome.errors == "error: '\(root)' is not in a git repository with a checkout\nhint: git init\n")
            return
        }
        #expect(outcome.status == .usage)
        #expect(
            outcome.errors == """
                Error: \(message)
                Usage: lane release [<options>] [<name>]
                  See 'lane release --help' for more information.

                """)
    }

    /// A completion may have created the path.
    @Test(arguments: [
        ("file", "Sources/file"), ("../file", "file"), ("./file", "Sources/file"), ("..", "."), ("../../file", nil),
        ("/file", "/file"), ("", ""),
    ])
    func pathsAreRelativeToTheWorkingDirectory(word: String, path: String?) throws {
        let lane = """
            parameters: { file: { type: path, position: 1, default: given }, text: { type: string, default: x } }
            steps: [run: [echo, "<${{ parameters.file }}> <${{ parameters.text }}>"]]
            """
        let package = try Session(["Lanes/show.yml": lane, "Sources/a.swift": ""])
        let path = path ?? "\(parentDirectory(package.workingDirectory))/file"
        let session = try Session(in: "\(package.workingDirectory)/Sources")
        let plan = try session.run("show", word, "--text", word, "--plan").output
        #expect(plan == "show: 1 step\n  show/run  echo '<\(path)> <\(word)>'\n")
        #expect(
            try session.run("show", "--plan").output == """
                show: 1 step
                  show/run  echo '<given> <x>'

                """)
        #expect(try package.run("show", word, "--plan").output == "show: 1 step\n  show/run  echo '<\(word)> <x>'\n")
    }

    @Test func plansEvaluateConditionsOfLanesAndCalls() throws {
        var session = try Session([
            "Lanes/c.yml": """
            if: env.RUNC == 'yes'
            parameters: { x: { type: int, default: 1 } }
            steps:
              - lane: leaf
                if: parameters.x == 2
              - run: [echo, late]
                if: failure()
              - id: first
                run: [echo, first]
              - lane: leaf
                if: steps.first.kind == 'good'
            """,
            "Lanes/leaf.yml": "steps: [run: [echo, leaf]]",
        ])
        let skipped = try session.run("c", "--plan").output
        #expect(
            skipped.split(separator: "\n").dropFirst().allSatisfy {
                $0.hasSuffix("(skipped: \"env.RUNC == 'yes'\" of lane 'c' is false)")
            }, "\(skipped)")
        session.environment["RUNC"] = "yes"
        let plan = try session.run("c", "--plan").output
        #expect(
            plan == """
                c: 4 steps
                  c/leaf/run    echo leaf (skipped: 'parameters.x == 2' is false)
                  c/run         echo late (if failure())
                  c/first       echo first
                  c/leaf-2/run  echo leaf (if steps.first.kind == 'good')

                """)
        let json = try session.run("c", "--plan", "--json", "--x", "2").output
        #expect(!json.contains("is false") && json.contains("\"note\": \"if failure()\""), "\(json)")
    }

    @Test func plansUseVariablesOfTheirLane() throws {
        let text =
            "env: { SITE: build/site }\nsteps:\n  - run: [ls, \"${{ env.SITE }}/${{ env.PART }}\"]\n    env: { PART: \"a${{ env.SITE }}\" }\n"
        let outcome = try Session(["Lanes/x.yml": text]).run("x", "--plan")
        #expect(outcome.output == "x: 1 step\n  x/run  ls build/site/abuild/site\n")
    }

    @Test func plansDoNotEvaluateOutputsOfSteps() throws {
        let session = try Session([
            "Lanes/x.yml": """
            steps:
              - id: one
                run: [make, something]
              - run: [echo, "${{ steps.one.made }}", "${{ default(steps.one.made, 'nothing') }}"]
              - run: echo ${{ default(steps.one.made, 'nothing') }}
              - tag: { name: "${{ default(steps.one.made, 'nothing') }}" }
            """
        ])
        #expect(
            try session.run("x", "--plan").output == """
                x: 4 steps
                  x/one    make something
                  x/run    echo ${{ steps.one.made }} ${{ default(steps.one.made, 'nothing') }}
                  x/run-2  echo ${{ default(steps.one.made, 'nothing') }}
                  x/tag    tag

                """)
    }

    @Test func plansContainTheNextVersion() throws {
        let package = try GitFixture("shape")
        try package.write("let package = Package(name: \"shape\")\n", to: "Package.swift")
        try package.write("public let shapeVersion = \"1.2.0\"\n", to: "Sources/Version.swift")
        try package.commit("Begin")
        try package.git("tag v1.2.0")
        try package.commit("feat: more")
        var session = try Session(in: package.path)
        session.environment = package.environment
        session.processes = ChildRunner()
        func steps(_ words: String...) throws -> String {
            let lines = try session.run(["release"] + words + ["--plan"]).output.lines
            return lines.filter { !$0.hasPrefix("      ") }.map { $0 + "\n" }.joined()
        }
        try package.shell("mkdir -p dist .git/info; echo dist/ > .git/info/exclude")
        let manifest = """
            {"type": "urn:lane:manifest:1", "version": "1.2.0", "commit": "0", "changes": [], "files":
            [{"name": "shape-1.2.0-linux-x86_64.tar.gz", "size": 123456, "sha256": "0"}]}
            """
        try package.write(manifest, to: "dist/shape-1.2.0-linux-x86_64.manifest.json")
        let before = try package.state()
        expectGolden(try session.run("release", "minor", "--plan").output, "plan-details.txt")
        expectGolden(try session.run("release", "minor", "--plan", "--json").output, "plan-details.json")
        let plan = try steps("minor")
        #expect(
            plan == """
                release: 10 steps
                  in a private worktree, applied when all steps have succeeded:
                  release/require       require a clean checkout and that 1.3.0 (minor after 1.2.0) can be released from 'main'
                  release/require-2     require a value in GITHUB_TOKEN, a remote that accepts the release and curl (skipped: 'parameters.publish || parameters.pull-request' is false)
                  release/bump          write 1.3.0 (minor after 1.2.0) to Sources/Version.swift
                  release/changelog     write the section of 1.3.0 in CHANGELOG.md, a new file
                  release/commit        commit as 'Release 1.3.0'
                  release/test          runs the tests
                  release/pull-request  push the commit to a branch of origin, and open its pull request on GitHub or update it (skipped: 'parameters.pull-request' is false)
                  release/package       package all products in dist
                  release/tag           tag the commit 'v1.3.0'
                  after the transaction is applied:
                  release/publish       push branch and tag to origin, create or complete the GitHub release of the version tag of HEAD: create a draft, upload the files of package and checksum, and publish it (skipped: 'parameters.publish' is false)

                """)
        try package.write("# Changes\n\n## 1.3.0\n\nBy hand.\n", to: "CHANGELOG.md")
        #expect(
            try steps("minor")
                == plan.replacing(
                    "write the section of 1.3.0 in CHANGELOG.md, a new file",
                    with: "keep the section of 1.3.0 in CHANGELOG.md"
                )
                .replacing(
                    "can be released from 'main'", with: "can be released from 'main' (would fail now)"
                )
                + "✘ release/require would fail now: the checkout is not clean: CHANGELOG.md\n    hint: commit, stash or ignore them\n"
        )
        try package.shell("rm CHANGELOG.md")
        #expect(try steps() == plan.replacing("minor after 1.2.0", with: "computed from the commits after 1.2.0"))
        let json = try session.run("release", "minor", "--plan", "--json").output
        #expect(json.contains("\"version\": \"1.3.0\"") && json.contains("\"tag\": \"v1.3.0\""), "\(json)")
        #expect(!json.contains("Lanes/"), "built-in lanes have no file: \(json)")
        #expect(try package.state() == before)
    }

    @Test func plansContainReasonsForAFailure() throws {
        let package = try GitFixture("shape")
        try package.write("let package = Package(name: \"shape\")\n", to: "Package.swift")
        try package.commit("Begin")
        try package.git("tag 1.2.0")
        try package.write("new\n", to: "stray.txt")
        var session = try Session(in: package.path)
        session.environment = package.environment
        session.processes = ChildRunner()
        expectGolden(try session.run("release", "1.1.0", "--plan").transcript, "plan-that-would-fail.txt")
    }

    @Test func theFirstReleaseNeedsAVersion() throws {
        let package = try GitFixture("shape")
        try package.write("let package = Package(name: \"shape\")\n", to: "Package.swift")
        try package.write(
            """
            parameters: { version: { type: version, default: minor } }
            steps: [bump: "${{ parameters.version }}"]
            """, to: "Lanes/next.yml")
        try package.write("steps: [lane: next]\n", to: "Lanes/ship.yml")
        try package.write("steps: [bump: auto]\n", to: "Lanes/bump.yml")
        try package.commit("Begin")
        var session = try Session(in: package.path)
        session.environment = package.environment
        session.processes = ChildRunner()
        let message = "✘ release/require would fail now: there is no earlier version\n    hint: "
        let plan = try session.run("release", "--plan")
        #expect(plan.status == .refused)
        #expect(
            plan.output.hasSuffix(message + "name the first version: lane release --version 0.1.0\n"),
            "\(plan.transcript)")
        for words in [["0.1.0"], ["--version", "0.1.0"]] {
            #expect(try session.run(["release"] + words + ["--plan"]).status == .done)
        }
        #expect(try session.run("next", "--plan").output.hasSuffix("lane next --version 0.1.0\n"))
        #expect(try session.run("next", "--version", "0.1.0", "--plan").status == .done)
        for lane in ["ship", "bump"] {
            let other = try session.run(lane, "--plan").output
            #expect(other.contains("hint: set the version, for example 0.1.0\n"), "\(other)")
        }
    }

    @Test func aReleaseNeedsACommit() throws {
        let package = try GitFixture("shape")
        try package.write("let package = Package(name: \"shape\")\n", to: "Package.swift")
        var session = try Session(in: package.path)
        session.environment = package.environment
        session.processes = ChildRunner()
        let plan = try session.run("release", "0.1.0", "--plan")
        #expect(plan.status == .refused)
        #expect(plan.output.contains("would fail now: there is no commit yet\n"), "\(plan.transcript)")
        #expect(!plan.output.contains("fatal:"), "\(plan.transcript)")
    }

    @Test func commandsOfListsAreShownOnce() throws {
        var session = try Session(["Lanes/x.yml": "steps: [run: [echo, \"a b\", \"it's\"]]\n"])
        session.processes = ChildRunner()
        #expect(try session.run("x", "--plan").output == "x: 1 step\n  x/run  echo 'a b' 'it'\\''s'\n")
        expectGolden(try session.run("x").transcript, "quoted-command.txt")
    }

    @Test(arguments: ["en_US.UTF-8", "C"])
    func scriptsAreNamedByTheirFirstCommand(_ language: String) throws {
        let script =
            "steps:\n  - run: |\n      #!/bin/bash\n      # Greets.\n      set -eu\n      echo one\n      echo two\n"
        var session = try Session(["Lanes/x.yml": script])
        session.processes = ChildRunner()
        session.environment["LC_ALL"] = language
        let lines = try session.run("x").output.lines
        #expect(lines.first?.hasSuffix(" echo one …") == true, "\(lines)")
    }

    @Test func multilineScriptsKeepTheColumns() throws {
        let text = "steps:\n  - run: |\n      echo one\n      echo two\n    if: ci.name == 'github'\n  - run: [date]\n"
        let plan = try Session(["Lanes/x.yml": text]).run("x", "--plan").output
        expectGolden(plan, "multiline-plan.txt")
    }
}
