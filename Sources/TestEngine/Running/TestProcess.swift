import Diagnostics
import LaneEvents
import Processes
import Synchronization
import TestOutput

/// One test process under way: which of its tests run, for how long, and what it said last.
///
/// The parsers tell it what happens, in their thread; the watchdog looks in from another.
final class TestProcess: Sendable {
    private struct State {
        var progress: BatchProgress
        /// The end of what it printed on standard error, for its last words.
        var lastWords: [UInt8] = []
        /// Set where a sanitizer may report.
        var sanitizer: SanitizerOutputParser?
        var faults: [SanitizerReport] = []
    }

    private static let lastWordsLimit = 1 << 16

    let batch: Batch
    let worker: Int
    let cancellation = Cancellation()
    private let run: TestRun
    private let root: String
    /// By the name under which the parser will tell of it.
    private let items: [TestID: WorkItem]
    private let state: Mutex<State>

    init(_ batch: Batch, worker: Int, run: TestRun, root: String) {
        self.batch = batch
        self.worker = worker
        self.run = run
        self.root = root
        var items = Dictionary(batch.items.map { (run.tests[$0.test].parserID, $0) }) { first, _ in first }
        if batch.isWhole {
            for item in batch.items { items[run.tests[item.test].relayedID] = item }
        }
        self.items = items
        state = Mutex(
            State(
                progress: BatchProgress(batch, threads: availableProcessors),
                sanitizer: run.options.build.isSanitizing ? SanitizerOutputParser(root: root) : nil))
    }

    /// Takes in what a parser read, under the parser's own names.
    func receive(_ event: TestEvent) {
        switch event {
        case .planned, .finished, .slow, .counted, .totals: break
        case .started(let test, _, _):
            guard let item = items[test] else { return }
            state.withLock { $0.progress.begin(item, at: Monotonic.now) }
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
        case .output(_, []): break
        case .output(let test, let bytes):
            run.emit(.output(test.flatMap { items[$0] }.map { run.tests[$0.test].id } ?? onlyRunning, bytes))
        case .ended(let result): end(result)
        }
    }

    private func end(_ result: TestResult) {
        guard let item = items[result.test] else { return }
        state.withLock { $0.progress.end(item, isFailure: result.outcome.isFailure, at: Monotonic.now) }
        run.end(item, result.outcome, result.duration)
    }

    /// Keeps the end of what the process prints on standard error, for its last words.
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

    /// Output of which the parser does not know whose it is belongs to the test that runs, if only one does.
    private var onlyRunning: TestID? {
        state.withLock { $0.progress.onlyRunning }.map { run.tests[$0].id }
    }

    /// Ends the process when a test is over its time and tells of slow ones. Returns when to look again.
    func check(at now: Duration) -> Duration? {
        let ((slow, next), isLate) = state.withLock { state in
            let found = state.progress.check(at: now, run.options.times)
            return (found, !state.progress.late.isEmpty)
        }
        if isLate {
            cancellation.cancel()
        } else {
            for (test, time) in slow {
                run.emit(.slow(run.tests[test].id, after: time))
            }
        }
        return next
    }

    /// The process has ended and all that it wrote is read.
    func conclude(_ report: ExitReport) {
        let now = Monotonic.now
        let scene = state.withLock { state in
            var faults = state.faults
            state.sanitizer?.finish { faults.append($0) }
            return Aftermath.Scene(
                batch: batch, report: report,
                running: state.progress.unfinished(at: now), waiting: state.progress.waiting,
                ended: state.progress.ended, hasToldFailure: state.progress.hasToldFailure,
                late: report.stoppedBy == nil ? [] : state.progress.late,
                stop: run.stop, crash: CrashReport.ofProcess(in: state.lastWords, root: root),
                faults: faults, isCrowded: state.progress.isCrowded)
        }
        // `swift test` itself ends in order, and its log tells of the crash as any other issue.
        if run.options.throughSwiftTest, scene.crash != nil { run.noteFault() }
        run.settle(Aftermath(of: scene, tests: run.tests, timeout: run.options.times.timeout))
        // A fault leaves behind what shall tell of it: a symbolizer, a tracer.
        if report.leakedProcesses > 0, scene.running.isEmpty, scene.faults.isEmpty {
            tellOfStrays(report.leakedProcesses)
        }
        run.ended(self)
    }

    /// The process could not be run at all.
    func giveUp(_ reason: String) {
        for item in batch.items { run.end(item, .notRun(reason: reason), nil) }
        run.ended(self)
    }

    private func tellOfStrays(_ count: Int) {
        let names = batch.items.prefix(5).map { "\(run.tests[$0.test].id)" }
        let more = batch.items.count > 5 ? " or another of \(batch.items.count) tests" : ""
        let left = count == 1 ? "a process" : "\(count) processes"
        run.tell(.warning, "\(list(names))\(more) left \(left) running behind it, now ended")
    }
}
