import OperatingSystem
import TestSupport
import Testing
import Text

/// The tools that `lane doctor` finds and misses.
@Suite struct DoctorTests {
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
}
