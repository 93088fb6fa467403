import OperatingSystem
import Synchronization
import TestSupport
import Testing
import Text

@testable import lane

/// Tests of `lane test --list`.
@Suite struct ListingTests {
    /// The variables are those of the build, which determines the tests.
    @Test func theVariablesOfLaneAndStepReachTheBuild() throws {
        let lane = """
            env: { FLAVOR: nightly }
            steps:
              - test: { configuration: "${{ env.MODE }}" }
                env: { MODE: release, PLACE: "${{ env.FLAVOR }}/x" }
            """
        var session = try Session(["Package.swift": "// swift-tools-version: 6.0\n", "Lanes/test.yml": lane])
        let processes = RecordedProcesses()
        session.processes = processes
        _ = try session.run("test", "--list")
        let command = try #require(processes.commands.first { $0.executable == "swift" })
        #expect(command.arguments == ["build", "-c", "release", "-Xswiftc", "-enable-testing", "--build-tests"])
        #expect(command.environment["FLAVOR"] == "nightly")
        #expect(command.environment["MODE"] == "release")
        #expect(command.environment["PLACE"] == "nightly/x")
    }
}

/// A runner that fails every command and records it.
final class RecordedProcesses: ProcessRunner {
    private let recorded = Mutex<[Command]>([])

    var commands: [Command] { recorded.withLock { $0 } }

    func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        recorded.withLock { $0.append(command) }
        return ExitReport(termination: .exited(1), duration: .zero)
    }
}
