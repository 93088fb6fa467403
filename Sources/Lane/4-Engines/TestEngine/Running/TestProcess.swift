import Events
import OperatingSystem
import Synchronization
import Text
import ToolOutput

/// A running test process with its tests and the end of its output.
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
    private let run: TestRun
    private let root: String
    private let stackReader: StackReader
    /// The path of the test binary, or `nil` for `swift test`.
    private let binary: String?
    /// The tests by the ID in the parser's events.
    private let items: [TestID: WorkItem]
    private let state: Mutex<State>

    init(_ batch: Batch, worker: Int, run: TestRun, binary: String?, stackReader: StackReader) {
        let root = stackReader.package.directory
        self.batch = batch
        self.worker = worker
        self.run = run
        self.root = root
        self.binary = binary
        self.stackReader = stackReader
        var items = Dictionary(batch.items.map { (run.tests[$0.test].parserID, $0) }) { first, _ in first }
        if batch.isWhole {
            for item in batch.items { items[run.tests[item.test].relayedID] = item }
        }
        self.items = items
        state = Mutex(
            State(
                progress: BatchProgress(batch, threads: availableProcessors, at: Monotonic.now),
                sanitizer: run.options.build.isSanitizing ? SanitizerOutputParser(root: root) : nil))
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
        return HangReport(
            reading: stackReader.read(leader, binary: binary), products: binary.map(parentDirectory) ?? root, root: root
        )
    }

    /// Handles the end of the process, after all its output was read.
    func conclude(_ report: ExitReport) {
        let now = Monotonic.now
        let processState = state.withLock { state in
            var faults = state.faults
            state.sanitizer?.finish { faults.append($0) }
            return ExitAnalysis.ProcessState(
                batch: batch, report: report,
                running: state.progress.unfinished(at: now), waiting: state.progress.waiting,
                ended: state.progress.ended, hasReportedFailure: state.progress.hasReportedFailure,
                late: state.progress.late(after: report),
                stop: run.stop, crash: CrashReport.ofProcess(in: state.lastWords, root: root),
                faults: faults, isCrowded: state.progress.isCrowded,
                isStalled: report.stoppedBy != nil && state.progress.isStalled, hang: state.hang)
        }
        // `swift test` exits normally after a crash. Its log reports the crash as an issue.
        if run.options.throughSwiftTest, processState.crash != nil { run.noteFault() }
        run.settle(ExitAnalysis(of: processState, tests: run.tests, timeout: run.options.times.timeout))
        // After a sanitizer report, helper processes such as the symbolizer may still be running.
        if report.leakedProcesses > 0, processState.running.isEmpty, processState.faults.isEmpty {
            warnLeakedProcesses(report.leakedProcesses)
        }
        run.ended(self)
    }

    /// Handles a process that could not be started.
    func giveUp(_ reason: String) {
        for item in batch.items { run.end(item, .notRun(reason: reason), nil) }
        run.ended(self)
    }

    private func warnLeakedProcesses(_ count: Int) {
        let names = batch.items.prefix(5).map { "\(run.tests[$0.test].id)" }
        let more = batch.items.count > 5 ? " or another of \(batch.items.count) tests" : ""
        let left = count == 1 ? "a process running, which was" : "\(count) processes running, which were"
        run.report(.warning, "\(list(names))\(more) left \(left) ended")
    }
}

/// The progress of a test process: its running tests with their start times, and the tests that exceeded their time
/// limit.
struct BatchProgress {
    struct RunningTest {
        let item: WorkItem
        let since: Duration
        /// The number of tests that started earlier.
        let order: Int
        var arguments: [String] = []
        /// The start of the last argument.
        var lastArgument = Duration.zero
        var slowNotices = 0
        /// A Boolean value that indicates whether the test has recorded a failure.
        var hasFailed = false
    }

    /// The time after which the output of a test has been read.
    private static let outputDelay = Duration.milliseconds(20)

    private let batch: Batch
    /// The running tests by index in the run.
    private(set) var running: [Int: RunningTest] = [:]
    private let threads: Int
    /// The tests whose output may not have been read completely, with the times of their ends.
    private var justEnded: [Int: Duration] = [:]
    private var lastOutput = Duration.zero
    private var begun = 0
    /// The tests that have not started.
    private var notBegun: Set<Int>
    private(set) var ended = 0
    private(set) var hasReportedFailure = false
    /// The time of the start of the process, the last end of a test, or the last start of an argument.
    private var lastProgress: Duration
    /// The tests that exceeded their time limit.
    private(set) var late: Set<Int> = []
    /// A Boolean value that indicates whether no test was running for the time limit.
    private(set) var isStalled = false

    /// The least time without a running test after which a process has stalled: a process needs a moment to start, and
    /// `swift test` needs some seconds.
    private var leastStall: Duration { batch.isWhole ? .seconds(60) : .seconds(5) }

    /// - Parameters:
    ///   - threads: The number of threads of the process.
    ///   - now: The start of the process.
    init(_ batch: Batch, threads: Int, at now: Duration = .zero) {
        self.batch = batch
        self.threads = threads
        lastProgress = now
        notBegun = Set(batch.items.map(\.test))
    }

    /// Returns the test that printed output of unknown origin, or `nil` if several tests may have printed it.
    ///
    /// Output and events come through different pipes, so the output of a test may be read after its end.
    mutating func author(ofOutputAt now: Duration) -> Int? {
        // Successive parts may be a backlog from before the end of a test.
        if now - lastOutput > Self.outputDelay { justEnded = justEnded.filter { now - $0.value <= Self.outputDelay } }
        lastOutput = now
        guard running.count + justEnded.count == 1 else { return nil }
        return running.keys.first ?? justEnded.keys.first
    }

    /// A Boolean value that indicates whether some of the running tests may be waiting for a thread. Swift Testing up
    /// to 6.3 reports the start of a test when it is enqueued, and the end when a thread is available.
    var isCrowded: Bool { !batch.isSerial && running.count > threads }

    /// The requested tests that have not started.
    var waiting: [WorkItem] { batch.items.filter { notBegun.contains($0.test) } }

    /// Records the start of a test. Returns `false` if it has started before, because a copy of the process that the
    /// test has forked reports it again.
    mutating func begin(_ item: WorkItem, at now: Duration) -> Bool {
        guard notBegun.remove(item.test) != nil else { return false }
        running[item.test] = RunningTest(item: item, since: now, order: begun)
        begun += 1
        return true
    }

    mutating func begin(_ argument: String, of item: WorkItem, at now: Duration) {
        running[item.test]?.arguments.append(argument)
        running[item.test]?.lastArgument = now
        lastProgress = now
    }

    /// Records a failure of a test or outside any test.
    mutating func fail(_ item: WorkItem?) {
        hasReportedFailure = true
        if let item { running[item.test]?.hasFailed = true }
    }

    /// Records the end of a test. Returns `false` if it ended after its time limit. It is then regarded as running, because
    /// the tool that reads its stacks interrupts system calls, so a test that hangs in one may go on.
    mutating func end(_ result: TestResult, _ item: WorkItem, limit: Duration?, at now: Duration) -> Bool {
        if late.contains(item.test), !isCrowded, let limit {
            let duration = result.duration ?? limit
            if duration >= limit { return false }
            // The end was reported only because the process was ended: it hung after the test.
            if duration < limit / 2 { isStalled = true }
        }
        notBegun.remove(item.test)
        running[item.test] = nil
        justEnded[item.test] = now
        ended += 1
        lastProgress = now
        if result.outcome.isFailure { hasReportedFailure = true }
        return true
    }

    /// Returns the tests that exceed their time limit or are slow, and the time of the next check.
    ///
    /// - Parameter times: A closure that returns the limits of a test.
    mutating func check(
        at now: Duration, _ times: (Int) -> TestTimes
    ) -> (slow: [(test: Int, after: Duration)], next: Duration?) {
        var slow: [(test: Int, after: Duration)] = []
        var next: Duration?
        if running.isEmpty, let timeout = batch.items.compactMap({ times($0.test).timeout }).max() {
            let end = lastProgress + max(timeout, leastStall)
            if now >= end { isStalled = true } else { next = end }
        }
        for test in atWork {
            let times = times(test.item.test)
            // A test may be waiting for other tests, so it is not late while these make progress. In serial batches,
            // each case of a test has the full time limit.
            let since = batch.isSerial ? max(test.since, test.lastArgument) : max(test.since, lastProgress)
            if let timeout = times.timeout, now >= since + timeout { late.insert(test.item.test) }
            let due = (batch.isSerial ? test.since : since) + times.slowAfter * (test.slowNotices + 1)
            if now >= due, !isCrowded {
                running[test.item.test]?.slowNotices += 1
                slow.append((test.item.test, now - test.since))
            }
            for moment in [due > now ? due : now + times.slowAfter, times.timeout.map { since + $0 }] {
                if let moment { next = min(next ?? moment, moment) }
            }
        }
        return (slow, next)
    }

    /// The running tests in the order of their starts. In a serial batch, this is only the last test, because the ends
    /// of the others were not reported.
    private var atWork: [RunningTest] {
        let running = running.values.sorted { $0.order < $1.order }
        return batch.isSerial ? running.suffix(1) : running
    }

    /// Returns the tests because of whose lateness the process was ended, or would have been.
    func late(after report: ExitReport) -> Set<Int> {
        let isOrderly = [.exited(0), .exited(1)].contains(report.termination)
        return report.stoppedBy != nil || (isOrderly && !isCrowded) ? late : []
    }

    /// Returns the unfinished tests in the order of their starts.
    func unfinished(at now: Duration) -> [ExitAnalysis.ProcessState.RunningTest] {
        running.values.sorted { $0.order < $1.order }.map { test in
            ExitAnalysis.ProcessState.RunningTest(
                item: test.item, duration: now - test.since, arguments: test.arguments, hasFailed: test.hasFailed)
        }
    }
}
