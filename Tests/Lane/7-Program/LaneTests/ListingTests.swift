import OperatingSystem
import Synchronization
import TestSupport
import Testing
import Text

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

    /// A runner that reports no products stands for a package without tests.
    @Test(arguments: [true, false]) func aPackageWithoutTestsHasAnEmptyList(mayBeEmpty: Bool) throws {
        var session = try Session(["Package.swift": "// swift-tools-version: 6.0\n"])
        session.processes = RecordedProcesses(status: 0)
        let outcome = try session.run("test", "--list", "--json", mayBeEmpty ? "--allow-empty" : "--no-allow-empty")
        #expect(outcome.status == (mayBeEmpty ? .done : .nothingRan))
        #expect(outcome.output.contains("\"tests\": []") == mayBeEmpty, "\(outcome.output)")
        #expect(outcome.errors.contains("the package has no tests") != mayBeEmpty)
    }

    @Test func theErrorsOfABuildHaveTheirAdvice() throws {
        var session = try Session(["Package.swift": "// swift-tools-version: 6.0\n"])
        session.processes = RecordedProcesses(
            errors: "/p/a.swift:1:1: warning: unused\nerror: missing required module 'SwiftShims'\n")
        let errors = try session.run("test", "--list").errors
        #expect(
            errors.hasPrefix(
                """
                error: missing required module 'SwiftShims'
                note: the build directory was used at another path, so its contents are invalid
                hint: rm -rf .build

                """), "\(errors)")
    }
}

/// A runner that records every command and ends it with a status.
final class RecordedProcesses: ProcessRunner {
    private let recorded = Mutex<[Command]>([])
    private let status: Int32
    /// The standard error of each command.
    private let errors: String

    init(status: Int32 = 1, errors: String = "") {
        self.status = status
        self.errors = errors
    }

    var commands: [Command] { recorded.withLock { $0 } }

    func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        recorded.withLock { $0.append(command) }
        Array(errors.utf8).withUnsafeBytes { output(.standardError, $0) }
        return ExitReport(termination: .exited(status), duration: .zero)
    }
}
