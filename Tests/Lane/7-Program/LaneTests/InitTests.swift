import OperatingSystem
import TestSupport
import Testing
import Text

@testable import LaneCommands

@Suite struct InitTests {
    @Test func initOutsideOfAnyPackageWritesNothing() throws {
        let session = try Session()
        let outcome = try session.run("init")
        #expect(outcome.status == .fileNotFound)
        #expect(!fileExists("\(session.directory.path)/Lanes"))
    }

    @Test func initWritesOnlyMissingFiles() throws {
        var session = try Session(["Lanes/test.yml": "steps: [run: [date]]\n"])
        session.environment["PATH"] = session.directory.path
        let outcome = try session.run("init")
        expectGolden(outcome.transcript, "init.txt")
        #expect(try session.directory.read("Lanes/test.yml") == "steps: [run: [date]]\n")
        #expect(try session.run("check").output == "5 lane files: no errors\n")
    }

    @Test func initPrintsWhatItFound() throws {
        var session = try Session([
            "Package.swift": "", "CHANGES.md": "", ".github/workflows/a.yml": "", "Makefile": "",
            "fastlane/Fastfile": "",
        ])
        session.environment["PATH"] = session.directory.path
        session.processes = ScriptedProcesses(answers: [
            "swift package dump-package": """
            {"name": "Shape", "products": [{"name": "Shape", "type": {"library": ["automatic"]}},
             {"name": "shape-tool", "targets": ["Tool"], "type": {"executable": null}}],
             "targets": [{"name": "Shape", "type": "regular"}, {"name": "Tool", "type": "executable"},
             {"name": "added", "type": "executable"}, {"name": "ShapeTests", "type": "test"}]}
            """,
            "git --no-pager -c maintenance.auto=false rev-parse --git-dir": ".git\n",
            "git --no-pager -c maintenance.auto=false config --get remote.origin.url": "https://host.test/shape.git\n",
        ])
        expectGolden(try session.run("init").transcript, "init-found.txt")
    }

    @Test func initAboveSeveralPackagesWritesLanesThatRunTheirs() throws {
        let session = try Session([
            "shapes/Package.swift": "", "packages/b/Package.swift": "", "packages/a/Package.swift": "",
            "packages/docs/x": "", "we\"ird/Package.swift": "", ".build/c/Package.swift": "", "Lanes/old": "",
        ])
        try removeTree("\(session.directory.path)/Lanes")
        expectGolden(try session.run("init").transcript, "init-several-packages.txt")
        #expect(try session.directory.read("Lanes/test.yml").contains(#"[packages/a, packages/b, shapes, 'we"ird']"#))
        #expect(try session.run("check").output == "2 lane files: no errors\n")
        // The written lanes change neither what it does nor what it says.
        #expect(try session.run("init").output.contains("kept     Lanes/test.yml\n"))
        #expect(!fileExists("\(session.directory.path)/Lanes/release.yml"))
        #expect(
            try session.run("package").errors.hasSuffix(
                "hint: 'package' is built in only beside a Package.swift; use 'lane -C packages/a package'\n"))
        for option in ["--ci", "--docker"] {
            #expect(
                try session.run("init", option).errors == """
                    error: '\(option)' needs a package, and this directory has only packages below it
                    hint: use 'lane -C packages/a init \(option)'

                    """)
        }
        let inside = try session.run("-C", "packages/docs", "init")
        #expect(inside.output.contains("kept     Lanes/test.yml\n"), "\(inside.transcript)")
        #expect(!fileExists("\(session.directory.path)/Lanes/release.yml"))
    }

    @Test(.enabled(if: LaneVersion.repository.isEmpty, "needs a build without an address"))
    func initWithoutAnAddressWritesNoCIFiles() throws {
        let session = try Session(["Package.swift": ""])
        let outcome = try session.run("init", "--ci")
        #expect(outcome.status == .refused)
        #expect(!fileExists("\(session.directory.path)/Lanes"))
        let line = try #require(outcome.errors.split(separator: "\n").last?.trimmingPrefix("hint: "))
        let shell = Command(
            "sh", ["-euc", line.replacing("https://…", with: "https://host.test/lane.git")],
            environment: session.environment, directory: session.directory.path)
        #expect(try ChildRunner().capture(shell).report.succeeded)
        #expect(try session.run("init", "--ci").status == .done)
        #expect(fileExists("\(session.directory.path)/.github/workflows/ci.yml"))
    }

    @Test("The nearest .swift-version of the repository selects the image of CI files and of the Dockerfile")
    func selectedRelease() throws {
        let session = try Session([
            ".git/HEAD": "", ".swift-version": "6.2.1\n", "a/Package.swift": "", "b/Package.swift": "",
            "b/.swift-version": "main-snapshot\n",
        ])
        for package in ["a", "b"] {
            let jobs = "lane: { repository: https://host.test/lane.git, version: 0.1.0 }\n"
            try session.directory.write(jobs, to: "\(package)/Lanes/ci/jobs.yml")
            let outcome = try session.run("-C", package, "init", "--docker", "--ci")
            let image = package == "a" ? "swift:6.2.1-bookworm" : "swift:6.3-bookworm"
            let found = outcome.output.contains("found    image      \(image), by .swift-version\n")
            #expect(found == (package == "a"), "\(outcome.transcript)")
            #expect(try session.directory.read("\(package)/Dockerfile").contains("\nFROM \(image)\n"))
            let workflow = try session.directory.read(".github/workflows/\(package)_ci.yml")
            #expect(workflow.contains("container: \(image)\n"), "\(workflow)")
        }
    }

    @Test func theDockerfileCopiesAProgramWithoutAnAddress() throws {
        let lines = InitCommand.dockerfile(repository: "", image: "box").split(separator: "\n")
        #expect(lines.contains("COPY lane /usr/local/bin/lane"))
        #expect(lines.contains("#   docker build -t lane -f Dockerfile \"$(dirname \"$(command -v lane)\")\""))
        #expect(!lines.contains { $0.contains("install.sh") })
    }

    @Test func theDockerfileFetchesTheProgram() throws {
        let text = InitCommand.dockerfile(repository: "https://host.test/lane", image: "swift:6.3-bookworm")
        expectGolden(redacted(text, replacing: [LaneVersion.current: "<version>"]), "init-Dockerfile")
    }
}

/// A runner that answers commands with prepared output; others fail.
struct ScriptedProcesses: ProcessRunner {
    /// The output by command line.
    let answers: [String: String]

    func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        guard let answer = answers[([command.executable] + command.arguments).joined(separator: " ")] else {
            return ExitReport(termination: .exited(1), duration: .zero)
        }
        Array(answer.utf8).withUnsafeBytes { output(.standardOutput, $0) }
        return ExitReport(termination: .exited(0), duration: .zero)
    }
}
