package import Events
package import OperatingSystem
import Text
import ToolOutput

/// An engine that runs the tests of a Swift package and reports a result for each test.
///
/// The engine builds the package once. It asks the test binaries for their tests, and runs the binaries directly. If a
/// test ends its process, the engine reports the test, and runs the remaining tests in another process.
package struct TestEngine: Sendable {
    let options: TestOptions
    let package: SwiftPackage
    let processes: any ProcessRunner
    let cancellation: Cancellation
    let history: TestHistory?
    /// The tests to run, or `nil` to build and list them.
    private let built: BuiltTests?
    /// The recorded durations in place of those of `history`.
    private let timings: TestHistory?
    let events: any EventSink

    /// Creates an engine. `directory` is the package's root, and `environment` the complete environment of child
    /// processes.
    ///
    /// - Parameters:
    ///   - built: The tests to run in `directory`, or `nil` to build and list those of the package.
    ///   - timings: The recorded durations in place of those of `history`.
    package init(
        options: TestOptions, package directory: String, environment: [String: String], processes: any ProcessRunner,
        cancellation: Cancellation, history: TestHistory?, built: BuiltTests? = nil, timings: TestHistory? = nil,
        events: any EventSink
    ) {
        self.options = options
        let root = resolvedPath(directory) ?? directory
        package = SwiftPackage(
            directory: root, sourceRoot: built?.sourceRoot ?? root, environment: environment, options: options)
        self.processes = processes
        self.cancellation = cancellation
        self.history = history
        self.built = built
        self.timings = timings ?? built?.durations
        self.events = events
    }

    /// Builds the package and lists its tests, for a run on another machine. Returns `nil` if the build fails.
    package func buildTests() throws(TestEngineFailure) -> BuiltTests? {
        guard let inventory = try prepare() else { return nil }
        if let listingError = inventory.listingErrors.first { throw listingError }
        return BuiltTests(
            binaries: inventory.binaries, tests: inventory.tests, sourceRoot: package.directory,
            durations: timings ?? history)
    }

    /// Builds the package. Returns the tests that `run` would run.
    /// Each test has the text of the rule that holds for it.
    package func list() throws(TestEngineFailure) -> (tests: [(info: TestInfo, rule: String?)], verdict: TestVerdict) {
        guard let inventory = try prepare() else { return ([], notBuilt) }
        if let listingError = inventory.listingErrors.first { throw listingError }
        let selection = try selection(of: inventory)
        let verdict = selection.emptiness.map { TestVerdict(of: $0, in: package) } ?? TestVerdict(status: .done)
        let tests = try ruled(selection.tests, among: inventory.tests)
        return (tests.map { (planned($0), ruleText(of: $0)) }, verdict)
    }

    /// Builds, lists and runs the selected tests, and records their results.
    package func run() throws(TestEngineFailure) -> TestVerdict {
        OutOfMemory.begin()
        do throws(TestEngineFailure) {
            let verdict = try runListedOrUnlisted()
            noteRun(verdict.status, hasTests: verdict.counts.planned > 0)
            return verdict
        } catch {
            noteRun(error.status, hasTests: false)
            throw error
        }
    }

    /// Records whether the run failed, for `--failed` in the next run. A run without tests changes nothing, and one for
    /// which a tool is missing.
    private func noteRun(_ status: ExitStatus, hasTests: Bool) {
        guard let history, ![.nothingRan, .usage, .toolMissing].contains(status), status != .done || hasTests,
            history.hasFailedRun != (status != .done)
        else { return }
        history.hasFailedRun = status != .done
        do throws(FileError) {
            try history.save()
        } catch {
            events.report(.warning, "\(error); the result of this run is not recorded")
        }
    }

    private func runListedOrUnlisted() throws(TestEngineFailure) -> TestVerdict {
        do throws(TestEngineFailure) {
            return try runListed()
        } catch {
            guard case .ownEntryPoint(let binary, _) = error, options.choice == TestChoice() else { throw error }
            let text =
                "'\(binary)' has its own entry point and does not list its tests, so 'swift test' runs them"
            events.report(.note, text)
            return try runUnlisted()
        }
    }

    /// Throws an error if the debugger does not start, for example because a library of it is missing.
    private func requireDebugger() throws(TestEngineFailure) {
        guard let debugger = options.debugger else { return }
        let command = Command(debugger.rawValue, ["--version"], environment: package.environment)
        let run: CapturedRun
        do { run = try processes.capture(command) } catch { throw .cannotStart(error) }
        guard !run.report.succeeded else { return }
        let text = run.errorText.split(separator: "\n").last ?? ""
        throw .brokenDebugger(debugger, reason: "\(ProcessEnding(run.report))" + (text.isEmpty ? "" : "\n\(text)"))
    }

    private func runListed() throws(TestEngineFailure) -> TestVerdict {
        try requireDebugger()
        guard let inventory = try prepare() else { return notBuilt }
        let selection = try selection(of: inventory)
        if selection.runsAllAfterFailure {
            events.report(.note, "the last run failed, but none of these tests did, so all of them run")
        }
        if let part = selection.part { events.send(.test(.sharded(part))) }
        if let emptiness = selection.emptiness {
            // The requested tests may be among those that were not listed.
            if let listingError = inventory.listingErrors.first { throw listingError }
            return TestVerdict(of: emptiness, in: package)
        }
        guard options.debugger == nil || selection.tests.count == 1 else {
            throw .severalTests(selection.tests.count)
        }
        if let shard = options.choice.shard {
            // With different recorded durations on other machines, tests could run twice or never.
            let basis = (timings ?? history)?.fingerprint.map { "by the recorded times \($0)" } ?? "by name"
            let tests = count(selection.tests.count, "test")
            events.report(.note, "shard \(shard.index) of \(shard.count): \(tests), divided \(basis)")
        }
        sendPlan(selection.tests)
        let ruled = try ruled(selection.tests, among: inventory.tests)
        return try run(try quarantined(ruled, among: inventory.tests), of: inventory)
    }

    /// The maximum number of tests in one event, which limits the memory of receivers.
    private static let planSize = 1000

    private func sendPlan(_ tests: [ListedTest]) {
        for start in stride(from: 0, to: tests.count, by: Self.planSize) {
            events.send(.test(.planned(tests[start..<min(start + Self.planSize, tests.count)].map(planned))))
        }
    }

    private func planned(_ test: ListedTest) -> TestInfo {
        var info = test.info
        info.usualDuration = duration(of: test.id)
        return info
    }

    private func selection(of inventory: Inventory) throws(TestEngineFailure) -> TestSelection {
        try TestSelection(of: inventory.tests, options: options, history: history, duration: duration)
    }

    private func duration(of test: TestID) -> Duration? { (timings ?? history)?.duration(of: test) }

    private struct Inventory {
        let binaries: [TestBinary]
        /// The format of Swift Testing's events if `swift test` runs the binaries.
        var swiftTestEvents: EventStreamForm?
        let tests: [ListedTest]
        /// The errors that make the list incomplete.
        var listingErrors: [TestEngineFailure] = []
    }

    private var workers: Int {
        // `swift test` has its own workers.
        options.throughSwiftTest ? 1 : max(1, options.jobs ?? availableProcessors)
    }

    private var notBuilt: TestVerdict {
        cancellation.isCancelled
            ? .cancelled(by: cancellation.signal) : TestVerdict(status: .buildFailed, reason: "the build failed")
    }

    func verdict(_ counts: TestCounts, _ outside: OutsideFailure, _ stop: StopReason?) -> TestVerdict {
        if stop == .cancelled { return .cancelled(by: cancellation.signal, counts) }
        return TestVerdict(of: counts, outside, stop, flakyFails: options.attempts.flakyFails)
    }

    /// The least time limit of a listing. `swift test list` needs some seconds.
    private static let leastListing = Duration.seconds(60)

    /// Builds and lists the tests. Returns `nil` if the build fails.
    private func prepare() throws(TestEngineFailure) -> Inventory? {
        if let built { return Inventory(binaries: built.binaries, tests: built.tests) }
        if !options.build.isSkipped {
            let stamp = BuildStamp(package: package)
            let inputs = stamp.inputs()
            if !stamp.isFresh(inputs) {
                guard try package.build(processes, cancellation, events: events) else { return nil }
                stamp.save(inputs)
            }
        }
        return try withScratch { (scratch) throws(TestEngineFailure) in
            let lister = TestLister(
                package: package, processes: processes,
                limits: RunLimits(
                    timeout: options.times.timeout.map { max($0, Self.leastListing) }, grace: options.times.grace,
                    cancellation: cancellation),
                scratch: scratch)
            if options.throughSwiftTest {
                let events = try lister.swiftTestEvents()
                return Inventory(
                    binaries: [], swiftTestEvents: events,
                    tests: located(try lister.listThroughSwiftTest(), in: scratch))
            }
            let found = try package.testBinaries(processes)
            var binaries: [TestBinary] = []
            var tests: [ListedTest] = []
            var listingErrors: [TestEngineFailure] = []
            for (index, binary) in found.enumerated() {
                let listing = try lister.list(binary.path, at: index)
                binaries.append(listing.binary)
                tests += listing.tests
                listingErrors += listing.listingErrors
            }
            if let listingError = listingErrors.first, tests.isEmpty || cancellation.isCancelled { throw listingError }
            return Inventory(binaries: binaries, tests: tests, listingErrors: listingErrors)
        }
    }

    /// Returns tests that `swift test` has listed with the locations that XCTest does not report.
    private func located(_ tests: [ListedTest], in scratch: String) -> [ListedTest] {
        guard tests.contains(where: { $0.id.library == .xctest }), let binaries = package.knownTestBinaries() else {
            return tests
        }
        return binaries.reduce(tests) { tests, binary in
            let places = TestMethodLocations(binary: binary.path, in: package, processes, scratch: scratch)
            return tests.map(places.locating)
        }
    }

    /// The profile path for instrumented tests in a run without coverage. Without it, they would write to the package.
    private var profileOfOthers: String? {
        options.build.isSkipped ? package.environment["LLVM_PROFILE_FILE"] ?? "/dev/null" : nil
    }

    private func run(_ tests: [ListedTest], of inventory: Inventory) throws(TestEngineFailure) -> TestVerdict {
        let run = TestRun(
            tests: tests, options: options, workers: workers, history: history, duration: duration,
            root: package.directory, events: events)
        return try withScratch { (scratch) throws(TestEngineFailure) in
            let measurement = options.coverage ? try coverage(in: scratch) : nil
            let testEnvironment = TestEnvironment(
                package.environment, options: options,
                profile: options.throughSwiftTest && options.coverage ? nil : measurement?.profile ?? profileOfOthers,
                scratch: scratch, wrapper: wrapper,
                lineBuffering: options.throughSwiftTest || tests.contains { $0.id.library == .xctest }
                    ? LineBuffering(of: package, processes, scratch: scratch) : nil)
            for listingError in inventory.listingErrors { run.reportFault(listingError.issue) }
            work(on: run, of: inventory, testEnvironment, measurement, scratch)
            let end = run.close()
            remember(end.results, among: inventory)
            var verdict = verdict(end.counts, end.outside, end.stop)
            reportQuarantined(end.results, among: tests)
            if let measurement {
                let modules = Set(inventory.tests.map(\.id.module))
                do throws(TestEngineFailure) {
                    let report =
                        options.throughSwiftTest
                        ? try measurement.reportOfSwiftTest(testModules: modules)
                        : try measurement.report(inventory.binaries, testModules: modules)
                    verdict.add(report, threshold: options.coverageThreshold)
                } catch {
                    // A crash may be the reason why nothing was measured, and it is the result of the run.
                    guard verdict.status != .done else { throw error }
                    run.report(.warning, error.message)
                }
            }
            return verdict
        }
    }

    private func work(
        on run: TestRun, of inventory: Inventory, _ testEnvironment: TestEnvironment, _ coverage: CoverageMeasurement?,
        _ scratch: String
    ) {
        let watchdog = Watchdog(run, following: cancellation)
        let setup = TestSetup(
            listed: inventory.tests, binaries: inventory.binaries, swiftTestEvents: inventory.swiftTestEvents,
            package: package, testEnvironment: testEnvironment, processes: processes, coverage: coverage,
            observer: XCTestObserver(of: package, processes: processes, scratch: scratch, events: events),
            scratch: scratch)
        let threads = (1...workers).compactMap { worker in
            Thread {
                while let batch = run.next() {
                    TestProcess(batch, worker: worker, run: run, setup: setup).perform()
                }
            }
        }
        for thread in threads { thread.join() }
        watchdog.dismiss()
    }

    private func coverage(in scratch: String) throws(TestEngineFailure) -> CoverageMeasurement {
        let directory = "\(scratch)/coverage"
        try convertingFileErrors(to: TestEngineFailure.self, of: makeDirectories(directory))
        return CoverageMeasurement(package: package, processes: processes, directory: directory)
    }

    private func remember(_ results: [TestResult], among inventory: Inventory) {
        guard let history else { return }
        // The recorded durations determine shards, so a shard must not change the durations for other shards.
        let keepsTimes = options.choice.shard != nil
        for result in results {
            history.record(result, keepsTimes: keepsTimes)
            if !keepsTimes { timings?.record(result) }
        }
        // The list may be incomplete, and unlisted tests may exist.
        if inventory.listingErrors.isEmpty { history.keep(only: inventory.tests.map(\.id)) }
        do throws(FileError) {
            try history.save()
            if !keepsTimes, built == nil { try timings?.save() }
        } catch {
            events.report(.warning, "\(error); the results of this run are not recorded")
        }
    }

    /// The prefix that disables the network, if requested and possible.
    var wrapper: [String] {
        guard options.isolated else { return [] }
        if let wrapper = NetworkIsolation(package.environment, processes).wrapper { return wrapper }
        events.report(.warning, "this system cannot run tests without a network; everything else is isolated")
        return []
    }

    func withScratch<Result>(
        _ body: (String) throws(TestEngineFailure) -> Result
    ) throws(TestEngineFailure) -> Result {
        let scratch = try convertingFileErrors(
            to: TestEngineFailure.self, of: ScratchDirectory(for: package.environment, prefix: "lane-scratch-test"))
        defer { scratch.remove() }
        return try body(scratch.path)
    }
}
