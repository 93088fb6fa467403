import Events
import OperatingSystem

/// The environment of test processes. With `--isolated`, each process has its own home and temporary directory, and no
/// network.
struct TestEnvironment: Sendable {
    /// The environment of all processes.
    private let environment: [String: String]
    private let isIsolated: Bool
    /// The prefix of the command line.
    private let wrapper: [String]
    private let lineBuffering: LineBuffering?
    private let scratch: String

    /// The configuration of stack traces: only the crashed thread, without color, on standard error.
    private static let backtracing =
        "enable=yes,color=no,interactive=no,threads=crashed,registers=none,images=none,sanitize=no,output-to=stderr"

    /// The variables that `--isolated` keeps.
    private static let kept = [
        "PATH", "LD_LIBRARY_PATH", "DEVELOPER_DIR", "SDKROOT", "TOOLCHAINS", "SWIFT_BACKTRACE",
        // The variables that identify processes after `lane` was killed.
        "LANE_ROOT",
    ]

    init(
        _ environment: [String: String], options: TestOptions, profile: String?, scratch: String,
        wrapper: [String] = [], lineBuffering: LineBuffering? = nil
    ) {
        var environment = environment
        if options.isolated {
            environment = environment.filter { Self.kept.contains($0.key) }
            environment["TZ"] = "UTC"
            environment["LANG"] = "C.UTF-8"
            environment["LC_ALL"] = "C.UTF-8"
        }
        environment["SWIFT_BACKTRACE"] = environment["SWIFT_BACKTRACE"] ?? Self.backtracing
        // `swift test` does the same without a terminal.
        if options.isCaptured { environment["NO_COLOR"] = "1" }
        if let profile { environment["LLVM_PROFILE_FILE"] = profile }
        self.environment = environment
        self.scratch = scratch
        self.wrapper = wrapper
        isIsolated = options.isolated
        self.lineBuffering = lineBuffering
    }
}

extension TestEnvironment {
    /// The environment of one process. Its directories are removed when it has ended.
    struct ProcessEnvironment {
        let environment: [String: String]
        fileprivate let wrapper: [String]
        fileprivate let directory: String?

        /// Returns a command that runs in this environment.
        func wrapping(_ command: Command) -> Command {
            let words = wrapper + [command.executable] + command.arguments
            return Command(words[0], Array(words.dropFirst()), environment: environment, directory: command.directory)
        }

        func remove() {
            if let directory { try? removeTree(directory) }
        }
    }

    /// - Parameters:
    ///   - buffering: The programs whose output is buffered by line.
    ///   - tellsArguments: A Boolean value that indicates whether Swift Testing's events contain the case of a
    ///     parameterized test.
    func processEnvironment(_ buffering: LineBuffering.Scope, tellsArguments: Bool) throws(TestEngineFailure)
        -> ProcessEnvironment
    {
        var environment = environment
        if tellsArguments { environment["SWT_EXPERIMENTAL_EVENT_STREAM_FIELDS_ENABLED"] = "1" }
        lineBuffering?.begin(buffering, &environment)
        guard isIsolated else { return ProcessEnvironment(environment: environment, wrapper: wrapper, directory: nil) }
        let directory = try convertingFileErrors(to: TestEngineFailure.self) { () throws(FileError) in
            let directory = try makeTemporaryDirectory(in: scratch, prefix: "process")
            for name in ["home", "tmp"] { try makeDirectories("\(directory)/\(name)") }
            return directory
        }
        environment["HOME"] = "\(directory)/home"
        environment["TMPDIR"] = "\(directory)/tmp"
        return ProcessEnvironment(environment: environment, wrapper: wrapper, directory: directory)
    }
}

/// An isolation of processes from the network, except loopback, by Linux namespaces for users and networks.
///
/// `unshare` and `setpriv` belong to util-linux. Containers often forbid namespaces, so a trial determines whether they
/// are available.
struct NetworkIsolation {
    /// The prefix of a command line without a network, or `nil` if the system does not allow it.
    let wrapper: [String]?

    init(_ environment: [String: String], _ processes: any ProcessRunner) {
        let unshare = ["unshare", "--user", "--map-current-user", "--net"]
        // The loopback interface is initially down. The capability to enable it is then removed.
        let withLoopback =
            unshare + [
                "--keep-caps", "sh", "-c",
                #"ip link set lo up && exec setpriv --inh-caps=-all --ambient-caps=-all -- "$@""#, "sh",
            ]
        wrapper = [withLoopback, unshare].first { words in
            let trial = Command(words[0], words.dropFirst() + ["true"], environment: environment)
            return (try? processes.capture(trial).report.succeeded) ?? false
        }
    }
}
