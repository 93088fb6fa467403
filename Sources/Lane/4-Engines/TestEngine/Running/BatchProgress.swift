import Events
import OperatingSystem

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

    let batch: Batch
    /// The running tests by index in the run.
    private(set) var running: [Int: RunningTest] = [:]
    private let threads: Int
    /// The tests whose output may not have been read completely, with the times of their ends.
    private var justEnded: [Int: Duration] = [:]
    private var lastOutput = Duration.zero
    private var begun = 0
    /// The tests that have not started.
    private var notBegun: Set<Int>
    /// The number of finished tests.
    private(set) var ended = 0
    /// A Boolean value that indicates whether a failure was reported that explains the exit status.
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
        batch.isSerial ? unfinished.suffix(1) : unfinished
    }

    /// Returns the tests because of whose lateness the process was ended, or would have been.
    func late(after report: ExitReport) -> Set<Int> {
        let isOrderly = [.exited(0), .exited(1)].contains(report.termination)
        return report.stoppedBy != nil || (isOrderly && !isCrowded) ? late : []
    }

    /// The running tests in the order of their starts.
    var unfinished: [RunningTest] { running.values.sorted { $0.order < $1.order } }
}
