import Files
import LaneEvents
import Processes

/// What surrounds test processes: their environment, and with `--isolated` a home, a temporary folder and no network.
struct TestSurroundings: Sendable {
    /// The environment of all of them.
    private let environment: [String: String]
    private let isIsolated: Bool
    /// What stands before the command line.
    private let wrapper: [String]
    private let lineBuffering: [String: String]
    private let scratch: String

    /// Frames of the crashed thread alone, without colour, and to standard error like the message before it.
    private static let backtracing =
        "enable=yes,color=no,interactive=no,threads=crashed,registers=none,images=none,sanitize=no,output-to=stderr"

    /// What is kept of the environment by `--isolated`.
    private static let kept = [
        "PATH", "LD_LIBRARY_PATH", "DEVELOPER_DIR", "SDKROOT", "TOOLCHAINS", "SWIFT_BACKTRACE",
        // By which processes are found when `lane` was killed.
        "LANE_ROOT",
    ]

    init(
        _ environment: [String: String], options: TestOptions, profile: String?, scratch: String,
        wrapper: [String] = []
    ) {
        var environment = environment
        if options.isolated {
            environment = environment.filter { Self.kept.contains($0.key) }
            environment["TZ"] = "UTC"
            environment["LANG"] = "C.UTF-8"
            environment["LC_ALL"] = "C.UTF-8"
        }
        environment["SWIFT_BACKTRACE"] = environment["SWIFT_BACKTRACE"] ?? Self.backtracing
        // As `swift test` does where it does not write to a terminal.
        environment["NO_COLOR"] = "1"
        if let profile { environment["LLVM_PROFILE_FILE"] = profile }
        self.environment = environment
        self.scratch = scratch
        self.wrapper = wrapper
        isIsolated = options.isolated
        lineBuffering = options.build.isSanitizing || environment["LD_PRELOAD"] != nil ? [:] : Self.lineBuffering
    }

    /// With standard output in a pipe the C library keeps what a test prints to itself until some KiB are full, and a
    /// crash loses it. The preload of `stdbuf`, which every GNU system has, makes it write line by line.
    private static let lineBuffering: [String: String] = {
        let places = ["/usr/libexec/coreutils/libstdbuf.so", "/usr/lib/coreutils/libstdbuf.so"]
        guard let library = places.first(where: fileExists) else { return [:] }
        return ["LD_PRELOAD": library, "_STDBUF_O": "L"]
    }()
}

extension TestSurroundings {
    /// Where one test process runs. Its own folders, if it has any, go when it has ended.
    struct Place {
        let environment: [String: String]
        fileprivate let wrapper: [String]
        fileprivate let folder: String?

        /// The same command, run here.
        func surround(_ command: Command) -> Command {
            let words = wrapper + [command.executable] + command.arguments
            return Command(words[0], Array(words.dropFirst()), environment: environment, directory: command.directory)
        }

        func remove() {
            if let folder { try? removeTree(folder) }
        }
    }

    /// - Parameter tellsArguments: Swift Testing's events say to which case of a parameterised test they belong.
    func place(for library: TestLibrary, tellsArguments: Bool) throws(TestEngineFailure) -> Place {
        var environment = environment
        if tellsArguments { environment["SWT_EXPERIMENTAL_EVENT_STREAM_FIELDS_ENABLED"] = "1" }
        // Swift Testing has its standard output line-buffered by itself.
        if library == .xctest { environment.merge(lineBuffering) { own, _ in own } }
        guard isIsolated else { return Place(environment: environment, wrapper: wrapper, folder: nil) }
        let folder = try onFiles { () throws(FileError) in
            let folder = try makeTemporaryDirectory(in: scratch, prefix: "place")
            for name in ["home", "tmp"] { try makeDirectories("\(folder)/\(name)") }
            return folder
        }
        environment["HOME"] = "\(folder)/home"
        environment["TMPDIR"] = "\(folder)/tmp"
        return Place(environment: environment, wrapper: wrapper, folder: folder)
    }
}
