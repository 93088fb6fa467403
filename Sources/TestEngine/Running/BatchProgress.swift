import LaneEvents

/// The progress of one process with its tests: the running ones, since when, and those past their deadline.
struct BatchProgress {
    struct RunningTest {
        let item: WorkItem
        let since: Duration
        /// The number of tests that began before it.
        let order: Int
        var arguments: [String] = []
        /// When the last of the arguments began.
        var lastArgument = Duration.zero
        var slowNotices = 0
        /// It has recorded a failure.
        var hasFailed = false
    }

    private let batch: Batch
    /// By their places in the run's list.
    private(set) var running: [Int: RunningTest] = [:]
    private let threads: Int
    private var begun = 0
    /// Not yet begun.
    private var notBegun: Set<Int>
    private(set) var ended = 0
    private(set) var hasToldFailure = false
    /// When a test ended last, or an argument began.
    private var lastProgress = Duration.zero
    /// Tests that were over their time.
    private(set) var late: Set<Int> = []

    /// - Parameter threads: How many tests of the process can hold a thread at the same moment.
    init(_ batch: Batch, threads: Int) {
        self.batch = batch
        self.threads = threads
        notBegun = Set(batch.items.map(\.test))
    }

    /// The test that runs, if only one does.
    var onlyRunning: Int? { running.count == 1 ? running.first?.key : nil }

    /// A Boolean value that indicates whether some of the running tests may only wait for a thread: Swift Testing up to
    /// 6.3 tells that a test begins when it is put into the queue, and its end when a thread has time for it.
    var isCrowded: Bool { !batch.isSerial && running.count > threads }

    /// Asked for, and not begun.
    var waiting: [WorkItem] { batch.items.filter { notBegun.contains($0.test) } }

    mutating func begin(_ item: WorkItem, at now: Duration) {
        notBegun.remove(item.test)
        running[item.test] = RunningTest(item: item, since: now, order: begun)
        begun += 1
    }

    mutating func begin(_ argument: String, of item: WorkItem, at now: Duration) {
        running[item.test]?.arguments.append(argument)
        running[item.test]?.lastArgument = now
        lastProgress = now
    }

    /// Takes in a failure, of a test or of none.
    mutating func fail(_ item: WorkItem?) {
        hasToldFailure = true
        if let item { running[item.test]?.hasFailed = true }
    }

    mutating func end(_ item: WorkItem, isFailure: Bool, at now: Duration) {
        notBegun.remove(item.test)
        running[item.test] = nil
        ended += 1
        lastProgress = now
        if isFailure { hasToldFailure = true }
    }

    /// Finds the tests that are over their time or slow, and when to look again.
    mutating func check(
        at now: Duration, _ times: TestTimes
    ) -> (slow: [(test: Int, after: Duration)], next: Duration?) {
        var slow: [(test: Int, after: Duration)] = []
        var next: Duration?
        for test in atWork {
            // While others go on, any may wait for what they hold, and none is late. One after the other, the cases of a
            // test take longer than side by side, and each has the time for itself.
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

    /// The running tests in the order in which they began. One after the other that is the last: if others look
    /// unfinished, their ends could not be told.
    private var atWork: [RunningTest] {
        let running = running.values.sorted { $0.order < $1.order }
        return batch.isSerial ? running.suffix(1) : running
    }

    /// The tests that have not ended, in the order in which they began.
    func unfinished(at now: Duration) -> [Aftermath.Scene.RunningTest] {
        running.values.sorted { $0.order < $1.order }.map { test in
            Aftermath.Scene.RunningTest(
                item: test.item, duration: now - test.since, arguments: test.arguments, hasFailed: test.hasFailed)
        }
    }
}
