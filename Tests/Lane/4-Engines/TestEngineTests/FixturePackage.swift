import CLibrary
import Events
import OperatingSystem
import Synchronization
import TestEngine
import TestSupport
import Testing

/// A package of `EndToEndTests/Fixtures/packages`, copied to a persistent directory, so that it is only built again
/// when it changes.
struct FixturePackage: Sendable {
    let path: String

    /// A Boolean value that indicates whether the package uses the libraries of Swift 6.3; see `needsNewTesting`.
    static let demo = FixturePackage("Demo")
    static let losses = FixturePackage("Losses")
    static let odd = FixturePackage("Odd")

    init(_ name: String, as copy: String? = nil) {
        let source = "\(repositoryRoot)/Tests/EndToEndTests/Fixtures/packages/\(name)"
        path = "\(Self.environment["TMPDIR"] ?? "/tmp")/lane-fixtures-\(getuid())/\(copy ?? name)"
        do { try Self.copy(source, to: path) } catch { preconditionFailure("no fixture \(name): \(error)") }
    }

    /// The environment of all engines, in which SwiftPM builds into `scratch`.
    static let environment = buildEnvironment().merging(hostVariables) { $1 }
    /// The build directory of all packages, relative to the package.
    static let scratch = hostVariables["SWIFTPM_BUILD_DIR"] ?? ".build"

    /// Removes the extension `.txt`, which hides the sources from our own tools. Unchanged files are kept.
    private static func copy(_ source: String, to target: String) throws(FileError) {
        guard isDirectory(source) else {
            let target = target.hasSuffix(".txt") ? String(target.dropLast(4)) : target
            let bytes = try readFile(source)
            if (try? readFile(target)) != bytes { try writeFile(bytes, to: target) }
            return
        }
        try makeDirectories(target)
        for name in try listDirectory(source) { try copy("\(source)/\(name)", to: "\(target)/\(name)") }
    }
}

/// A sink that calls a closure with each event.
struct EventClosure: EventSink {
    let take: @Sendable (LaneEvent.Kind) -> Void

    init(_ take: @escaping @Sendable (LaneEvent.Kind) -> Void) { self.take = take }

    func send(_ kind: LaneEvent.Kind) { take(kind) }
}

/// Runs the engine on a fixture and records its events.
struct EngineRun {
    let verdict: TestVerdict
    let summary: RunSummary
    let events: [LaneEvent.Kind]

    init(
        _ package: FixturePackage, history: TestHistory? = nil, environment: [String: String] = [:],
        cancellation: Cancellation = Cancellation(), processes: any ProcessRunner = ChildRunner(),
        _ change: (inout TestOptions) -> Void = { _ in },
        seeing: @escaping @Sendable (LaneEvent.Kind) -> Void = { _ in }
    ) throws {
        var options = TestOptions()
        change(&options)
        let seen = Seen()
        let engine = TestEngine(
            options: options, package: package.path,
            environment: FixturePackage.environment.merging(environment) { $1 }, processes: processes,
            cancellation: cancellation, history: history,
            events: EventClosure { kind in
                seen.add(kind)
                seeing(kind)
            })
        let skipsBuild = options.build.isSkipped
        verdict = try Self.built.withLock { built in
            // The first test on a new machine builds its package.
            if skipsBuild, !built.contains(package.path) { try Self.build(package) }
            built.insert(package.path)
            return try engine.run()
        }
        events = seen.kinds.withLock { $0 }
        var summary = RunSummary()
        for (number, kind) in events.enumerated() {
            summary.receive(LaneEvent(number: number + 1, offset: .zero, step: StepID("test"), kind: kind))
        }
        self.summary = summary
    }

    /// The packages that were built. One package cannot be built twice at once, and concurrent runs would affect each
    /// other's durations.
    private static let built = Mutex<Set<String>>([])

    private static func build(_ package: FixturePackage) throws {
        var options = TestOptions()
        options.choice.skip = ["*"]
        _ = try TestEngine(
            options: options, package: package.path, environment: FixturePackage.environment, processes: ChildRunner(),
            cancellation: Cancellation(), history: nil, events: EventStream()
        ).run()
    }

    private final class Seen: Sendable {
        let kinds = Mutex<[LaneEvent.Kind]>([])

        func add(_ kind: LaneEvent.Kind) { kinds.withLock { $0.append(kind) } }
    }
}

extension EngineRun {
    var tests: TestSummary? { summary.tests.first?.summary }

    /// Returns the record of the only test whose name `Module.Suite/name` has an ending.
    func test(_ name: String) -> TestRecord? {
        let found = tests?.tests.filter { "\($0.id)".hasSuffix(name) } ?? []
        return found.count == 1 ? found[0] : nil
    }

    func outcome(_ name: String) -> TestResult.Outcome? { test(name)?.outcome }

    /// Returns the failures of the last attempt, one per line.
    func failure(_ name: String) -> String {
        test(name)?.attempts.last?.failures.map(\.text).joined(separator: "\n") ?? ""
    }

    func place(_ name: String) -> String {
        test(name)?.attempts.last?.failures.first?.location.map { "\($0.path):\($0.line)" } ?? ""
    }

    func output(_ name: String) -> String {
        test(name)?.attempts.last?.output?.text ?? ""
    }
}

extension Trait where Self == ConditionTrait {
    /// The condition of tests that expect the messages of Swift 6.3's testing libraries.
    static var needsNewTesting: Self {
        #if compiler(>=6.3)
            .enabled(if: true)
        #else
            .disabled("the package Demo uses the testing libraries of Swift 6.3")
        #endif
    }
}
