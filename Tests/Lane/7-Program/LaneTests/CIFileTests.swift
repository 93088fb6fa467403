import OperatingSystem
import TestSupport
import Testing
import Text

/// The files of CI services that `lane ci` writes and compares.
@Suite struct CIFileTests {
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
}
