import CLibrary
import OperatingSystem
import TestSupport
import Text

@testable import LaneCommands
@testable import lane

/// A directory and a world in which the program runs in this process. Only the files are real.
struct Session {
    let directory: TemporaryDirectory
    let workingDirectory: String
    var environment: [String: String] = ["PATH": "/usr/bin:/bin", "COLUMNS": "80"]
    var processes: any ProcessRunner = NoProcesses()
    /// The time in seconds since 1970.
    var date = 1_700_000_000.0
    /// The answers of the user; `nil` without a terminal.
    var readLine: (@Sendable (_ question: String, _ isHidden: Bool) -> String?)?

    init(_ files: [String: String] = [:]) throws {
        directory = try TemporaryDirectory()
        workingDirectory = directory.path
        for (path, text) in files { try directory.write(text, to: path) }
    }

    /// Creates a session in another directory.
    init(in workingDirectory: String) throws {
        directory = try TemporaryDirectory()
        self.workingDirectory = workingDirectory
    }

    struct Outcome {
        let status: ExitStatus
        let output: String
        let errors: String
        fileprivate let directory: String

        /// The output, the errors and the status, without parts that differ from run to run.
        var transcript: String {
            let parts = [output, errors.isEmpty ? "" : "errors:\n\(errors)", "exit status \(status.rawValue)\n"]
            return redacted(parts.joined(), replacing: [directory: "<directory>"])
        }
    }

    func run(_ words: String...) throws -> Outcome { try run(words) }

    func run(_ words: [String]) throws -> Outcome {
        let outputPath = "\(directory.path)/.output"
        let errorsPath = "\(directory.path)/.errors"
        let descriptors = [outputPath, errorsPath].map { (path: String) -> Int32 in
            open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        }
        defer { for descriptor in descriptors { close(descriptor) } }
        let world = World(
            program: .lane, arguments: words, environment: environment, directory: workingDirectory,
            output: OutputChannel(descriptor: descriptors[0], name: "standard output"),
            errors: OutputChannel(descriptor: descriptors[1], name: "standard error"), processes: processes,
            cancellation: Cancellation(), watchSignals: {}, now: { [date] in date }, elapsed: { .zero },
            terminal: Terminal(contains: { _ in false }, size: { _ in nil }, readLine: readLine))
        // The guard would run this program, which is the test binary.
        defer { OrphanGuard.dismiss() }
        let status = Program.run(in: world)
        return Outcome(
            status: status, output: try readText(outputPath), errors: try readText(errorsPath),
            directory: directory.path)
    }
}

/// A runner whose commands run until their timeout.
struct EndlessProcesses: ProcessRunner {
    func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        ExitReport(termination: .signalled(15), stoppedBy: .timeout, duration: limits.timeout ?? .zero)
    }
}

/// A runner that finds no program.
struct NoProcesses: ProcessRunner {
    func run(
        _ command: Command, limits: RunLimits, output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(SpawnError) -> ExitReport {
        throw .executableNotFound(command.executable)
    }
}

extension Session {
    /// A lane with a positional parameter and a flag.
    static let release = """
        summary: Cut a release
        parameters:
          version: { type: version, position: 1, required: true, help: The next version }
          publish: { type: bool, default: false, help: Publish it as well }
        steps:
          - run: [echo, "${{ parameters.version }}"]
          - run: [echo, published]
            if: ${{ parameters.publish }}
        """
}
