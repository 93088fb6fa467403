import LaneEvents
import TestOutput

/// How far one process has come with its tests: which of them run, since when, and which are over their time.
struct BatchProgress {
    struct RunningTest {
        let item: WorkItem
        let since: Duration
        /// How many began before it.
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
    private var turns: TestTurns
    private var begun = 0
    /// Not yet begun.
    private var notBegun: Set<Int>
    private(set) var ended = 0
    private(set) var hasToldFailure = false
    /// When a test ended last.
    private var lastEnd = Duration.zero
    /// Tests that were over their time.
    private(set) var late: Set<Int> = []

    /// - Parameter room: How many tests of a process can be at work at the same moment.
    init(_ batch: Batch, room: Int) {
        self.batch = batch
        turns = TestTurns(room: batch.isSerial ? 1 : room)
        notBegun = Set(batch.items.map(\.test))
    }

    /// The test that runs, if only one does.
    var onlyRunning: Int? { running.count == 1 ? running.first?.key : nil }

    /// Asked for, and not begun.
    var waiting: [WorkItem] { batch.items.filter { notBegun.contains($0.test) } }

    mutating func begin(_ item: WorkItem, at now: Duration) {
        notBegun.remove(item.test)
        running[item.test] = RunningTest(item: item, since: now, order: begun)
        turns.begin(item.test, at: now)
        begun += 1
    }

    mutating func begin(_ argument: String, of item: WorkItem, at now: Duration) {
        running[item.test]?.arguments.append(argument)
        running[item.test]?.lastArgument = now
    }

    /// Takes in a failure, of a test or of none.
    mutating func fail(_ item: WorkItem?) {
        hasToldFailure = true
        if let item { running[item.test]?.hasFailed = true }
    }

    mutating func end(_ item: WorkItem, isFailure: Bool, at now: Duration) {
        notBegun.remove(item.test)
        running[item.test] = nil
        _ = turns.end(item.test, at: now)
        ended += 1
        lastEnd = now
        if isFailure { hasToldFailure = true }
    }

    /// Finds the tests that are over their time or slow, and when to look again.
    mutating func check(
        at now: Duration, _ times: TestTimes
    ) -> (slow: [(test: Int, after: Duration)], next: Duration?) {
        var slow: [(test: Int, after: Duration)] = []
        var next: Duration?
        for (test, turn) in atWork {
            // While others end, any may wait for what they hold, and none is late. One after the other, the cases of a
            // test take longer than side by side, and each has the time for itself.
            let since = batch.isSerial ? max(turn, test.lastArgument) : max(turn, lastEnd)
            if let timeout = times.timeout, now >= since + timeout { late.insert(test.item.test) }
            let due = (batch.isSerial ? turn : since) + times.slowAfter * (test.slowNotices + 1)
            if now >= due {
                running[test.item.test]?.slowNotices += 1
                slow.append((test.item.test, now - turn))
            }
            for moment in [due > now ? due : now + times.slowAfter, times.timeout.map { since + $0 }] {
                if let moment { next = min(next ?? moment, moment) }
            }
        }
        return (slow, next)
    }

    /// The tests that have their turn, in the order in which they began, and since when. One after the other that is the
    /// last: if others look unfinished, their ends could not be told.
    private var atWork: [(test: RunningTest, turn: Duration)] {
        let running = running.values.sorted { $0.order < $1.order }
        if batch.isSerial { return running.suffix(1).map { ($0, $0.since) } }
        return running.compactMap { test in turns[test.item.test].map { (test, $0) } }
    }

    /// The tests that have not ended, in the order in which they began.
    func unfinished(at now: Duration) -> [Aftermath.Scene.RunningTest] {
        running.values.sorted { $0.order < $1.order }.map { test in
            let turn = batch.isSerial ? test.since : turns[test.item.test]
            return Aftermath.Scene.RunningTest(
                item: test.item, duration: now - (turn ?? test.since), arguments: test.arguments,
                hasFailed: test.hasFailed, hadTurn: turn != nil)
        }
    }
}
