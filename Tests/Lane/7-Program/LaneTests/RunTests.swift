import CLibrary
import OperatingSystem
import TestSupport
import Testing
import Text

/// Tests that run lanes in a temporary directory.
@Suite struct RunTests {
    private func session(_ files: [String: String]) throws -> Session {
        var session = try Session(files)
        session.processes = ChildRunner()
        return session
    }

    @Test func variablesComeFromDotEnvAndSecretsAreMasked() throws {
        let session = try session([
            ".env": "TOKEN=hunter2hunter2\nPLACE='a b'\n",
            "Lanes/show.yml": """
            dotenv: [.env, { path: local.env, optional: true }]
            secrets: [TOKEN]
            steps:
              - run: echo "token=$TOKEN place=$PLACE"
                secrets: [TOKEN]
            """,
        ])
        let outcome = try session.run("show")
        expectGolden(outcome.transcript, "masked-secret.txt")
        #expect(try session.directory.read(".lane/logs/show/run.log") == "token=*** place=a b\n")
    }

    /// A password manager provides the variables through a pipe, which only a run of the lane reads.
    @Test func aDotEnvFileCanBeAPipe() throws {
        let session = try session([
            "Lanes/show.yml": """
            dotenv: [.env]
            secrets: [TOKEN]
            steps:
              - run: '[ "$TOKEN" = hunter2hunter2 ]'
                secrets: [TOKEN]
            """,
            "Lanes/other.yml": "steps: [run: [\"true\"]]\n",
        ])
        let pipe = "\(session.directory.path)/.env"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(try session.run("check").status == .done)
        #expect(try session.run("other").status == .done)
        let writer = Thread {
            let descriptor = open(pipe, O_WRONLY)
            _ = write(descriptor, "TOKEN=hunter2hunter2\n", 21)
            close(descriptor)
        }
        let outcome = try session.run("show")
        #expect(outcome.status == .done, "\(outcome.transcript)")
        try #require(writer).join()
    }

    @Test(arguments: CIService.all)
    func expressionsNameTheServiceWithoutTheCommonVariable(_ service: CIService) throws {
        var session = try session([
            "Lanes/show.yml": "steps:\n  - run: [echo, \"it is ${{ ci.name }}: ${{ ci.active }}\"]\n"
        ])
        session.environment[service.variable] = "true"
        let outcome = try session.run("show")
        #expect(outcome.output.contains("it is \(service.name): true"), "\(outcome.transcript)")
    }

    @Test func missingDotEnvFilesAreReported() throws {
        let session = try session(["Lanes/show.yml": "dotenv: [gone.env]\nsteps: [run: [date]]\n"])
        let outcome = try session.run("show")
        expectGolden(outcome.transcript, "missing-dotenv.txt")
    }

    @Test func customActionsHaveSettingsAndOutputs() throws {
        let session = try session([
            "Lanes/greet.yml": """
            steps:
              - greet: world
                id: greeting
              - run: [echo, "it said ${{ steps.greeting.words }} words"]
            """
        ])
        try session.directory.write(
            """
            #!/bin/sh
            case $1 in
            describe) echo '{"summary": "Greets", "shorthand": "name", "settings": [
                {"name": "name", "type": "string", "required": true, "help": "Whom"}]}' ;;
            run) cat; echo '{"message": "greeted"}'; echo '{"output": {"words": 2}}' ;;
            esac
            """, to: "Lanes/actions/greet", mode: 0o755)
        let outcome = try session.run("greet")
        expectGolden(outcome.transcript, "custom-action.txt")
    }

    @Test func commandsHaveOutputs() throws {
        var session = try session([
            "Lanes/count.yml": """
            matrix: { n: [1, 2] }
            steps:
              - parallel:
                  - id: one
                    run: echo "v=of ${{ matrix.n }}" >> "$LANE_OUTPUT"
                  - id: two
                    run: [sh, -c, 'printf "lines<<END\\na\\nb\\nEND\\n" >> "$LANE_OUTPUT"']
              - id: none
                run: "true"
              - run: echo "${{ steps.one.v }}:${{ steps.two.lines }}:${{ default(steps.none.v, 'none') }}:${LANE_OUTPUT-unset}"
              - id: bad
                if: matrix.n == 2
                run: echo nothing >> "$LANE_OUTPUT"
            always:
              - run: echo "at last ${{ default(steps.one.v, 'none') }} ${{ default(steps.bad.v, 'none') }}"
            """
        ])
        try session.directory.write("", to: "tmp/x")
        session.environment["TMPDIR"] = "\(session.directory.path)/tmp"
        session.environment["LANE_OUTPUT"] = "of another lane"
        let outcome = try session.run("count", "--jobs", "1")
        expectGolden(outcome.transcript, "outputs-of-commands.txt")
        #expect(try listDirectory("\(session.directory.path)/tmp") == ["x"])
    }

    @Test func blocksOfOneLineAreShownOnOneLine() throws {
        let session = try session(["Lanes/x.yml": "steps:\n  - run: |\n      echo one\n  - run: [date]\n"])
        #expect(try session.run("x", "--plan").output.hasPrefix("x: 2 steps\n  x/run    echo one\n  x/run-2  date"))
        #expect(try session.run("x").output.hasPrefix("▸ echo one\none\n"))
    }

    @Test func stepsRunWithoutAFileForOutputs() throws {
        var session = try session(["Lanes/x.yml": "steps: [{ id: one, run: [echo, done] }]\n", ".lane/outputs": ""])
        session.environment["TMPDIR"] = "\(session.directory.path)/gone"
        let outcome = try session.run("x")
        expectGolden(outcome.transcript, "no-file-for-outputs.txt")
    }

    @Test func failedStepsNameTheCommandToRunThemAgain() throws {
        let session = try session(["Lanes/x.yml": "steps:\n  - run: [echo, one]\n  - run: exit 7\n    id: bad\n"])
        let runs = [
            try session.run("x"), try session.run("x", "--step", "x/bad"), try session.run("x", "--step", "x/bda"),
        ]
        expectGolden(runs.map(\.transcript).joined(), "step-again.txt")
        #expect(try session.run("x", "--step", "bad").status.rawValue == 7)
    }

    @Test func uniqueEndsOfStepIDsAreSufficient() throws {
        let session = try session([
            "Lanes/x.yml": "matrix: { n: [1, 2] }\nsteps:\n  - { id: one, run: [echo, \"of ${{ matrix.n }}\"] }\n"
        ])
        expectGolden(try session.run("x", "--step", "x[n=2]/one").transcript, "one-step.txt")
        #expect(
            try session.run("x", "--step", "one").errors == """
                error: lane 'x' has 2 steps 'one'
                hint: use one of: 'x[n=1]/one' or 'x[n=2]/one'

                """)
    }

    @Test func runsThatCannotBeResumedAreRejected() throws {
        let session = try session(["Lanes/x.yml": "steps:\n  - run: [date]\n  - run: [date]\n"])
        let outcome = try session.run("x", "--resume")
        #expect(outcome.status == .refused && outcome.output == "")
        #expect(outcome.errors == "error: lane 'x' cannot be resumed: it has not run here before\n")
    }

    @Test func commandsToRunStepsAgainAreQuoted() throws {
        let session = try session([
            "Lanes/x.yml": "matrix: { q: [x y] }\nsteps:\n  - run: [echo, one]\n  - run: exit 7\n    id: two\n"
        ])
        expectGolden(try session.run("x").transcript, "quoted-step.txt")
    }

    @Test func singleStepsAreRunAgainByTheirLane() throws {
        let session = try session(["Lanes/x.yml": "steps:\n  - run: exit 7\n"])
        let outcome = try session.run("x", "--quiet", "--events", "e.jsonl", "--junit=j.xml", "--force")
        expectGolden(outcome.transcript, "single-step-again.txt")
    }

    @Test func stepsOfATransactionCannotRunAlone() throws {
        let session = try session([
            "Lanes/x.yml": "transaction: true\nsteps:\n  - run: exit 7\n  - run: date\nthen:\n  - run: date\n"
        ])
        let git = GitFixture.isolation
        var runner = session
        runner.environment.merge(git) { $1 }
        let script = "git init -q -b main && git add Lanes && git commit -q -m Begin"
        let made = try ChildRunner().capture(
            Command("sh", ["-c", script], environment: runner.environment, directory: session.directory.path))
        #expect(made.report.succeeded, "\(made.errorText)")
        let outcome = try runner.run("x")
        #expect(outcome.status.rawValue == 7)
        #expect(
            redacted(outcome.output) == """
                ▸ exit 7
                ✘ exit 7: exit status 7
                note: nothing has been changed in the repository

                Steps
                  ✘ exit 7  <time>  failed with exit status 7
                  ○ date          -  skipped: 'exit 7' failed
                  ○ date          -  skipped: 'exit 7' failed

                ✘ x failed with exit status 7 after <time>

                """)
    }

    /// Variables of a hook and the configuration of the user do not affect git.
    @Test func gitIsCalledForTheDirectory() throws {
        var session = try session(["Lanes/x.yml": "steps:\n  - run: echo ${{ git.branch }} ${{ git.clean }}\n"])
        session.environment.merge(GitFixture.isolation) { $1 }
        let script = """
            git init -q -b main && git add Lanes && git commit -q -m Begin && git init -q -b other elsewhere
            git config status.showUntrackedFiles no
            """
        let made = try ChildRunner().capture(
            Command("sh", ["-c", script], environment: session.environment, directory: session.directory.path))
        #expect(made.report.succeeded, "\(made.errorText)")
        session.environment["GIT_DIR"] = "\(session.directory.path)/elsewhere/.git"
        #expect(
            try redacted(session.run("x").output) == """
                ▸ echo main false
                main false

                ✔ x passed in <time>

                """)

        // The build directory is not a change, even if git does not ignore it.
        session.environment["GIT_DIR"] = nil
        try removeTree("\(session.directory.path)/elsewhere")
        try session.directory.write("built", to: ".build/product")
        try session.directory.write(".output\n.errors\n", to: ".git/info/exclude")
        #expect(
            try redacted(session.run("x").output) == """
                ▸ echo main true
                main true

                ✔ x passed in <time>

                """)
    }

    @Test func descriptionsOfActionsAreCached() throws {
        let session = try session(["Lanes/greet.yml": "steps: [greet: {}]\n"])
        func action(_ summary: String) -> String {
            "#!/bin/sh\n[ \"$1\" = run ] || { echo x >> asked; echo '{\"summary\": \"\(summary)\"}'; }\n"
        }
        func timesAsked() -> Int { ((try? session.directory.read("asked")) ?? "").count / 2 }
        try session.directory.write(action("Greets"), to: "Lanes/actions/greet", mode: 0o755)
        // Commands that change nothing do not write the cache.
        _ = try session.run("greet", "--plan")
        #expect(!fileExists("\(session.directory.path)/.lane"))
        #expect(try session.run("greet").status == .done)
        let before = timesAsked()
        for _ in 0..<2 { #expect(try session.run("greet").status == .done) }
        #expect(timesAsked() == before + 1)
        try session.directory.write(action("Greets all"), to: "Lanes/actions/greet", mode: 0o755)
        #expect(try session.run("schema").output.contains("Greets all"))
        #expect(timesAsked() == before + 2)
        // `check` ignores the cache.
        #expect(try session.run("check").status == .done)
        #expect(timesAsked() == before + 3)
    }

    @Test func filesOfRunsAreIgnoredByGit() throws {
        let session = try session(["Lanes/x.yml": "steps: [run: [date]]\n"])
        _ = try session.run("x")
        #expect(try session.directory.read(".lane/.gitignore") == "*\n")
    }

    @Test func reportsAreWrittenToTheGivenFiles() throws {
        let session = try session(["Lanes/x.yml": "steps: [run: [echo, hello]]\n"])
        _ = try session.run("x", "--events", "out/run.jsonl", "--summary", "out/summary.md")
        let events = try session.directory.read("out/run.jsonl").split(separator: "\n")
        #expect(
            events.first
                == #"{"event":"runStarted","number":1,"at":0,"version":1,"lane":"x","startedAt":1700000000,"steps":[{"id":"x/run","name":"echo hello"}]}"#
        )
        #expect(events.last?.contains(#""event":"runEnded""#) == true)
        #expect(try !session.directory.read("out/summary.md").isEmpty)
    }
}
