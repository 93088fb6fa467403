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

/// The state of all tests of a run: pending attempts and results. Every test gets a result.
struct TestTracker {
    let tests: [ListedTest]
    private let options: TestOptions
    private(set) var queue: WorkQueue
    /// The final result of each test.
    private(set) var results: [TestResult?]
    /// The reason why no more tests start.
    private(set) var stop: StopReason?
    /// The number of running batches, which may return tests to the queue.
    private var running = 0
    /// A Boolean value that indicates whether the running batch must be alone.
    private var isExclusive = false
    /// The recorded failures of tests that run again in the same attempt.
    private var evidence: [Int: Evidence] = [:]
    /// The result of the last attempt at each test.
    private var lastResults: [TestResult?]
    /// The groups of tests whose process crashed or failed. One test of each group is the cause.
    private var suspicions: [Suspicion] = []
    /// The failures outside any test.
    private(set) var runIssues: [TestIssue] = []
    private var hasFault = false

    init(
        tests: [ListedTest], options: TestOptions, workers: Int, prioritized: Set<Int> = [],
        duration: (TestID) -> Duration?
    ) {
        self.tests = tests
        self.options = options
        results = Array(repeating: nil, count: tests.count)
        lastResults = results
        queue = WorkQueue(
            tests.indices.map { WorkItem(test: $0) }, of: tests, workers: workers, isWhole: options.throughSwiftTest,
            prioritized: prioritized, duration: duration)
    }

    /// Returns the next batch. Returns `.none` if the worker must wait, and `.some(nil)` at the end of the run.
    mutating func next() -> Batch?? {
        if stop != nil { return .some(nil) }
        if isExclusive { return .none }
        if let batch = queue.next() {
            running += 1
            return .some(batch)
        }
        guard running == 0 else { return .none }
        guard let batch = queue.nextExclusive() else { return .some(nil) }
        running = 1
        isExclusive = true
        return .some(batch)
    }

    mutating func batchEnded() {
        running -= 1
        isExclusive = false
    }

    /// Records the result of an attempt. Returns the events that follow from it.
    mutating func end(
        _ item: WorkItem, _ outcome: TestResult.Outcome, _ duration: Duration?
    ) -> [TestEvent] {
        if let known = results[item.test] {
            // A test may have printed a line that looked like its end. The last result is the actual result.
            guard known.attempt == item.attempt, !known.outcome.isFailure, outcome.isFailure else { return [] }
            results[item.test] = nil
        }
        var outcome = outcome
        var events: [TestEvent] = []
        if let known = evidence.removeValue(forKey: item.test) {
            // An earlier crash or failure of the same attempt counts.
            if let crash = known.crash, !outcome.isCrash {
                events.append(.issue(crash.issue))
                outcome = .crashed(how: crash.how)
            } else if known.hasFailed, !outcome.isFailure {
                outcome = .failed
            }
        }
        let result = TestResult(test: tests[item.test].id, outcome: outcome, duration: duration, attempt: item.attempt)
        events.append(.ended(result))
        lastResults[item.test] = result
        if let duration, !outcome.endsProcess { queue.learn(duration, of: item.test) }
        if outcome.isFailure {
            suspicions.removeAll { $0.tests.contains(item.test) && (outcome.endsProcess || !$0.isCrash) }
        }
        if let next = attempt(after: item, outcome), stop == nil {
            queue.add([next])
        } else {
            results[item.test] = result
            if options.attempts.failFast, outcome.isFailure, tests[item.test].quarantine == nil {
                halt(.firstFailure)
            }
        }
        return events
    }

    /// Records that a test exceeded its time limit together with others. The test runs alone to determine whether it
    /// hangs. If it does not, it is flaky.
    mutating func endLate(_ item: WorkItem, _ lateness: Lateness) -> [TestEvent] {
        guard evidence[item.test] == nil else {
            // The test has failed, but runs again to determine whether it hangs.
            queue.add([WorkItem(test: item.test, attempt: item.attempt, isolation: .ownProcess)])
            return [.issue(lateness.issue)]
        }
        let result = TestResult(
            test: tests[item.test].id, outcome: .timedOut(after: lateness.duration), duration: lateness.duration,
            attempt: item.attempt)
        lastResults[item.test] = result
        queue.add([WorkItem(test: item.test, attempt: item.attempt + 1, isolation: .ownProcess)])
        return [.issue(lateness.issue), .ended(result)]
    }

    private func attempt(after item: WorkItem, _ outcome: TestResult.Outcome) -> WorkItem? {
        if options.attempts.repetitions > 1 {
            // Repetitions end at the first failure.
            let repeats = outcome == .passed && item.attempt < options.attempts.repetitions
            return repeats ? WorkItem(test: item.test, attempt: item.attempt + 1) : nil
        }
        let retries = tests[item.test].retries ?? options.attempts.retries
        guard outcome.isFailure, item.attempt <= retries else { return nil }
        return WorkItem(test: item.test, attempt: item.attempt + 1, isolation: .ownProcess)
    }

    /// Stops the run. Records only the first reason.
    mutating func halt(_ reason: StopReason) { stop = stop ?? reason }

    /// Adds tests that a process did not run to the queue.
    mutating func again(_ items: [WorkItem]) { queue.add(items) }

    /// Records a crash until the test has run alone to find its argument.
    mutating func remember(_ crash: CrashEvidence, of test: Int) { evidence[test, default: Evidence()].crash = crash }

    /// Records a failure in an attempt that was interrupted.
    mutating func rememberFailure(of test: Int) { evidence[test, default: Evidence()].hasFailed = true }

    mutating func recordSuspicion(_ tests: Set<Int>, of issue: TestIssue, isCrash: Bool) {
        suspicions.append(Suspicion(tests: tests, issue: issue, isCrash: isCrash))
    }

    /// Adds a failure outside any test. Returns `false` if it was added before, because an error in a class's `setUp`
    /// occurs in each process of the class.
    mutating func note(_ issue: TestIssue) -> Bool {
        let isKnown = runIssues.contains { known in
            known.location == issue.location && known.text.prefix { $0 != "\n" } == issue.text.prefix { $0 != "\n" }
        }
        guard !isKnown else { return false }
        runIssues.append(issue)
        return true
    }

    /// Records that a process crashed or a sanitizer reported an error.
    mutating func noteFault() { hasFault = true }

    var outside: OutsideFailure { runIssues.isEmpty ? .nothing : hasFault ? .fault : .issue }

    /// Adds results of tests that never started, and failures outside any test.
    mutating func close() -> [TestEvent] {
        var events: [TestEvent] = []
        let reason = stop?.description ?? "it was not started"
        let left = queue.removeAll() + tests.indices.map { WorkItem(test: $0) }
        for item in left where results[item.test] == nil {
            if let last = lastResults[item.test], evidence[item.test] == nil {
                // The retry did not start, so the result is the failure.
                results[item.test] = last
            } else {
                events += end(item, .notRun(reason: reason), nil)
            }
        }
        for suspicion in suspicions where stop == nil {
            runIssues.append(suspicion.issue)
            if suspicion.isCrash { noteFault() }
            events.append(.issue(suspicion.issue))
        }
        return events + [.finished]
    }

    private struct Suspicion {
        let tests: Set<Int>
        let issue: TestIssue
        let isCrash: Bool
    }

    private struct Evidence {
        var crash: CrashEvidence?
        var hasFailed = false
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

/// A recorded crash.
struct CrashEvidence: Equatable {
    let how: String
    let issue: TestIssue
}

/// The time and the issue of a test that exceeded its time limit when its process was ended.
struct Lateness: Equatable {
    let duration: Duration
    let issue: TestIssue
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

extension TestResult.Outcome {
    var isCrash: Bool { if case .crashed = self { true } else { false } }

    /// A Boolean value that indicates whether the test ended its process.
    var endsProcess: Bool { if case .timedOut = self { true } else { isCrash } }
}

extension Duration {
    /// The duration in words: `1.5 s`, `5 min`.
    var inWords: String {
        let seconds = self / .seconds(1)
        if seconds >= 60, seconds.truncatingRemainder(dividingBy: 60) == 0 { return "\(Int(seconds / 60)) min" }
        return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\((seconds * 100).rounded() / 100) s"
    }
}

extension TestTracker {
    /// Updates the tests that were unfinished at the end of a process. Returns their events.
    mutating func settle(_ analysis: ExitAnalysis) -> [TestEvent] {
        if let suspicion = analysis.suspicion {
            recordSuspicion(suspicion.tests, of: suspicion.issue, isCrash: suspicion.isCrash)
        }
        for test in analysis.failed { rememberFailure(of: test) }
        var events: [TestEvent] = []
        for (item, disposition) in analysis.dispositions {
            switch disposition {
            case .ended(let outcome, let issue):
                if let issue { events.append(.issue(issue)) }
                // The measured time of a crash includes the end of the process, so the test's duration is unknown.
                let duration: Duration? = if case .timedOut(let duration) = outcome { duration } else { nil }
                events += end(item, outcome, duration)
            case .again(let isolation):
                again([
                    WorkItem(test: item.test, attempt: item.attempt, isolation: isolation, isObserved: item.isObserved)
                ])
            case .observed:
                let isFunction = tests[item.test].id.library == .swiftTesting
                again([
                    WorkItem(
                        test: item.test, attempt: item.attempt, isolation: isFunction ? .ownProcess : item.isolation,
                        isObserved: true)
                ])
            case .crashed(let evidence):
                remember(evidence, of: item.test)
                again([WorkItem(test: item.test, attempt: item.attempt, isolation: .serial)])
            case .late(let lateness): events += endLate(item, lateness)
            }
        }
        return events
    }
}
