import Events
import OperatingSystem
import Synchronization
import Text
import ToolOutput

/// The parts of a run that each of its processes needs.
struct TestSetup: Sendable {
    /// All tests of the binaries, selected or not.
    let listed: [ListedTest]
    let binaries: [TestBinary]
    /// The format of Swift Testing's events if `swift test` runs the binaries.
    var swiftTestEvents: EventStreamForm?
    let package: SwiftPackage
    let testEnvironment: TestEnvironment
    let processes: any ProcessRunner
    var coverage: CoverageMeasurement?
    let observer: XCTestObserver
    /// A directory for pipes.
    let scratch: String
}

/// A process that runs the tests of a batch, and the end of its output.
///
/// The parsers pass events on their threads. The watchdog checks the process on another thread.
final class TestProcess: Sendable {
    private struct State {
        var progress: BatchProgress
        /// The end of standard error, for crash reports.
        var lastWords: [UInt8] = []
        /// The parser of sanitizer reports, if a sanitizer is used.
        var sanitizer: SanitizerOutputParser?
        var faults: [SanitizerReport] = []
        /// The ID of the running process.
        var leader: Int32?
        /// The stacks at the time when late tests or the end of the run ended the process.
        var hang: HangReport?
    }

    private static let lastWordsLimit = 1 << 16

    let batch: Batch
    let worker: Int
    let cancellation = Cancellation()
    let run: TestRun
    let setup: TestSetup
    /// The tests by the ID in the parser's events.
    private let items: [TestID: WorkItem]
    private let state: Mutex<State>

    init(_ batch: Batch, worker: Int, run: TestRun, setup: TestSetup) {
        self.batch = batch
        self.worker = worker
        self.run = run
        self.setup = setup
        var items = Dictionary(batch.items.map { (run.tests[$0.test].parserID, $0) }) { first, _ in first }
        if batch.isWhole {
            for item in batch.items { items[run.tests[item.test].relayedID] = item }
        }
        self.items = items
        state = Mutex(
            State(
                progress: BatchProgress(batch, threads: availableProcessors, at: Monotonic.now),
                sanitizer: run.options.build.isSanitizing ? SanitizerOutputParser(root: setup.package.directory) : nil))
    }

    /// Handles an event of a parser, with the parser's IDs.
    func receive(_ event: TestEvent) {
        switch event {
        case .sharded, .planned, .finished, .slow, .counted, .totals, .origin: break
        case .started(let test, _, _):
            guard let item = items[test], state.withLock({ $0.progress.begin(item, at: Monotonic.now) }) else { return }
            run.emit(.started(run.tests[item.test].id, attempt: item.attempt, worker: worker))
        case .argumentStarted(let test, let argument):
            guard let item = items[test] else { return }
            state.withLock { $0.progress.begin(argument, of: item, at: Monotonic.now) }
            run.emit(.argumentStarted(run.tests[item.test].id, argument))
        case .issue(let issue):
            let item = issue.test.flatMap { items[$0] }
            if issue.severity == .failure { state.withLock { $0.progress.fail(item) } }
            let test = item.map { run.tests[$0.test] }
            run.emit(
                .issue(
                    TestIssue(
                        test: test?.id, severity: issue.severity, text: issue.text,
                        at: issue.location ?? test?.info.location, argument: issue.argument)))
        case .attached(let test, let path):
            if let item = items[test] { run.emit(.attached(run.tests[item.test].id, path: path)) }
        case .output(_, []): break
        case .output(let test, let bytes):
            let index =
                test.flatMap { items[$0]?.test } ?? state.withLock { $0.progress.author(ofOutputAt: Monotonic.now) }
            run.emit(.output(index.map { run.tests[$0].id }, bytes))
        case .ended(let result): end(result)
        }
    }

    private func end(_ result: TestResult) {
        guard let item = items[result.test] else { return }
        let limit = run.times(of: item.test).timeout
        guard state.withLock({ $0.progress.end(result, item, limit: limit, at: Monotonic.now) }) else { return }
        run.end(item, result.outcome, result.duration)
    }

    /// Keeps the end of standard error for crash reports.
    func remember(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            state.lastWords += bytes.suffix(Self.lastWordsLimit)
            let excess = state.lastWords.count - 2 * Self.lastWordsLimit
            if excess > 0 { state.lastWords.removeFirst(excess + Self.lastWordsLimit) }
            var faults: [SanitizerReport] = []
            state.sanitizer?.consume(bytes) { faults.append($0) }
            state.faults += faults
        }
    }

    /// Ends the process if a test exceeds its time limit, and reports slow tests. Returns the time of the next check.
    func check(at now: Duration) -> Duration? {
        let ((slow, next), isLate, isCrowded) = state.withLock { state in
            let found = state.progress.check(at: now, run.times(of:))
            return (found, state.progress.isStalled || !state.progress.late.isEmpty, state.progress.isCrowded)
        }
        if isLate {
            // The tests of a crowded process run again, one after another.
            if !cancellation.isCancelled, !isCrowded { keepStacks() }
            cancellation.cancel()
        } else {
            for (test, time) in slow {
                run.emit(.slow(run.tests[test].id, after: time))
            }
        }
        return next
    }

    /// Records the start or the end of the process.
    func setLeader(_ leader: Int32?) { state.withLock { $0.leader = leader } }

    /// Reads the stacks for the results of running tests.
    func keepStacks() {
        guard let hang = readStacks() else { return }
        state.withLock { $0.hang = hang }
    }

    /// Prints the stacks. The process continues.
    func showStacks(_ reason: String) {
        guard let hang = readStacks() else { return }
        let tests = state.withLock { state in state.progress.running.values.map { run.tests[$0.item.test] } }
        let names = list(tests.map { "\($0.id)" }.sorted(), most: 5)
        let text =
            ["\(reason): \(tests.isEmpty ? "no test is running" : names)"]
            + hang.lines(for: tests.map(\.parserID))
        run.report(.note, text.joined(separator: "\n"))
    }

    private func readStacks() -> HangReport? {
        guard let leader = state.withLock({ $0.leader }) else { return nil }
        let (binary, root) = (self.binary, setup.package.directory)
        let reader = StackReader(package: setup.package, processes: setup.processes)
        return HangReport(
            reading: reader.read(leader, binary: binary), products: binary.map(parentDirectory) ?? root, root: root)
    }

    /// Handles the end of the process, after all its output was read.
    private func conclude(_ report: ExitReport) {
        let processState = state.withLock { state in
            var faults = state.faults
            state.sanitizer?.finish { faults.append($0) }
            return ExitAnalysis.ProcessState(
                progress: state.progress, report: report, now: Monotonic.now, stop: run.stop,
                crash: CrashReport.ofProcess(in: state.lastWords, root: setup.package.directory), faults: faults,
                hang: state.hang)
        }
        // `swift test` exits normally after a crash. Its log reports the crash as an issue.
        if run.options.throughSwiftTest, processState.crash != nil { run.noteFault() }
        run.settle(ExitAnalysis(of: processState, tests: run.tests, timeout: run.options.times.timeout))
        // After a sanitizer report, helper processes such as the symbolizer may still be running.
        if !report.leakedProcesses.isEmpty, processState.running.isEmpty, processState.faults.isEmpty {
            warnLeakedProcesses(report.leakedProcesses)
        }
        run.ended(self)
    }

    /// Handles a process that could not be started.
    private func giveUp(_ reason: String) {
        for item in batch.items { run.end(item, .notRun(reason: reason), nil) }
        run.ended(self)
    }

    private func warnLeakedProcesses(_ processes: [ObservedProcess]) {
        let tests = batch.items.count > 5 ? "a test" : list(batch.items.map { "\(run.tests[$0.test].id)" })
        let verb = processes.count == 1 ? "was" : "were"
        let left = list(processes.map(\.description), most: 5)
        run.report(.warning, "\(left), which \(tests) left running, \(verb) ended")
    }
}

// MARK: Starting

extension TestProcess {
    /// Runs the tests, and handles the end of the process.
    func perform() {
        run.began(self)
        do throws(TestEngineFailure) {
            let report =
                if batch.isWhole {
                    try runSwiftTest()
                } else if batch.library == .xctest {
                    try runXCTest()
                } else if batch.isObserved {
                    try runSwiftTestingText()
                } else {
                    try runSwiftTesting()
                }
            conclude(report)
        } catch {
            giveUp(error.message)
        }
    }

    /// The tests of the batch.
    var tests: [ListedTest] { batch.items.map { run.tests[$0.test] } }

    /// The path of the test binary, or `nil` for `swift test`.
    private var binary: String? { batch.isWhole ? nil : setup.binaries[batch.binary].path }

    func start(
        _ arguments: [String], observedBy session: XCTestObserver.Session? = nil,
        output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(TestEngineFailure) -> ExitReport {
        let command = Command(
            setup.binaries[batch.binary].path, arguments, environment: setup.package.environment,
            directory: setup.package.directory)
        return try start(command, observedBy: session, output: output)
    }

    func start(
        _ command: Command, observedBy session: XCTestObserver.Session? = nil,
        output: (OutputSource, UnsafeRawBufferPointer) -> Void
    ) throws(TestEngineFailure) -> ExitReport {
        // Swift Testing's output is already line-buffered, and the observer buffers that of XCTest by line.
        let buffering: LineBuffering.Scope =
            batch.isWhole
            ? .everyProgram
            : batch.library == .swiftTesting || session != nil ? .nothing : .program(command.executable)
        let processEnvironment = try setup.testEnvironment.processEnvironment(
            buffering, tellsArguments: tests.contains(where: \.info.isParameterized))
        defer { processEnvironment.remove() }
        var limits = RunLimits(grace: run.options.times.grace, cancellation: cancellation)
        limits.started = { [self] in setLeader($0) }
        limits.willTimeOut = { [self] in showStacks("running when the step timed out") }
        defer { setLeader(nil) }
        var command = processEnvironment.wrapping(command)
        session?.observe(&command.environment)
        if !run.options.isCaptured { (command.input, command.output) = (.inherited, .inherited) }
        if let debugger = run.options.debugger { command = debugger.wrapping(command) }
        do {
            return try setup.processes.run(command, limits: limits, output: output)
        } catch {
            throw .cannotStart(error)
        }
    }

    private func runXCTest() throws(TestEngineFailure) -> ExitReport {
        if batch.isObserved || !run.options.isCaptured {
            if let library = setup.observer.compiled() { return try runObserved(library) }
            if !run.options.isCaptured { throw .cannotPrepare("XCTest reports its results in the output of the tests") }
        }
        return try runXCTest(take: receive)
    }

    func runXCTest(
        observedBy session: XCTestObserver.Session? = nil, take: (TestEvent) -> Void
    ) throws(TestEngineFailure) -> ExitReport {
        let modules = Dictionary(tests.map { (String($0.className), $0.id.module) }) { first, _ in first }
        var parser = XCTestOutputParser(
            root: setup.package.sourceRoot, modules: modules, tests: tests.flatMap(\.printedNames), worker: worker)
        var errors = BacktraceFilter()
        let arguments = TestArguments.xctest(batch, all: setup.listed, chosen: run.tests)
        let report = try start(arguments, observedBy: session) { source, bytes in
            switch source {
            case .standardOutput: parser.consume(bytes, emit: take)
            case .standardError:
                remember(bytes)
                receive(.output(nil, errors.remains(of: bytes)))
            }
        }
        receive(.output(nil, errors.finish()))
        parser.finish(isByExit: [0, 1].contains { report.termination == .exited($0) }, emit: take)
        return report
    }

    private func runSwiftTesting() throws(TestEngineFailure) -> ExitReport {
        try followingEvents { pipe throws(TestEngineFailure) in
            var errors = BacktraceFilter()
            let report = try start(swiftTestingArguments(events: pipe)) { source, bytes in
                // The test that printed this output wrote its start event earlier.
                pipe.catchUp()
                switch source {
                case .standardOutput: receive(.output(nil, Array(bytes)))
                case .standardError:
                    remember(bytes)
                    receive(.output(nil, errors.remains(of: bytes)))
                }
            }
            receive(.output(nil, errors.finish()))
            return report
        }
    }

    private func swiftTestingArguments(events pipe: EventPipe) -> [String] {
        let form = setup.binaries[batch.binary].eventStream ?? .version63
        var arguments = ["--testing-library", "swift-testing"] + EventStreamForm.withoutText
        arguments += form.arguments(writingTo: pipe.path) + attachmentArguments
        if batch.isSerial {
            arguments.append("--no-parallel")
        } else if let jobs = run.options.jobs {
            arguments += ["--experimental-maximum-parallelization-width", String(jobs)]
        }
        return arguments + TestArguments.swiftTesting(batch, all: setup.listed, chosen: run.tests)
    }

    /// The options that keep the attachments of Swift Testing. Versions without attachments ignore them.
    var attachmentArguments: [String] { run.options.attachments.map { ["--attachments-path", $0] } ?? [] }

    /// Runs a process that writes events to a pipe. All events are passed before this returns.
    func followingEvents(
        _ body: (EventPipe) throws(TestEngineFailure) -> ExitReport
    ) throws(TestEngineFailure) -> ExitReport {
        let parser = SharedParser(
            SwiftTestingEventParser(
                root: setup.package.sourceRoot, worker: worker,
                threads: batch.isSerial ? .max : availableProcessors))
        defer { parser.finish(receive) }
        return try followingEvents(through: "events", take: { [self] in parser.consume($0, receive) }, body: body)
    }

    /// Runs a process that writes to a pipe. All its data is passed before this returns.
    func followingEvents(
        through name: String, take: @escaping @Sendable (UnsafeRawBufferPointer) -> Void,
        body: (EventPipe) throws(TestEngineFailure) -> ExitReport
    ) throws(TestEngineFailure) -> ExitReport {
        let pipe = try EventPipe(path: "\(setup.scratch)/\(name)-\(worker)")
        try pipe.start(take)
        defer { pipe.finish() }
        return try body(pipe)
    }
}
