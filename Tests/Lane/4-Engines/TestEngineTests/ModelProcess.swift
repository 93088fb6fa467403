import Events
import OperatingSystem

@testable import TestEngine

/// A simulation of a test process that runs a batch of a `ModelSuite` like Swift Testing or XCTest.
struct ModelProcess {
    private enum Place { case thread, main, free }

    private let batch: Batch
    private let suite: ModelSuite
    private let times: TestTimes
    private var progress: BatchProgress
    private var now = Duration.zero
    /// The tests that have not started, in order. Serial tests wait for each other.
    private var toBegin: [WorkItem]
    private var serialized: [WorkItem]
    /// The bodies and reported ends, in the order in which they need a thread.
    private var waiting: [(item: WorkItem, place: Place, time: Duration?)] = []
    /// The tests whose bodies have ended.
    private var isOver: Set<Int> = []
    private var freeThreads: Int
    private var isMainFree = true
    private var timers: [(moment: Duration, item: WorkItem, place: Place)] = []
    /// The time at which the process exits.
    private var crash: Duration?
    /// The tests that recorded a failure, in this process or earlier.
    private(set) var recorded: Set<Int> = []
    private(set) var hasCrashed = false

    init(_ batch: Batch, of suite: ModelSuite, _ times: TestTimes, shuffled: [WorkItem]) {
        self.batch = batch
        self.suite = suite
        self.times = times
        progress = BatchProgress(batch, threads: suite.workers)
        let isOrdered = batch.isSerial
        serialized = shuffled.filter { isOrdered || suite.tests[$0.test].isSerialized }
        toBegin = isOrdered ? [] : shuffled.filter { !suite.tests[$0.test].isSerialized }
        freeThreads = isOrdered ? 1 : suite.workers
    }

    /// Runs to the end of the process.
    mutating func run(_ emit: (TestEvent) -> Void, _ end: (WorkItem, TestResult.Outcome, Duration) -> Void)
        -> ExitAnalysis.ProcessState
    {
        for item in toBegin { begin(item, emit) }
        if !serialized.isEmpty { begin(serialized.removeFirst(), emit) }
        while !progress.running.isEmpty {
            proceed()
            let look = progress.check(at: now, { _ in times }).next
            let timer = timers.indices.min { timers[$0].moment < timers[$1].moment }
            let moments = [look, timer.map { timers[$0].moment }, crash].compactMap { $0 }
            now = moments.min() ?? now + times.slowAfter
            if let crash, crash <= now {
                hasCrashed = true
                return state(.signalled(4), stoppedBy: nil)
            }
            if let timer, timers[timer].moment <= now {
                finish(timers.remove(at: timer), emit, end)
            } else {
                _ = progress.check(at: now, { _ in times })
                if !progress.late.isEmpty { return state(.signalled(15), stoppedBy: .cancelled) }
            }
        }
        return state(.exited(progress.hasReportedFailure ? 1 : 0), stoppedBy: nil)
    }

    private func state(_ termination: ExitReport.Termination, stoppedBy: ExitReport.Stop?) -> ExitAnalysis.ProcessState
    {
        ExitAnalysis.ProcessState(
            progress: progress, report: ExitReport(termination: termination, stoppedBy: stoppedBy, duration: now),
            now: now)
    }

    private mutating func begin(_ item: WorkItem, _ emit: (TestEvent) -> Void) {
        _ = progress.begin(item, at: now)
        emit(.started(suite.id(item.test), attempt: item.attempt, worker: 1))
        enter(item, emit)
    }

    /// Assigns threads and the main actor to those that have waited longest.
    private mutating func proceed() {
        waiting.removeAll { (item, place, time) in
            switch place {
            case .thread:
                if freeThreads == 0 { return false }
                freeThreads -= 1
            case .main:
                if !isMainFree { return false }
                isMainFree = false
            case .free: break
            }
            if let time { timers.append((now + time, item, place)) }
            return true
        }
    }

    /// Starts the body of a test.
    private mutating func enter(_ item: WorkItem, _ emit: (TestEvent) -> Void) {
        let isInCompany = !batch.isSerial && batch.items.count > 1
        var (place, time): (Place, Duration?) = (.thread, .milliseconds(1))
        switch suite.tests[item.test].behavior {
        case .works(let length): time = .milliseconds(length)
        case .awaits(let length): (place, time) = (.free, .milliseconds(length))
        case .fails: record(item, emit)
        case .failsAndAwaits(let length):
            record(item, emit)
            (place, time) = (.free, .milliseconds(length))
        case .hangs: time = nil
        case .hangsAwaiting: (place, time) = (.free, nil)
        case .crashes(let length):
            (place, time) = (.free, nil)
            crash = min(crash ?? .seconds(1 << 30), now + .milliseconds(length))
        case .worksOnMain(let length): (place, time) = (.main, .milliseconds(length))
        case .hangsOnMain: (place, time) = (.main, nil)
        case .hangsInCompany(let isRecording):
            guard isInCompany else { break }
            if isRecording { record(item, emit) }
            (place, time) = (.free, nil)
        case .crashesInCompany:
            if isInCompany { crash = min(crash ?? .seconds(1 << 30), now + .milliseconds(1)) }
        }
        waiting.append((item, place, time))
    }

    private mutating func record(_ item: WorkItem, _ emit: (TestEvent) -> Void) {
        progress.fail(item)
        recorded.insert(item.test)
        emit(.issue(TestIssue(test: suite.id(item.test), text: "a failure")))
    }

    private mutating func finish(
        _ timer: (moment: Duration, item: WorkItem, place: Place), _ emit: (TestEvent) -> Void,
        _ end: (WorkItem, TestResult.Outcome, Duration) -> Void
    ) {
        switch timer.place {
        case .thread: freeThreads += 1
        case .main: isMainFree = true
        case .free: break
        }
        if suite.endsLate, isOver.insert(timer.item.test).inserted {
            waiting.append((timer.item, .thread, .zero))
            return
        }
        let hasFailed = progress.running[timer.item.test]?.hasFailed ?? false
        let result = TestResult(
            test: suite.id(timer.item.test), outcome: hasFailed ? .failed : .passed, duration: now,
            attempt: timer.item.attempt)
        _ = progress.end(result, timer.item, limit: times.timeout, at: now)
        end(timer.item, hasFailed ? .failed : .passed, now)
        let isOrdered = batch.isSerial || suite.tests[timer.item.test].isSerialized
        if isOrdered, !serialized.isEmpty { begin(serialized.removeFirst(), emit) }
    }
}

extension ModelSuite {
    func id(_ test: Int) -> TestID { listed[test].id }

    var listed: [ListedTest] {
        tests.indices.map { index in
            TestEngineTests.listed(tests[index].isXCTest ? .xctest : .swiftTesting, "M", "S", "test\(index)")
        }
    }
}
