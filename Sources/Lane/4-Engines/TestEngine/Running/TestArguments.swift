import Events
import OperatingSystem
import Text

/// The arguments that select the tests of a process.
enum TestArguments {
    /// Returns arguments such as `Module.Class/method,Module.Other`. A class whose tests all run is passed as a whole.
    static func xctest(_ batch: Batch, all: [ListedTest], chosen tests: [ListedTest]) -> [String] {
        var asked: [SuiteID: [WorkItem]] = [:]
        for item in batch.items { asked[SuiteID(tests[item.test].id), default: []].append(item) }
        var sizes = asked.mapValues { _ in 0 }
        for test in all where test.binary == batch.binary && test.id.library == .xctest {
            if let place = sizes.index(forKey: SuiteID(test.id)) { sizes.values[place] += 1 }
        }
        let names = asked.flatMap { suite, items in
            items.count == sizes[suite] ? ["\(suite.module).\(suite.suite)"] : items.map { tests[$0.test].selector }
        }
        return [names.sorted().joined(separator: ",")]
    }

    /// Returns no arguments for all tests of the binary, and the shorter of `--filter` and `--skip` for other tests.
    static func swiftTesting(_ batch: Batch, all: [ListedTest], chosen tests: [ListedTest]) -> [String] {
        let wanted = Set(batch.items.map { tests[$0.test].selector })
        let others = all.filter {
            $0.binary == batch.binary && $0.id.library == .swiftTesting && !wanted.contains($0.selector)
        }
        if others.isEmpty { return [] }
        let isLess = others.count < wanted.count
        let named = isLess ? others : batch.items.map { tests[$0.test] }
        return patterns(named).flatMap { [isLess ? "--skip" : "--filter", $0] }
    }

    /// Returns the arguments of `swift test`, whose patterns apply to both libraries.
    static func swiftTest(_ batch: Batch, all: [ListedTest], chosen tests: [ListedTest]) -> [String] {
        guard batch.items.count < all.count else { return [] }
        return patterns(batch.items.map { tests[$0.test] }).flatMap { ["--filter", $0] }
    }

    /// Returns anchored regular expressions for exactly these tests, each within the size limit of an argument.
    private static func patterns(_ tests: [ListedTest]) -> [String] {
        let names = tests.map {
            $0.hasDuplicateName || $0.id.library == .xctest ? $0.selector + PrefixTree.end : "\($0.id)/"
        }
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var pending = [names[...]]
        var result: [String] = []
        while let slice = pending.popLast() {
            let pattern = "^" + PrefixTree(slice).pattern
            if pattern.utf8.count > WorkQueue.maximumArgumentWidth, slice.count > 1 {
                pending += [slice.prefix(slice.count / 2), slice.dropFirst(slice.count / 2)]
            } else {
                result.append(pattern)
            }
        }
        return result
    }
}

/// A regular expression for several strings that combines common prefixes, so that it needs no backtracking.
///
/// `end` matches the end of the text; other characters are literal. Regular expressions match characters, so characters
/// outside ASCII are kept with the preceding one.
private struct PrefixTree {
    private typealias Atoms = ArraySlice<Substring.UTF8View>

    /// No name of a test contains a line break.
    static let end = "\n"

    let pattern: String

    /// Creates the expression. `texts` must be sorted by bytes.
    init(_ texts: ArraySlice<String>) {
        pattern = Self.pattern(texts.map(Self.atoms)[...])
    }

    private static func atoms(_ text: String) -> Atoms {
        var atoms: [Substring.UTF8View] = []
        var rest = text.utf8[...]
        while !rest.isEmpty {
            let tail = rest.dropFirst().drop { $0 >= 0x80 }
            atoms.append(rest[..<tail.startIndex])
            rest = tail
        }
        return atoms[...]
    }

    private static func pattern(_ texts: ArraySlice<Atoms>) -> String {
        guard let first = texts.first, let last = texts.last else { return "" }
        // The strings are sorted, so a common prefix of the first and the last is common to all.
        let common = zip(first, last).prefix { $0.elementsEqual($1) }.count
        let head = first.prefix(common).map(escaped).joined()
        let rests = texts.map { $0.dropFirst(common) }[...]
        if rests.count == 1 || rests.contains(where: \.isEmpty) { return head }
        var branches: [String] = []
        var start = rests.startIndex
        while start < rests.endIndex {
            let end = rests[start...].firstIndex { !begin($0, as: rests[start]) } ?? rests.endIndex
            branches.append(pattern(rests[start..<end]))
            start = end
        }
        return "\(head)(?:\(branches.joined(separator: "|")))"
    }

    /// Returns a Boolean value that indicates whether two nonempty strings have the same first element.
    private static func begin(_ one: Atoms, as other: Atoms) -> Bool {
        zip(one.prefix(1), other).allSatisfy { $0.elementsEqual($1) }
    }

    private static func escaped(_ atom: Substring.UTF8View) -> String {
        let text = String(Substring(atom))
        if text == end { return "$" }
        guard let byte = atom.first, byte < 0x80, !byte.isAlphanumeric, !"_ `".utf8.contains(byte) else { return text }
        return "\\" + text
    }
}

/// A format of Swift Testing's event stream, newest first.
enum EventStreamForm: String, Sendable, CaseIterable {
    /// The format of toolchain 6.3 and later, with warnings and absolute paths.
    case version63
    /// The format of toolchains 6.0 to 6.2.
    case version0

    /// Returns the format that `swift test` passes to tests.
    ///
    /// - Parameter version: The output of `swift --version`, which contains `Swift version 6.2.3
    ///   (swift-6.2.3-RELEASE)`. Without a version, the newest format is assumed.
    static func ofSwiftTest(version: [UInt8]) -> EventStreamForm {
        let mark = Array("Swift version ".utf8)
        guard let place = version.indices.first(where: { version[$0...].starts(with: mark) }) else {
            return .version63
        }
        let numbers = version[(place + mark.count)...].prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
            .split(separator: UInt8(ascii: ".")).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard let major = numbers.first else { return .version63 }
        let minor = numbers.dropFirst().first ?? 0
        return (major, minor) >= (6, 3) ? .version63 : .version0
    }

    /// The options that disable the library's text output. Writing the text takes as long as writing the events.
    static let withoutText = ["--verbosity", String(Int.min)]

    /// Returns the options that write the event stream to a path.
    func arguments(writingTo path: String) -> [String] {
        switch self {
        case .version63: ["--event-stream-output-path", path, "--event-stream-version", "6.3"]
        case .version0: ["--event-stream-output-path", path, "--event-stream-version", "0"]
        }
    }
}

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
