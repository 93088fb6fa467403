import CLibrary
import Events
import OperatingSystem
import Synchronization
import Text

/// A run of tests: the shared state of its workers, and its processes.
final class TestRun: Sendable {
    private struct State {
        var tracker: TestTracker
        var processes: [TestProcess] = []
    }

    let tests: [ListedTest]
    let options: TestOptions
    private let state: Monitor<State>
    private let events: any EventSink
    /// The summary of all events, from which reports also compute their totals.
    private let summary = Mutex(RunSummary(passed: .counts))
    /// The quarantined tests with the reasons.
    private let quarantined: [TestID: String]

    init(
        tests: [ListedTest], options: TestOptions, workers: Int, history: TestHistory?, duration: (TestID) -> Duration?,
        root: String, events: any EventSink
    ) {
        self.tests = tests
        self.options = options
        self.events = events
        quarantined = Dictionary(
            tests.compactMap { test in test.quarantine.map { (test.id, $0) } }, uniquingKeysWith: { first, _ in first })
        var changed = ChangedFiles(options.choice.changedFiles, root: root)
        let prioritized = tests.indices.filter { index in
            let hasFailed = options.choice.failedFirst && history?.isOutstanding(tests[index].id) == true
            return hasFailed || changed.touch(tests[index].info)
        }
        let tracker = TestTracker(
            tests: tests, options: options, workers: workers, prioritized: Set(prioritized), duration: duration)
        state = Monitor(State(tracker: tracker))
    }

    /// Returns the next batch for a worker, or `nil` at the end of the run. Waits while other workers may return tests.
    func next() -> Batch? {
        state.wait { state in state.tracker.next() }
    }

    /// Registers a process. `halt` ends registered processes.
    func began(_ process: TestProcess) {
        let isStopped = state.withLock { state in
            state.processes.append(process)
            return state.tracker.stop != nil
        }
        if isStopped { process.cancellation.cancel() }
    }

    func ended(_ process: TestProcess) {
        state.withLock { state in
            state.processes.removeAll { $0 === process }
            state.tracker.batchEnded()
        }
        // Waiting workers check for returned tests.
        state.signalAll()
    }

    var processes: [TestProcess] { state.withLock { $0.processes } }

    /// Ends all processes and starts no more tests. Records only the first reason.
    func halt(_ reason: StopReason) {
        let processes = state.withLock { state in
            state.tracker.halt(reason)
            return state.processes
        }
        state.signalAll()
        for process in processes { process.cancellation.cancel() }
    }

    /// Returns the limits of a test: those of its rule, or of the options.
    func times(of test: Int) -> TestTimes {
        var times = options.times
        times.timeout = tests[test].timeout ?? times.timeout
        times.slowAfter = tests[test].slowAfter ?? times.slowAfter
        return times
    }

    /// The shortest time after which a test may be late or is reported.
    var shortestTime: Duration {
        let ruled = options.rules.flatMap { [$0.timeout, $0.slowAfter] }
        let times = ruled + [options.times.timeout]
        return times.compactMap(\.self).min().map { min($0, options.times.slowAfter) } ?? options.times.slowAfter
    }

    var stop: StopReason? { state.withLock { $0.tracker.stop } }

    func emit(_ event: TestEvent) {
        if case .issue(let issue) = event, issue.test == nil, issue.severity == .failure {
            let isNew = state.withLock { $0.tracker.note(issue) }
            if !isNew { return }
        }
        deliver(event)
    }

    /// Reports a failure of a process or a sanitizer report outside any test.
    func reportFault(_ issue: TestIssue) {
        noteFault()
        emit(.issue(issue))
    }

    /// Records a failure outside any test.
    func noteFault() { state.withLock { $0.tracker.noteFault() } }

    /// Sends an event. Failures of quarantined tests become known issues.
    private func deliver(_ event: TestEvent) {
        let kind = LaneEvent.Kind.test(quarantined.isEmpty ? event : event.excusing(quarantined))
        // Reports receive the events in the same order.
        summary.withLock { summary in
            summary.receive(LaneEvent(number: 0, offset: .zero, step: nil, kind: kind))
            events.send(kind)
        }
    }

    func report(_ level: Message.Level, _ text: String) { events.report(level, text) }

    func end(_ item: WorkItem, _ outcome: TestResult.Outcome, _ duration: Duration?) {
        let (events, stop) = state.withLock { state in
            (state.tracker.end(item, outcome, duration), state.tracker.stop)
        }
        // A retry of the test may be in the queue now.
        if outcome.isFailure || options.attempts.repetitions > 1 { state.signalAll() }
        for event in events { deliver(event) }
        if let stop { halt(stop) }
    }

    /// Handles the consequences of the end of a process.
    func settle(_ analysis: ExitAnalysis) {
        for issue in analysis.faults { reportFault(issue) }
        if let issue = analysis.runIssue { reportFault(issue) }
        warnWaited(analysis.waited)
        let (events, stop) = state.withLock { state in (state.tracker.settle(analysis), state.tracker.stop) }
        for event in events { deliver(event) }
        if let stop { halt(stop) }
    }

    private func warnWaited(_ waited: [Int]) {
        guard !waited.isEmpty else { return }
        report(
            .warning,
            "\(count(waited.count, "test")) were running when their process made no progress and was ended; some may only have "
                + "waited for a thread, so they run again one after another: \(list(waited.map { "\(tests[$0].id)" }, most: 5))"
        )
    }

    /// Ends the run. Returns a result for every test.
    func close() -> (results: [TestResult], counts: TestCounts, outside: OutsideFailure, stop: StopReason?) {
        let (events, tracker) = state.withLock { state in (state.tracker.close(), state.tracker) }
        for event in events { deliver(event) }
        let (counts, hasIssue) = summary.withLock { ($0.counts, !$0.failuresOutsideTests.isEmpty) }
        return (
            tracker.results.compactMap { $0 }, counts,
            tracker.outside == .nothing && hasIssue ? .issue : tracker.outside, tracker.stop
        )
    }
}

/// The most severe failure outside any test.
enum OutsideFailure: Equatable {
    case nothing
    /// A test library recorded an issue, and the process continued.
    case issue
    /// A process crashed, or a sanitizer reported an error.
    case fault
}

/// The reason for the early end of a run.
enum StopReason: Equatable, CustomStringConvertible {
    case firstFailure
    case cancelled
    case runTimeout(Duration)

    var description: String {
        switch self {
        case .firstFailure: "stopped at the first failure"
        case .cancelled: "the run was cancelled"
        case .runTimeout(let limit): "the run exceeded its time limit of \(limit.inWords)"
        }
    }
}
