import OperatingSystem
import TestSupport
import Testing
import Text

/// Tests of what a new user types first.
@Suite struct FirstStepsTests {
    private func session(_ files: [String: String]) throws -> Session {
        var session = try Session(files)
        session.processes = ChildRunner()
        return session
    }

    @Test func aDefaultLaneRunsWithoutAName() throws {
        let session = try session([
            "Lanes/a.yml": "summary: First\nsteps: [run: [date]]\n",
            "Lanes/b.yml": "summary: Second\naliases: [bee]\ndefault: true\nsteps: [run: [echo, here]]\n",
        ])
        #expect(try session.run().output.contains("b passed"))
        #expect(try session.run("-C", ".").output.contains("b passed"))
        #expect(try session.run("list").output == "a  First\nb  Second (default, bee)\n")
        #expect(try session.run("list", "--json").output.contains("\"default\": true"))
    }

    @Test func optionsWithoutALaneNameIt() throws {
        let steps = "steps: [run: [echo, here]]\n"
        let session = try session(["Lanes/b.yml": "default: true\nparameters: { dry: bool }\n\(steps)"])
        for word in ["--dry", "--plan", "-q"] {
            let outcome = try session.run(word)
            #expect(outcome.status == .usage)
            #expect(
                outcome.errors == """
                    error: unknown option '\(word)'
                    hint: options of a lane follow its name: 'lane b \(word)'

                    """)
        }
        let other = try self.session(["Lanes/b.yml": steps])
        #expect(try other.run("--plan").errors.contains("'lane NAME --plan'"))
        #expect(try other.run("--plan", "b", "--json").errors.contains("'lane b --plan --json'"))
        #expect(try other.run("--dry").errors.hasPrefix("Error: Unknown option '--dry'\n"))
    }

    @Test func aVariadicParameterTakesTheRemainingWords() throws {
        let session = try session([
            "Lanes/b.yml": """
            parameters:
              mode: { type: enum, values: [fast, slow], position: 1 }
              files: { type: path, variadic: true, position: 2, default: [Sources] }
              tag: { variadic: true }
            steps:
              - run: printf '<%s>' ${{ parameters.files }} ${{ parameters.tag }}
              - foreach: ${{ parameters.files }}
                run: [printf, "(%s)", "${{ item }}"]

            """,
            "Lanes/c.yml": "steps: [run: [date]]\n",
        ])
        for (words, output) in [
            ("fast|a b|*|c$d", ["<a b><*><c$d>", "(a b)", "(*)", "(c$d)"]),
            ("fast|--tag|1|--tag=2|x", ["<x><1><2>", "(x)"]),
            ("slow", ["<Sources>", "(Sources)"]),
            ("--files=a|--files|b|--mode|fast", ["<a><b>", "(a)", "(b)"]),
            ("fast|--|-x|c", ["<-x><c>", "(-x)", "(c)"]),
        ] {
            let outcome = try session.run(["b", "-v"] + words.split(separator: "|").map(String.init))
            #expect(outcome.status == .done, "\(outcome.transcript)")
            for text in output { #expect(outcome.output.contains(text), "\(outcome.transcript)") }
        }
        #expect(try session.run("b", "--help").output.contains("[<files> ...]"))
        #expect(try session.run("b", "fast", "x", "c", "--plan").status == .done)
        #expect(try session.run("list", "--json").output.contains("\"variadic\": true"))
    }

    @Test func aLaneFileWithTheNameOfACommand() throws {
        let session = try session(["Lanes/ci.yml": "steps: [run: date]\n", "Lanes/b.yml": "steps: [run: date]\n"])
        let outcome = try session.run("ci")
        #expect(outcome.status == .refused)
        #expect(outcome.errors == "error: 'ci' is a command, so 'Lanes/ci.yml' is no lane\nhint: rename the file\n")
    }

    @Test func aReplayOfACutFileFails() throws {
        let session = try session(["Lanes/b.yml": "steps: [run: [echo, here]]\n"])
        #expect(try session.run("b", "--events", "all.jsonl").status == .done)
        #expect(try session.run("history", "show", "all.jsonl").status == .done)
        let lines = try readText("\(session.directory.path)/all.jsonl").split(separator: "\n")
        try session.directory.write(lines.dropLast().joined(separator: "\n") + "\n", to: "cut.jsonl")
        let outcome = try session.run("history", "show", "cut.jsonl", "--junit", "cut.xml")
        #expect(outcome.status == .refused)
        #expect(outcome.output.contains("the events end before the run"))
        #expect(fileExists("\(session.directory.path)/cut.xml"))
    }

    @Test(arguments: [
        ("steps: [echo hi]\n", "write 'run: echo hi' for a command"),
        ("steps: [run echo hi]\n", "write 'run: echo hi'"),
        ("env: [A=b]\nsteps: [run: x]\n", "write 'NAME: value', without '-' before it"),
        ("steps: [test: { retry: 2 }]\n", "did you mean 'retries'?"),
        ("timeout: 5min\nsteps: [run: x]\n", "write 5m"), ("timeout: 1 hour\nsteps: [run: x]\n", "write 1h"),
        ("steps:\n  - run: {{ foo }}\n", "quote a string that starts with '{'; an expression is '${{ … }}'"),
    ])
    func aMistakeInALaneFileHasAHint(_ text: String, _ hint: String) throws {
        let outcome = try session(["Lanes/a.yml": text]).run("check")
        #expect(outcome.errors.contains("\nhint: \(hint)\n"), "\(outcome.errors)")
    }

    @Test(arguments: ["a.yml", "a.yaml", "lanes/a.yml", ".lanes/a.yml", "Lane/a.yml"])
    func aLaneFileInAnotherDirectoryIsNamed(_ path: String) throws {
        let session = try session(["Lanes/b.yml": "private: true\nsteps: [run: x]\n", path: "steps: [run: x]\n"])
        #expect(try session.run("a").errors.hasSuffix("hint: move '\(path)' to 'Lanes/a.yml'\n"))
        #expect(try session.run("b").errors.hasSuffix("hint: run a lane that uses it, or remove 'private: true'\n"))
    }

    @Test func aWrongValueOnTheCommandLineHasAHint() throws {
        let session = try session(["Lanes/a.yml": "parameters: { v: version, d: duration }\nsteps: [run: x]\n"])
        for (word, hint) in [("--v=v1.2.0", "; remove the 'v': 1.2.0\n"), ("--d=30", "; write 30s for seconds\n")] {
            #expect(try session.run("a", word).errors.contains(hint))
        }
    }

    @Test func onlyOneLaneIsTheDefault() throws {
        let session = try Session([
            "Lanes/a.yml": "default: true\nsteps: [run: [date]]\n",
            "Lanes/b.yml": "default: true\nsteps: [run: [date]]\n",
            "Lanes/c.yml": "default: true\nprivate: true\nsteps: [run: [date]]\n",
        ])
        let outcome = try session.run("check")
        #expect(outcome.status == .refused)
        #expect(outcome.errors.contains("error: there are two default lanes: 'a' and 'b'\n"), "\(outcome.errors)")
        #expect(outcome.errors.contains("Lanes/c.yml:1:1: error: a private lane cannot be the default\n"))
    }

    private static let deploy = ["Lanes/deploy.yml": "confirm: Deploy?\nsteps: [run: [echo, deployed]]\n"]

    @Test(arguments: [("y", true), ("Yes", true), ("", false), ("n", false), ("yess", false)])
    func aLaneAsksBeforeItRuns(_ answer: String, runs: Bool) throws {
        var session = try session(
            Self.deploy.merging(["Lanes/all.yml": "steps: [lane: deploy]\n"]) { $1 })
        session.readLine = { question, isHidden in question == "Deploy? [y/N] " && !isHidden ? answer : nil }
        for lane in ["deploy", "all"] {
            let outcome = try session.run(lane)
            #expect(outcome.output.contains("deployed") == runs, "\(outcome.transcript)")
            #expect(outcome.status == (runs ? .done : .refused))
        }
        #expect(try session.run("deploy", "--plan").status == .done)
    }

    @Test func withoutATerminalTheAnswerIsAnOption() throws {
        var session = try session(Self.deploy)
        let refused = try session.run("deploy")
        #expect(refused.status == .refused)
        #expect(
            refused.errors == """
                error: there is no terminal for the question 'Deploy?'
                hint: add '--yes' to answer it

                """)
        #expect(try session.run("deploy", "-y").output.contains("deployed"))
        session.environment["CI"] = "true"
        #expect(try session.run("deploy").output.contains("deployed"))
    }

    @Test func aStepSetsVariablesOfLaterSteps() throws {
        let session = try session([
            "Lanes/a.yml": """
            env: { FIXED: lane }
            steps:
              - id: set
                run: |
                  echo "PLACE=a b" >> "$LANE_ENV"
                  echo "FIXED=step" >> "$LANE_ENV"
                  echo "LINES<<END
                  1
                  2
                  END" >> "$LANE_ENV"
              - run: echo "place=$PLACE fixed=$FIXED lines=$(echo "$LINES" | wc -l)"
              - run: [echo, "read ${{ env.PLACE }}"]
                if: env.PLACE == 'a b'
              - lane: other
            """,
            "Lanes/other.yml": "steps:\n  - run: echo \"other=${PLACE:-none}\"\n",
        ])
        #expect(try session.run("a", "--plan").output.contains("(if env.PLACE == 'a b')"))
        let outcome = try session.run("a")
        for line in ["place=a b fixed=lane lines=2\n", "read a b\n", "other=none\n"] {
            #expect(outcome.output.contains(line), "\(outcome.transcript)")
        }
        // A later run has the variables of the last one.
        #expect(try session.run("a", "--step", "a/run").output.contains("place=a b"))
    }

    @Test(arguments: [
        ("1X=1", "which is not a valid name of a variable"), ("a-b=1", "hint: use letters, digits and '_'"),
        ("LANE_CHILD=x", "hint: use a name without 'LANE_' at its start"),
    ])
    func aStepCannotSetOtherNames(_ line: String, _ message: String) throws {
        let session = try session([
            "Lanes/a.yml": "steps:\n  - id: set\n    run: echo '\(line)' >> \"$LANE_ENV\"\n"
        ])
        let outcome = try session.run("a")
        #expect(outcome.status == .failed)
        #expect(outcome.output.contains(message), "\(outcome.transcript)")
    }

    @Test(arguments: [
        (
            ["run", "test"],
            "error: there is no lane 'run'\nhint: every lane is a command: 'lane test', not 'lane run test'\n"
        ),
        (["--test"], "error: unknown option '--test'\nhint: did you mean 'lane test'?\n"),
        (["--init"], "error: unknown option '--init'\nhint: did you mean 'lane init'?\n"),
        (
            ["history", "import", "none.jsonl"],
            "error: could not read '<directory>/none.jsonl': No such file or directory\n"
        ),
    ])
    func mistakesAreExplained(_ words: [String], _ message: String) throws {
        let session = try Session(["Package.swift": ""])
        let errors = try session.run(words).errors
        #expect(errors.replacing(session.directory.path, with: "<directory>") == message)
    }

    @Test func aMissingFileHasOneExitStatus() throws {
        let session = try session(["Package.swift": "", "Lanes/a.yml": "steps: [run: [./none]]\n"])
        for words in [
            ["history", "import", "none"], ["history", "show", "none"], ["merge", "none"],
            ["condense", "none"], ["-C", "none", "list"], ["test", "--from", "none"], ["a"],
        ] {
            #expect(try session.run(words).status == .fileNotFound, "\(words)")
        }
    }

    @Test func differencesAreThoseOfOneLane() throws {
        var session = try session([
            "Lanes/a.yml": "steps: [run: echo $$]\n", "Lanes/b.yml": "steps: [run: [date]]\n",
        ])
        for lane in ["a", "b", "a"] {
            #expect(try session.run(lane).status == .done)
            session.date += 1
        }
        #expect(try session.run("history", "diff").output.contains("step a/run, line 1: "))
        let outcome = try session.run("history", "diff", "2", "1")
        #expect(outcome.status == .usage)
        #expect(outcome.errors.hasPrefix("error: the runs have no test and no step in common\n"), "\(outcome.errors)")
    }

    @Test func theSchemaIsInstalledForEditors() throws {
        let session = try Session(["Lanes/a.yml": "steps: [run: [date]]\n", "Sources/x": ""])
        let outcome = try session.run("-C", "Sources", "schema", "--install")
        #expect(
            outcome.output == """
                written  .lane/schema.json
                next     add this line to .vscode/settings.json, and install the extension 'redhat.vscode-yaml':

                  "yaml.schemas": { ".lane/schema.json": "Lanes/*.yml" }

                """, "\(outcome.errors)")
        #expect(try session.directory.read(".lane/schema.json") == session.run("schema").output)
        #expect(try session.directory.read(".lane/.gitignore") == "*\n")
    }

    @Test func theHelpOfALaneHasItsOwnOptions() throws {
        let session = try Session([
            "Lanes/a.yml": "parameters: { target: string }\nsteps: [test: {}]\n"
        ])
        let brief = try session.run("a", "--help").output
        let all = try session.run("a", "--help-all").output
        for option in ["--target", "--filter", "--failed", "--help-all"] {
            #expect(brief.contains(option))
        }
        for option in ["--keep-going", "--junit", "--retries"] {
            #expect(!brief.contains(option))
            #expect(all.contains(option))
        }
        #expect(brief.split(separator: "\n").count < 40)
    }

    @Test func doctorReportsOldTools() throws {
        var session = try session(["Package.swift": "// swift-tools-version: 6.1\n"])
        for (tool, version) in [
            ("swift", "Swift version 5.10.1 (swift-5.10.1-RELEASE)"), ("git", "git version 2.25.1"),
        ] {
            try session.directory.write("#!/bin/sh\necho '\(version)'\n", to: "bin/\(tool)", mode: 0o755)
        }
        session.environment["PATH"] = "\(session.directory.path)/bin"
        let outcome = try session.run("doctor")
        #expect(outcome.status == .toolMissing)
        for line in [
            "✘ swift    Swift version 5.10.1 (swift-5.10.1-RELEASE), which is too old: expected >= 6.0; see https://",
            "✘ git      git version 2.25.1, which is too old: expected >= 2.31; apt-get install git",
            "✘ package  Package.swift needs Swift 6.1, found Swift version 5.10.1",
        ] {
            #expect(outcome.output.contains(line), "\(outcome.output)")
        }
    }
}
