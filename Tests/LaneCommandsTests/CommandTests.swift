import Arguments
import Diagnostics
import Processes
import TestSupport
import Testing

@testable import LaneCommands

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

private let release = """
    summary: Cut a release
    parameters:
      version: { type: version, position: 1, required: true, help: The next version }
      publish: { type: bool, default: false, help: Publish it as well }
    steps:
      - run: [echo, "${{ parameters.version }}"]
      - run: [echo, published]
        if: ${{ parameters.publish }}
    """

@Suite struct CommandTests {
    @Test func aPackageWithoutLanesHasTheBuiltInOnes() throws {
        let outcome = try Session(["Package.swift": ""]).run()
        #expect(outcome.status == .done)
        for lane in ["build", "test", "package", "release"] {
            #expect(outcome.output.contains("\n\(lane) ") || outcome.output.hasPrefix(lane))
        }
        #expect(outcome.output.contains("built in"))
    }

    @Test func outsideOfAnyPackageThereIsAHint() throws {
        let outcome = try Session().run()
        #expect(outcome.status == .fileNotFound)
        #expect(outcome.errors.contains("no 'Lanes' folder") && outcome.errors.contains("hint: run 'lane init'"))
    }

    @Test func lanesAreFoundFromAFolderBelow() throws {
        let session = try Session(["Lanes/greet.yml": "steps: [run: [echo, hello]]", "Sources/a/b.swift": ""])
        let outcome = try session.run("-C", "Sources/a", "list")
        #expect(outcome.output == "greet\n")
    }

    @Test func helpComesFromTheLanesParameters() throws {
        let outcome = try Session(["Lanes/release.yml": release]).run("release", "--help")
        #expect(outcome.status == .done)
        #expect(outcome.output.hasPrefix("OVERVIEW: Cut a release.\n"))
        #expect(outcome.output.contains("USAGE: lane release [<options>] <version>"))
        #expect(outcome.output.contains("  --publish               Publish it as well.\n"))
    }

    @Test func aMissingParameterIsAUsageError() throws {
        let outcome = try Session(["Lanes/release.yml": release]).run("release")
        #expect(outcome.status == .usage)
        #expect(outcome.errors.contains("Missing expected argument '<version>'"))
    }

    @Test func optionsThatSayNothingTogetherAreUsageErrors() throws {
        let session = try Session(["Lanes/release.yml": release])
        let outcome = try session.run("release", "1.2.3", "--json", "-k", "--fail-fast", "--jobs", "0")
        #expect(outcome.status == .usage)
        #expect(
            outcome.errors.hasPrefix(
                """
                Error: The value '0' is invalid for '--jobs': expected a whole number from 1
                Error: The option '--json' goes with '--plan'
                Error: The options '--keep-going' and '--fail-fast' exclude each other
                Usage: lane release
                """), "\(outcome.errors)")
        #expect(try session.run("release", "1.2.3", "--jobs", "-1").status == .usage)
        #expect(try session.run("release", "1.2.3", "--plan", "--json", "-j2").status == .done)
    }

    @Test func aPlanShowsValuesAndWhatIsSkipped() throws {
        let outcome = try Session(["Lanes/release.yml": release]).run("release", "1.2.3", "--plan")
        #expect(outcome.status == .done)
        #expect(outcome.output.contains("echo 1.2.3"))
        #expect(
            outcome.output.contains("(skipped: '${{ parameters.publish }}' is false)")
                || outcome.output.contains("(skipped:"))
        let json = try Session(["Lanes/release.yml": release]).run("release", "1.2.3", "--plan", "--json")
        #expect(json.output.contains("\"lane\": \"release\""))
    }

    @Test func aPlanKnowsTheConditionsOfLanesAndOfWhatCallsThem() throws {
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
                $0.hasSuffix("(skipped: 'env.RUNC == 'yes'' of lane 'c' is false)")
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

    @Test func everyFaultInALaneFileIsToldAtOnce() throws {
        let session = try Session(["Lanes/test.yml": "sumary: x\nsteps:\n  - rnu: [true]\n  - run: 3\n"])
        let outcome = try session.run("check")
        #expect(outcome.status == .refused)
        #expect(
            outcome.errors.contains("Lanes/test.yml:1:1: error:") && outcome.errors.contains("did you mean 'summary'?"))
        #expect(outcome.errors.contains("Lanes/test.yml:3:5: error:") && outcome.errors.contains("did you mean 'run'?"))
        #expect(try session.run("test").status == .refused)
    }

    @Test func anActionThatDoesNotDescribeItselfInTimeIsTold() throws {
        var session = try Session(["Lanes/a.yml": "steps: [run: [date]]\n"])
        session.processes = EndlessProcesses()
        try session.folder.write("#!/bin/sh\nsleep 60\n", to: "Lanes/actions/slow", mode: 0o755)
        #expect(
            try session.run("check").errors.hasPrefix(
                """
                error: 'Lanes/actions/slow describe' did not end within 10 s
                hint: started with the word 'describe', it shall print its settings
                """))
    }

    @Test func whatIsNoFileIsOneFaultAmongAll() throws {
        let session = try Session(["Lanes/a.yml": "needs: [dir]\nsumary: x\n", "Lanes/dir.yml/x": ""])
        let lanes = "\(session.folder.path)/Lanes"
        #expect(symlink("loop.yml", "\(lanes)/loop.yml") == 0)
        #expect(mkfifo("\(lanes)/pipe.yml", 0o600) == 0)
        let errors = try session.run("check").errors
        #expect(
            errors == """
                Lanes/a.yml:2:1: error: unknown key 'sumary' in a lane
                    sumary: x
                    ^~~~~~
                hint: did you mean 'summary'?
                Lanes/dir.yml:1:1: error: expected a file, found a folder
                Lanes/loop.yml:1:1: error: could not read 'Lanes/loop.yml': Too many levels of symbolic links
                Lanes/pipe.yml:1:1: error: expected a file, found a pipe
                4 errors in lane files

                """)
        #expect(try session.run("list").status == .refused)
    }

    @Test func noPipeIsReadForWhatCIDoes() throws {
        let session = try Session(["Lanes/a.yml": "steps: [run: [date]]\n", "Lanes/ci/x": ""])
        #expect(mkfifo("\(session.folder.path)/Lanes/ci/jobs.yml", 0o600) == 0)
        let errors = try session.run("check").errors
        #expect(errors.hasPrefix("Lanes/ci/jobs.yml:1:1: error: expected a file, found a pipe\n"))
    }

    @Test func onlyWhatCannotBeReadIsNoReasonForBuiltInLanes() throws {
        let outcome = try Session(["Lanes/dir.yml/x": ""]).run("list")
        #expect(outcome.status == .refused && !outcome.output.contains("built in"))
    }

    @Test func aDotEnvPipeIsRefused() throws {
        let session = try Session(["Lanes/a.yml": "dotenv: [x.env]\nsteps: [run: [date]]\n"])
        #expect(mkfifo("\(session.folder.path)/x.env", 0o600) == 0)
        let outcome = try session.run("a", "--plan")
        #expect(outcome.errors.hasPrefix("Lanes/a.yml:1:10: error: expected a file, found a pipe"))
    }

    @Test func aParameterMayNotHideAnOption() throws {
        let text = "parameters: { jobs: { type: int } }\nsteps: [run: [true]]\n"
        let outcome = try Session(["Lanes/x.yml": text]).run("check")
        #expect(outcome.status == .refused)
        #expect(outcome.errors.contains("parameter 'jobs' of lane 'x' is an option of every lane"))
    }

    @Test func aBooleanMayHaveAPosition() throws {
        let text = "parameters: { p: { type: bool, position: 1 } }\nsteps: [run: [echo, 'is ${{ parameters.p }}']]\n"
        let session = try Session(["Lanes/x.yml": text])
        #expect(try session.run("x", "true", "--plan").output.contains("is true"))
        #expect(try session.run("x", "--plan").output.contains("is false"))
    }

    @Test func helpIsAnOptionOfEveryLane() throws {
        let outcome = try Session(["Lanes/x.yml": "parameters: { help: bool }\nsteps: [run: [true]]\n"]).run("check")
        #expect(outcome.errors.contains("x.yml:1:15: error: parameter 'help' of lane 'x' is an option of every lane"))
    }

    @Test func aParameterMayNotBeTheInverseOfAnother() throws {
        func errors(_ other: String) throws -> String {
            let text = "parameters:\n  no-dry: bool\n  dry: { type: bool, default: \(other) }\nsteps: [run: [date]]\n"
            return try Session(["Lanes/x.yml": text]).run("check").errors
        }
        #expect(try errors("true").hasPrefix("Lanes/x.yml:2:3: error: '--no-dry' is what switches 'dry' off\n"))
        #expect(try errors("false") == "")
    }

    @Test func anUnknownLaneNamesTheNearest() throws {
        let outcome = try Session(["Package.swift": ""]).run("tset")
        #expect(outcome.status == .fileNotFound)
        #expect(outcome.errors == "error: there is no lane 'tset'\nhint: did you mean 'test'?\n")
    }

    @Test func initWritesOnlyWhatIsNotThere() throws {
        let session = try Session(["Lanes/test.yml": "steps: [run: [date]]\n"])
        let outcome = try session.run("init")
        #expect(outcome.output.contains("kept     Lanes/test.yml"))
        #expect(try session.folder.read("Lanes/test.yml") == "steps: [run: [date]]\n")
        #expect(try session.run("check").output == "4 lane files: all right\n")
    }

    @Test func aPlanKnowsTheVariablesOfItsLane() throws {
        let text =
            "env: { SITE: build/site }\nsteps:\n  - run: [ls, \"${{ env.SITE }}/${{ env.PART }}\"]\n    env: { PART: \"a${{ env.SITE }}\" }\n"
        let outcome = try Session(["Lanes/x.yml": text]).run("x", "--plan")
        #expect(outcome.output.contains("ls build/site/abuild/site"), "\(outcome.output)")
    }

    @Test func doctorMissesTools() throws {
        var session = try Session()
        session.environment["PATH"] = session.folder.path
        let outcome = try session.run("doctor")
        #expect(outcome.status == .toolMissing)
        #expect(
            outcome.output.contains(
                "swift   missing: needed for build, test, coverage, format, lint, docs, package; see swift.org/install")
        )
    }

    @Test func versionAndHelpGoToStandardOutput() throws {
        let session = try Session()
        #expect(try session.run("--version").output == LaneVersion.current + "\n")
        #expect(try session.run("version").output == LaneVersion.current + "\n")
        let help = try session.run("help", "check")
        #expect(help.output.hasPrefix("OVERVIEW: Check all lane files"))
        #expect(help.errors.isEmpty)
    }

    @Test func completionsAreThoseOfTheFolderThatIsNamed() throws {
        let text = "steps: [run: [date]]\n"
        var session = try Session(["Lanes/here.yml": text, "other/Lanes/there.yml": text])
        session.environment["HOME"] = session.folder.path
        for words in [["-C", "other"], ["-Cother"], ["--directory=other"], ["-C", "~/other"]] {
            let outcome = try session.run(["--complete"] + words + ["t"])
            #expect(outcome.output == "there\tRun the lane 'there'.\n:none\n", "\(words)")
        }
        #expect(try session.run("--complete", "-C", "nowhere", "").output == "")
        #expect(try session.run("--complete", "-C", "o").output == ":directories\n")
    }

    @Test func bashQuotesWhatItInserts() throws {
        var session = try Session([
            "Lanes/l.yml": "parameters: { p: { type: enum, values: [a b, 'a;c', plain] } }\nsteps: [run: [date]]\n"
        ])
        session.processes = ChildRunner()
        let reply = try session.run("--complete", "l", "--p", "").output
        try session.folder.write(reply, to: "reply")
        try session.folder.write(
            "#!/bin/sh\nprintf '%s\\n' \"$4\" >> asked\ncat reply\n", to: "lane", mode: 0o755)
        try session.folder.write(try session.run("completions", "bash").output, to: "completion")
        func inserted(_ current: String) throws -> String {
            let script = """
                . ./completion
                COMP_WORDS=(./lane l --p \(Command.quoted(current))) COMP_CWORD=3
                _lane
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let run = try ChildRunner().capture(
                Command("bash", ["-c", script], environment: session.environment, directory: session.folder.path))
            return run.text
        }
        #expect(try inserted("") == "a\\ b\na\\;c\nplain\n")
        #expect(try inserted("'a ") == "a b\na;c\nplain\n")
        #expect(try inserted("a\\ ") == "a\\ b\na\\;c\nplain\n")
        #expect(try session.folder.read("asked") == "\na \na \n")
    }

    @Test func completionsNameLanesAndTheirOptions() throws {
        let session = try Session(["Lanes/release.yml": release])
        #expect(try session.run("--complete", "rel").output == "release\tCut a release.\n:none\n")
        #expect(try session.run("--complete", "release", "1.0.0", "--pu").output.hasPrefix("--publish\t"))
    }
}

@Suite struct CommandLineRuleTests {
    private static let specs = [Program.spec] + Program.spec.subcommands

    @Test(arguments: specs.map(\.name))
    func everyOptionIsExplainedOnce(name: String) throws {
        let spec = try #require(Self.specs.first { $0.name == name })
        #expect(spec.abstract.hasSuffix("."))
        let names = spec.parameters.map { "\($0.isPositionalForTests)\($0.name)" }
        #expect(Set(names).count == names.count)
        for parameter in spec.parameters {
            #expect(parameter.help.hasSuffix("."), "\(parameter.name)")
            #expect(parameter.help.first?.isUppercase == true, "\(parameter.name)")
        }
    }
}

extension ParameterSpec {
    fileprivate var isPositionalForTests: Bool {
        if case .positional = kind { true } else { false }
    }
}

@Suite struct CondenseTests {
    @Test func aLogBecomesItsFailuresAndAStatus() throws {
        let log = """
            Test Suite 'MathTests' started at 2026-01-01 00:00:00.000
            Test Case 'MathTests.testSum' started at 2026-01-01 00:00:00.000
            /p/Tests/MathTests.swift:10: error: MathTests.testSum : XCTAssertEqual failed: ("3") is not equal to ("4") -
            Test Case 'MathTests.testSum' failed (0.1 seconds)
            Test Suite 'MathTests' failed at 2026-01-01 00:00:00.100
            \t Executed 1 test, with 1 failure (0 unexpected) in 0.1 (0.1) seconds

            """
        let session = try Session(["log.txt": log])
        let outcome = try session.run("condense", "log.txt", "--root", "/p", "--junit", "out/junit.xml")
        #expect(outcome.status == .failed)
        #expect(outcome.output.contains("Tests/MathTests.swift:10"))
        #expect(try session.folder.read("out/junit.xml").contains("testSum"))
        #expect(try session.run("condense", "log.txt", "--exit-zero").status == .done)
        #expect(!outcome.output.contains("without a name"))
        try session.folder.write("✔ Test run with 29 tests in 5 suites passed after 1.206 seconds.\n", to: "quiet.txt")
        let quiet = try session.run("condense", "quiet.txt")
        #expect(quiet.status == .done)
        #expect(quiet.output.contains("the log counts 29 more tests without a name"), "\(quiet.output)")
    }

    @Test func aMissingLogIsNamed() throws {
        let outcome = try Session().run("condense", "nowhere.log")
        #expect(outcome.status == .fileNotFound)
        #expect(outcome.errors == "error: could not read 'nowhere.log': No such file or directory\n")
    }
}
