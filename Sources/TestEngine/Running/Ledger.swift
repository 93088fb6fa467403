import LaneEvents

/// The books of a run: what is still to do, and how every test ended. No test leaves them without an end.
struct Ledger {
    let tests: [ListedTest]
    private let options: TestOptions
    private(set) var queue: WorkQueue
    /// How each test ended for good.
    private(set) var results: [TestResult?]
    private var hasFailedBefore: Set<Int> = []
    /// Why nothing new shall begin.
    private(set) var stop: StopReason?
    /// Batches that are being run and may yet bring work back.
    private var running = 0
    /// Crashes of which the test is known but not the argument, until the test has run alone to tell it.
    private var crashes: [Int: CrashEvidence] = [:]
    /// Tests that were over their time in a crowd, until they have run alone.
    private var late: [Int: Lateness] = [:]
    private var lateAlone = 0
    /// After so many the rest is not waited for; with two workers or more, that is two more times the timeout.
    private let mostLateAlone: Int
    /// Tests that were all running when their process crashed; one of them must be found to be the cause.
    private var suspicions: [Suspicion] = []
    /// Something failed that belongs to no test.
    private(set) var runIssues: [TestIssue] = []
    private var hasFault = false

    init(
        tests: [ListedTest], options: TestOptions, workers: Int, hurried: Set<Int> = [],
        duration: (TestID) -> Duration?
    ) {
        self.tests = tests
        self.options = options
        mostLateAlone = max(4, 2 * workers)
        results = Array(repeating: nil, count: tests.count)
        queue = WorkQueue(
            tests.indices.map { WorkItem(test: $0) }, of: tests, workers: workers, isWhole: options.throughSwiftTest,
            hurried: hurried, duration: duration)
    }

    /// The next batch for a free worker: `.none` to wait, for work may come back; `.some(nil)` when all is done.
    mutating func next() -> Batch?? {
        if stop != nil { return .some(nil) }
        if let batch = queue.next() {
            running += 1
            return .some(batch)
        }
        return running == 0 ? .some(nil) : .none
    }

    mutating func batchEnded() { running -= 1 }

    /// Takes in how one attempt ended, and what follows from it.
    mutating func end(
        _ item: WorkItem, _ outcome: TestResult.Outcome, _ duration: Duration?
    ) -> [TestEvent] {
        if let known = results[item.test] {
            // What a test printed may have looked like its end; the line that came last was the true one.
            guard known.attempt == item.attempt, !known.outcome.isFailure, outcome.isFailure else { return [] }
            results[item.test] = nil
        }
        var outcome = outcome
        var events: [TestEvent] = []
        if let evidence = crashes.removeValue(forKey: item.test), !outcome.isFailure {
            // Alone it behaves; the crash that was seen still counts.
            events.append(.issue(evidence.issue))
            outcome = .crashed(how: evidence.how)
        }
        let result = TestResult(test: tests[item.test].id, outcome: outcome, duration: duration, attempt: item.attempt)
        events.append(.ended(result))
        if late.removeValue(forKey: item.test) != nil, case .timedOut = outcome { lateAlone += 1 }
        if let duration, !outcome.endsProcess { queue.learn(duration, of: item.test) }
        if outcome.isFailure { hasFailedBefore.insert(item.test) }
        if outcome.endsProcess { suspicions.removeAll { $0.tests.contains(item.test) } }
        if let next = attempt(after: item, outcome), stop == nil {
            queue.add([next])
        } else {
            results[item.test] = result
            if options.attempts.failFast, outcome.isFailure { halt(.firstFailure) }
        }
        return late.isEmpty || lateAlone < mostLateAlone ? events : events + endLate()
    }

    /// When one test after the other hangs alone, too, the others are taken for what they looked like: nobody waits for
    /// all of them.
    private mutating func endLate() -> [TestEvent] {
        var events: [TestEvent] = []
        for item in queue.removeApart(where: { late[$0.test] != nil }) {
            guard let lateness = late.removeValue(forKey: item.test) else { continue }
            events.append(.issue(lateness.issue))
            events += end(item, .timedOut(after: lateness.duration), lateness.duration)
        }
        return events
    }

    private func attempt(after item: WorkItem, _ outcome: TestResult.Outcome) -> WorkItem? {
        if options.attempts.repetitions > 1 {
            // Who repeats looks for the one failure.
            let goesOn = outcome == .passed && item.attempt < options.attempts.repetitions
            return goesOn ? WorkItem(test: item.test, attempt: item.attempt + 1) : nil
        }
        guard outcome.isFailure, item.attempt <= options.attempts.retries else { return nil }
        return WorkItem(test: item.test, attempt: item.attempt + 1, company: .none)
    }

    /// The first reason stays.
    mutating func halt(_ reason: StopReason) { stop = stop ?? reason }

    /// Takes back what a process was asked and did not do.
    mutating func again(_ items: [WorkItem]) { queue.add(items) }

    mutating func remember(_ crash: CrashEvidence, of test: Int) { crashes[test] = crash }

    mutating func remember(_ lateness: Lateness, of test: Int) { late[test] = lateness }

    mutating func suspect(_ tests: Set<Int>, of issue: TestIssue) {
        suspicions.append(Suspicion(tests: tests, issue: issue))
    }

    /// Takes in a failure that belongs to no test; false when it was there before, at the same place and for the same
    /// reason, as a fault in a class's set-up is met by each process that comes to it.
    mutating func note(_ issue: TestIssue) -> Bool {
        let isKnown = runIssues.contains { known in
            known.location == issue.location && known.text.prefix { $0 != "\n" } == issue.text.prefix { $0 != "\n" }
        }
        guard !isKnown else { return false }
        runIssues.append(issue)
        return true
    }

    /// A process was lost, or a sanitizer found something.
    mutating func noteFault() { hasFault = true }

    var outside: OutsideOfTests { runIssues.isEmpty ? .nothing : hasFault ? .fault : .issue }

    /// Ends what never began, and says what no test took upon itself.
    mutating func close() -> [TestEvent] {
        var events: [TestEvent] = []
        let reason = stop?.description ?? "it was left over"
        for item in queue.removeAll() where results[item.test] == nil {
            events += end(item, .notRun(reason: reason), nil)
        }
        for test in tests.indices where results[test] == nil {
            events += end(WorkItem(test: test), .notRun(reason: reason), nil)
        }
        for suspicion in suspicions where stop == nil {
            runIssues.append(suspicion.issue)
            noteFault()
            events.append(.issue(suspicion.issue))
        }
        return events + [.finished]
    }

    var counts: TestCounts {
        var counts = TestCounts()
        for case (let test, let result?) in zip(results.indices, results) {
            counts.planned += 1
            switch result.outcome {
            case .passed:
                counts.passed += 1
                if hasFailedBefore.contains(test) { counts.flaky += 1 }
            case .failed: counts.failed += 1
            case .skipped: counts.skipped += 1
            case .crashed: counts.crashed += 1
            case .timedOut: counts.timedOut += 1
            case .notRun: counts.notRun += 1
            }
        }
        return counts
    }

    private struct Suspicion {
        let tests: Set<Int>
        let issue: TestIssue
    }
}

/// The gravest that went wrong and belongs to no test.
enum OutsideOfTests: Equatable {
    case nothing
    /// A test library recorded it, and the process went on.
    case issue
    /// A process was lost, or a sanitizer found something.
    case fault
}

/// A crash that was seen and must not be lost.
struct CrashEvidence: Equatable {
    let how: String
    let issue: TestIssue
}

/// That a test was over its time when its process was ended.
struct Lateness: Equatable {
    let duration: Duration
    let issue: TestIssue
}

/// Why a run ended before all its tests had.
enum StopReason: Equatable, CustomStringConvertible {
    case firstFailure
    case cancelled
    case runTimeout(Duration)

    var description: String {
        switch self {
        case .firstFailure: "stopped at the first failure"
        case .cancelled: "the run was cancelled"
        case .runTimeout(let limit): "the run's time of \(limit.inWords) was up"
        }
    }
}

extension TestResult.Outcome {
    /// Whether the test took its process with it.
    var endsProcess: Bool {
        switch self {
        case .crashed, .timedOut: true
        default: false
        }
    }
}

extension Duration {
    /// `1.5 s`, `5 min`.
    var inWords: String {
        let seconds = self / .seconds(1)
        if seconds >= 60, seconds.truncatingRemainder(dividingBy: 60) == 0 { return "\(Int(seconds / 60)) min" }
        return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\((seconds * 100).rounded() / 100) s"
    }
}
