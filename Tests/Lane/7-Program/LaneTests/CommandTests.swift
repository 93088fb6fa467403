import Arguments
import CLibrary
import LaneModel
import OperatingSystem
import Reports
import TestSupport
import Testing
import Text

@testable import LaneCommands
@testable import lane

@Suite struct CommandTests {
    @Test func reportsHaveBothParts() {
        #expect(ReportFormat.all.map(\.name) == ReportOption.all.map(\.name))
    }

    @Test func anotherLinterReportsItsDiagnostics() throws {
        var session = try Session([
            "Package.swift": "",
            "Sources/A.swift": "let a = 1\n",
            "Lanes/lint.yml": "steps: [lint: { tool: swiftlint, rules: rules.yml }]\n",
        ])
        let linter = """
            #!/bin/sh
            echo "$@" >words
            echo "$PWD/Sources/A.swift:1:5: error: Name is too short (identifier_name)"
            exit 2

            """
        try session.directory.write(linter, to: "bin/swiftlint")
        #expect(chmod("\(session.directory.path)/bin/swiftlint", 0o755) == 0)
        session.environment["PATH"] = "\(session.directory.path)/bin:/usr/bin:/bin"
        session.processes = ChildRunner()
        let run = try session.run("lint", "--sarif", "lint.sarif")
        expectGolden(run.transcript, "other-linter.txt")
        #expect(
            try readText("\(session.directory.path)/words")
                == "lint --quiet --reporter xcode --strict --config rules.yml Package.swift Sources\n")
        #expect(try readText("\(session.directory.path)/lint.sarif").contains("\"startColumn\": 5"))
    }

    /// A directory of sources can have any name.
    @Test func directoriesOfSourcesAreNoProjects() throws {
        let lane = "steps: [run: [date]]\n"
        let session = try Session([
            "Package.swift": "", "Lanes/inner.yml": lane, "Sources/App/Lanes/Lane.swift": "", "Sub/Lanes/own.yml": lane,
            "Actions/Lanes/actions/own": "",
        ])
        for (directory, root) in [
            ("Sources/App", ""), ("Sources/App/Lanes", ""), ("Sub", "/Sub"), ("Actions", "/Actions"),
        ] {
            let expected = session.directory.path + root
            #expect(try Project.root(around: "\(session.directory.path)/\(directory)") == expected)
        }
    }

    /// A run that a step starts in the same directory has the same root, although its working directory has no links.
    @Test func theRootContainsNoLinks() throws {
        var session = try Session(["real/Lanes/a.yml": "steps: [run: 'test \"$LANE_ROOT\" = \"$(pwd -P)\"']\n"])
        #expect(symlink("real", "\(session.directory.path)/link") == 0)
        session.processes = ChildRunner()
        let run = try session.run("-C", "link", "a")
        #expect(run.status == .done, "\(run.transcript)")
    }

    /// The answer would be an argument of the engine, which every user can read.
    @Test func aSecretForAContainerIsNotPromptedFor() throws {
        var session = try Session([
            "Lanes/a.yml": "parameters: { token: { secret: true, required: true } }\nsteps: [run: [date]]\n"
        ])
        session.readLine = { _, _ in "hunter22" }
        let run = try session.run("a", "--in", "docker")
        #expect(run.status == .usage)
        #expect(run.errors.contains("Missing expected argument '--token"), "\(run.transcript)")
        #expect(try session.run("a", "--plan").status == .done)
    }

    @Test func historyOfALane() throws {
        let session = try Session(["Lanes/here.yml": "steps: [run: [date]]\n"])
        let known = try session.run("history", "here", "--failed")
        let unknown = try session.run("history", "hera")
        expectGolden(known.transcript + unknown.transcript, "history.txt")
    }

    @Test func listsContainDefaults() throws {
        let session = try Session([
            "Lanes/a.yml": "parameters: { x: { type: int, default: 3 }, y: string }\nsteps: [run: [date]]\n"
        ])
        expectGolden(try session.run("list", "--json").output, "list.json")
    }

    @Test func packagesWithoutLanesHaveBuiltInOnes() throws {
        expectGolden(try Session(["Package.swift": ""]).run().transcript, "built-in-lanes.txt")
    }

    @Test func outsideAPackageThereIsAHint() throws {
        expectGolden(try Session().run().transcript, "outside-a-package.txt")
    }

    @Test func helpOfTheBuiltInLanesNeedsNoPackage() throws {
        let session = try Session()
        for lane in ["build", "test", "api", "package", "release"] {
            let outcome = try session.run(lane, "--help")
            #expect(outcome.status == .done)
            #expect(outcome.output.contains("USAGE: lane \(lane)"))
        }
        #expect(try session.run("test").status == .fileNotFound)
        #expect(try session.run("deploy", "--help").status == .fileNotFound)
    }

    @Test func checkReportsMissingAndMalformedDotEnvFiles() throws {
        let session = try Session([
            "Lanes/_common.yml": "dotenv: [gone.env, bad.env, { path: none.env, optional: true }, good.env]\n",
            "Lanes/a.yml": "include: [_common.yml]\nsteps: [run: [date]]\n",
            "Lanes/b.yml": "include: [_common.yml]\nsteps: [run: [date]]\n",
            "good.env": "A=1\n", "bad.env": "A 1\n",
        ])
        expectGolden(try session.run("check").transcript, "check-dotenv.txt")
    }

    @Test(arguments: ["{0} of {1}", "{", "{x}"])
    func checkReportsConstantFormatsThatCannotBeFilled(format: String) throws {
        let lane = "steps: [run: [echo, \"${{ format('\(format)', 1) }}\"]]"
        let outcome = try Session(["Lanes/a.yml": lane]).run("check")
        #expect(outcome.status == .refused)
        #expect(
            outcome.errors == """
                Lanes/a.yml:1:33: error: expected placeholders from {0} to {0} in '\(format)'
                    \(lane)
                                                    ^\(String(repeating: "~", count: format.count + 1))
                hint: write '{{' or '}}' for a brace
                1 error in lane files

                """)
    }

    @Test(arguments: ["format('{0} of {1}', 1, 2)", "format('{{0}} {0}', 'a')"])
    func checkAcceptsFormats(expression: String) throws {
        let lane = "steps: [run: [echo, \"${{ \(expression) }}\"]]\n"
        #expect(try Session(["Lanes/a.yml": lane]).run("check").errors == "")
    }

    @Test(arguments: [
        (["a"], "'a' is a package; use 'lane -C a'"),
        (["b", "a"], "'a' and 'b' are packages; use 'lane -C a'"),
        (["d", "c", "b", "a"], "'a', 'b', 'c' and others are packages; use 'lane -C a'"),
    ])
    func packagesBelowAreNamed(_ names: [String], _ hint: String) throws {
        let files = Dictionary(uniqueKeysWithValues: names.map { ("\($0)/Package.swift", "") })
        let outcome = try Session(files.merging([".build/x/Package.swift": "", "docs/x": ""]) { $1 }).run()
        #expect(outcome.status == .fileNotFound)
        #expect(outcome.errors.hasSuffix("\nhint: \(hint)\n"), "\(outcome.errors)")
    }

    @Test func lanesAreFoundInParentDirectories() throws {
        let session = try Session(["Lanes/greet.yml": "steps: [run: [echo, hello]]", "Sources/a/b.swift": ""])
        let outcome = try session.run("-C", "Sources/a", "list")
        #expect(outcome.output == "greet\n")
    }

    @Test func helpComesFromTheLanesParameters() throws {
        let outcome = try Session(["Lanes/release.yml": Session.release]).run("release", "--help")
        expectGolden(outcome.transcript, "lane-help.txt")
    }

    @Test func aMissingParameterIsAUsageError() throws {
        let outcome = try Session(["Lanes/release.yml": Session.release]).run("release")
        expectGolden(outcome.transcript, "missing-parameter.txt")
    }

    @Test func contradictoryOptionsAreUsageErrors() throws {
        let session = try Session(["Lanes/release.yml": Session.release])
        let outcome = try session.run("release", "1.2.3", "--json", "-k", "--fail-fast", "--jobs", "0")
        #expect(outcome.status == .usage)
        #expect(
            outcome.errors.hasPrefix(
                """
                Error: The value '0' is invalid for '--jobs': expected a whole number from 1 to 1024
                Error: The options '--keep-going' and '--fail-fast' exclude each other
                Error: The option '--json' goes with '--plan'
                Usage: lane release
                """), "\(outcome.errors)")
        for jobs in ["-1", "1025", "9223372036854775807"] {
            #expect(try session.run("release", "1.2.3", "--jobs", jobs).status == .usage)
        }
        #expect(try session.run("release", "1.2.3", "--plan", "--json", "-j2").status == .done)
    }

    @Test func aParameterMayNotHideAnOption() throws {
        let text = "parameters: { jobs: { type: int } }\nsteps: [run: [true]]\n"
        let outcome = try Session(["Lanes/x.yml": text]).run("check")
        expectGolden(outcome.transcript, "hidden-option.txt")
    }

    @Test func aBooleanMayHaveAPosition() throws {
        let text = "parameters: { p: { type: bool, position: 1 } }\nsteps: [run: [echo, 'is ${{ parameters.p }}']]\n"
        let session = try Session(["Lanes/x.yml": text])
        #expect(try session.run("x", "true", "--plan").output == "x: 1 step\n  x/run  echo 'is true'\n")
        #expect(try session.run("x", "--plan").output == "x: 1 step\n  x/run  echo 'is false'\n")
    }

    @Test func helpIsAnOptionOfEveryLane() throws {
        let outcome = try Session(["Lanes/x.yml": "parameters: { help: bool }\nsteps: [run: [true]]\n"]).run("check")
        expectGolden(outcome.transcript, "hidden-help.txt")
    }

    @Test func aParameterMayNotBeTheInverseOfAnother() throws {
        func errors(_ other: String) throws -> String {
            let text = "parameters:\n  no-dry: bool\n  dry: { type: bool, default: \(other) }\nsteps: [run: [date]]\n"
            return try Session(["Lanes/x.yml": text]).run("check").errors
        }
        #expect(try errors("true").hasPrefix("Lanes/x.yml:2:3: error: '--no-dry' is the option that turns 'dry' off\n"))
        #expect(try errors("false") == "")
    }

    @Test func anUnknownLaneNamesTheNearest() throws {
        let outcome = try Session(["Package.swift": ""]).run("tset")
        #expect(outcome.status == .fileNotFound)
        #expect(outcome.errors == "error: there is no lane 'tset'\nhint: did you mean 'test'?\n")
    }

    /// Commands name them from the directory in which the user types them.
    @Test func lanesOfDirectoriesAboveAreNamed() throws {
        let lane = "steps: [run: [date]]\n"
        let session = try Session([
            "Lanes/outer.yml": "aliases: [o]\n\(lane)", "Lanes/inner.yml": lane,
            "Lanes/zzz.yml": "private: true\n\(lane)", "Package.swift": "", "mid/Package.swift": "",
            "mid/Lanes/m.yml": lane, "mid/sub/Lanes/inner.yml": lane,
            "mid/sub/src/x": "",
        ])
        func errors(_ words: String..., in directory: String = "mid/sub") throws -> String {
            try Session(in: "\(session.directory.path)/\(directory)").run(words).errors
        }
        func hint(_ command: String) -> String { "\nhint: it is a lane of a directory above: '\(command)'\n" }
        #expect(try errors("m").hasSuffix(hint("lane -C .. m")))
        #expect(try errors("outer", in: "mid/sub/src").hasSuffix(hint("lane -C ../../.. outer")))
        #expect(try errors("o").hasSuffix(hint("lane -C ../.. o")))
        #expect(try errors("test").hasSuffix(hint("lane -C .. test")))
        #expect(try errors("-C", "sub", "outer", in: "mid").hasSuffix(hint("lane -C sub/../.. outer")))
        #expect(try errors("zzz").hasSuffix("hint: use 'lane list' to list the lanes\n"))
    }

    @Test func versionAndHelpGoToStandardOutput() throws {
        let session = try Session()
        #expect(try session.run("--version").output == LaneVersion.current + "\n")
        #expect(try session.run("version").output == LaneVersion.current + "\n")
        let help = try session.run("help", "check")
        #expect(help.output.hasPrefix("OVERVIEW: Check all lane files"))
        #expect(help.errors.isEmpty)
    }
}
