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

    @Test func ciFilesOfPackagesInSubdirectoriesAreAtTheRoot() throws {
        let jobs = "lane: { repository: https://host.test/lane.git, version: 0.1.0 }\n"
        let session = try Session([
            "a/Package.swift": "", "a/Lanes/ci/jobs.yml": jobs, "Package.swift": "", "Lanes/ci/jobs.yml": jobs,
            ".git/HEAD": "",
        ])
        #expect(try session.run("ci", "generate").status == .done)
        let outcome = try session.run("-C", "a", "ci", "generate")
        #expect(outcome.status == .done)
        #expect(fileExists("\(session.directory.path)/.github/workflows/a_ci.yml"))
        #expect(!fileExists("\(session.directory.path)/a/.github"))
    }

    @Test func aWorkflowWithConvertedLineEndsIsUpToDate() throws {
        let session = try Session(["Package.swift": "", "Lanes/ci/jobs.yml": Self.address])
        #expect(try session.run("ci", "generate").status == .done)
        let path = ".github/workflows/ci.yml"
        let text = try session.directory.read(path)
        try session.directory.write(text.replacing("\n", with: "\r\n"), to: path)
        let outcome = try session.run("ci", "check")
        #expect(outcome.status == .done, "\(outcome.errors)")
        try session.directory.write(text.replacing("jobs:\n", with: "jobs:\r\n\r\n"), to: path)
        #expect(try session.run("ci", "check").status == .failed)
    }

    @Test func workflowsOfRemovedPackagesAreOutdated() throws {
        let session = try Session([
            "a/Package.swift": "", "a/Lanes/ci/jobs.yml": Self.address, "b/Package.swift": "",
            "b/Lanes/ci/jobs.yml": Self.address, "Package.swift": "", "Lanes/ci/jobs.yml": Self.address,
            ".git/HEAD": "",
        ])
        for package in ["a", "b", "."] { #expect(try session.run("-C", package, "ci", "generate").status == .done) }
        #expect(try session.run("ci", "check").status == .done)
        try removeTree("\(session.directory.path)/a")
        let outcome = try session.run("ci", "check")
        #expect(outcome.status == .failed && outcome.output.contains(".github/workflows/a_ci.yml"), "\(outcome.output)")
        #expect(try session.run("ci", "generate").status == .done)
        let workflows = "\(session.directory.path)/.github/workflows"
        #expect(!fileExists("\(workflows)/a_ci.yml") && fileExists("\(workflows)/b_ci.yml"))
        #expect(try session.run("ci", "check").status == .done)
    }

    private static let address = "lane: { repository: https://host.test/lane.git, version: 0.1.0 }\n"

    @Test func aWorkflowWrittenByHandIsNotCompared() throws {
        let session = try Session([
            "Package.swift": "", "Lanes/ci/jobs.yml": Self.address, ".github/workflows/ci.yml": "on: push\n",
        ])
        let outcome = try session.run("ci", "check")
        #expect(outcome.status == .refused)
        #expect(
            outcome.errors == """
                error: '.github/workflows/ci.yml' was written by hand, so there is nothing to check
                hint: keep it and call 'lane test' in it, or replace it with 'lane ci generate --force'

                """)
        #expect(outcome.output.isEmpty)
        #expect(try session.run("ci", "generate", "--force").status == .done)
        #expect(try session.run("ci", "check").status == .done)
    }

    @Test(arguments: [("trunk", true), ("main", false), ("master", false)])
    func theDefaultBranchStartsJobs(_ branch: String, isWritten: Bool) throws {
        for inRemote in [true, false] {
            var session = try Session(["Package.swift": "", "ci/lane": ""])
            session.processes = ScriptedProcesses(
                answers: inRemote
                    ? [
                        "git --no-pager -c maintenance.auto=false symbolic-ref --quiet refs/remotes/origin/HEAD":
                            "refs/remotes/origin/\(branch)\n"
                    ]
                    : [
                        "git --no-pager -c maintenance.auto=false for-each-ref --format=%(refname) refs/heads/ refs/remotes/origin/":
                            "refs/heads/\(branch)\n"
                    ])
            let outcome = try session.run("ci", "generate")
            #expect(outcome.status == .done)
            #expect(!outcome.errors.contains("would not start"))
            let path = "\(session.directory.path)/Lanes/ci/jobs.yml"
            #expect(fileExists(path) == isWritten)
            if isWritten { #expect(try readText(path) == "branches: [\(branch)]\n") }
            #expect(try session.directory.read(".github/workflows/ci.yml").contains(branch))
            #expect(try session.run("ci", "check").status == .done)
        }
    }

    @Test(arguments: [
        (address, address + "branches: [trunk]\n"),
        ("services: [github]", "services: [github]\nbranches: [trunk]\n"),
        ("branches: [main]\n", "branches: [main]\n"), ("{ services: [github] }\n", "{ services: [github] }\n"),
    ])
    func theDefaultBranchIsAddedToAConfiguration(_ before: String, _ after: String) throws {
        var session = try Session(["Package.swift": "", "ci/lane": "", "Lanes/ci/jobs.yml": before])
        session.processes = ScriptedProcesses(
            answers: [
                "git --no-pager -c maintenance.auto=false symbolic-ref --quiet refs/remotes/origin/HEAD":
                    "refs/remotes/origin/trunk\n"
            ])
        let outcome = try session.run("ci", "generate")
        #expect(outcome.status == .done)
        #expect(try session.directory.read("Lanes/ci/jobs.yml") == after)
        #expect(outcome.errors.contains("would not start") == (before == after), "\(outcome.errors)")
    }

    @Test func jobsThatCompileTheProgramAreNamed() throws {
        let session = try Session(["Package.swift": "", "Lanes/ci/jobs.yml": Self.address])
        let errors = try session.run("ci", "generate").errors
        #expect(errors.hasPrefix("note: the job 'release' compiles lane in each run, because "), "\(errors)")
        let sum = String(repeating: "a", count: 64)
        try session.directory.write(
            Self.address.replacing(" }", with: ", sha256: \(sum) }"), to: "Lanes/ci/jobs.yml")
        #expect(try session.run("ci", "generate").errors == "")
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

    @Test func doctorReportsMissingTools() throws {
        var session = try Session()
        session.environment["PATH"] = session.directory.path
        let outcome = try session.run("doctor")
        #expect(outcome.status == .toolMissing)
        #expect(
            outcome.output == """
                ✘ swift    missing: needed for build, test, coverage, format, lint, docs, package; see https://www.swift.org/install, and put usr/bin of the toolchain into PATH
                ✘ git      missing: needed for bump, changelog, commit, tag, package, publish; apt-get install git, or xcode-select --install
                ✘ docc     missing: needed for docs; comes with the toolchains of swift.org and of Xcode
                ✘ docker   missing: needed for running in a container; apt-get install docker.io, or brew install --cask docker
                ✘ curl     missing: needed for publish; apt-get install curl, or brew install curl
                ✘ eu-stack missing: needed for the stacks of hanging tests; apt-get install elfutils

                """)
    }

    @Test(arguments: [
        (answer: "true", line: "✔ docker   Docker 1"),
        (
            "false",
            "✘ docker   Docker 1, but the engine is not running: needed for running in a container; start the engine"
        ),
        (
            "{ echo 'permission denied while trying to connect to the docker API' >&2; false; }",
            "✘ docker   Docker 1, but the engine refuses this user: needed for running in a container; "
                + "run 'sudo usermod -aG docker \"$USER\"', and log in again"
        ),
    ])
    func doctorAsksForTheEngine(answer: String, line: String) throws {
        var session = try Session()
        let script = "#!/bin/sh\n[ \"$1\" = --version ] && echo Docker 1 || \(answer)\n"
        try session.directory.write(script, to: "docker", mode: 0o755)
        session.processes = ChildRunner()
        session.environment["PATH"] = session.directory.path
        let output = try session.run("doctor").output
        #expect(output.split(separator: "\n").filter { $0.dropFirst().hasPrefix(" docker") } == [line[...]])
    }

    @Test(arguments: [("docker", "true", "docker"), ("docker", "false", "podman"), ("other", "true", "podman")])
    func doctorAcceptsPodman(other: String, answer: String, found: String) throws {
        var session = try Session()
        let script = "#!/bin/sh\n[ \"$1\" = --version ] && echo 1 ||"
        try session.directory.write("\(script) \(answer)\n", to: other, mode: 0o755)
        try session.directory.write("\(script) true\n", to: "podman", mode: 0o755)
        session.processes = ChildRunner()
        session.environment["PATH"] = session.directory.path
        let lines = try session.run("doctor").output.split(separator: "\n")
        #expect(lines.filter { $0.contains("docker") || $0.contains("podman") } == ["✔ \(found)   1"])
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

@Suite struct CommandLineRuleTests {
    private static let specs = [Program.lane.spec()] + Program.lane.spec().subcommands

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
