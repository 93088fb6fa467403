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
    /// The batch that is being run must have nothing beside it.
    private var isExclusive = false
    /// The recorded facts about tests that run again within the same attempt.
    private var evidence: [Int: Evidence] = [:]
    /// The result of the last attempt at each test.
    private var lastResults: [TestResult?]
    /// Tests of a process that crashed, or failed; one of them must be found to be the cause.
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
        results = Array(repeating: nil, count: tests.count)
        lastResults = results
        queue = WorkQueue(
            tests.indices.map { WorkItem(test: $0) }, of: tests, workers: workers, isWhole: options.throughSwiftTest,
            hurried: hurried, duration: duration)
    }

    /// The next batch for a free worker: `.none` to wait, for work may come back; `.some(nil)` when all is done.
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
        if let known = evidence.removeValue(forKey: item.test) {
            // Whatever this run of it was like, what was seen before still counts.
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
        if outcome.isFailure { hasFailedBefore.insert(item.test) }
        if outcome.isFailure {
            suspicions.removeAll { $0.tests.contains(item.test) && (outcome.endsProcess || !$0.isCrash) }
        }
        if let next = attempt(after: item, outcome), stop == nil {
            queue.add([next])
        } else {
            results[item.test] = result
            if options.attempts.failFast, outcome.isFailure { halt(.firstFailure) }
        }
        return events
    }

    /// Takes in that a test was over its time beside others. On its own it shows whether it hangs; if it does not, it has
    /// still failed to end once, and is flaky at least.
    mutating func endLate(_ item: WorkItem, _ lateness: Lateness) -> [TestEvent] {
        guard evidence[item.test] == nil else {
            // It has failed already; this attempt goes on, to tell whether it hangs as well.
            queue.add([WorkItem(test: item.test, attempt: item.attempt, company: .none)])
            return [.issue(lateness.issue)]
        }
        let result = TestResult(
            test: tests[item.test].id, outcome: .timedOut(after: lateness.duration), duration: lateness.duration,
            attempt: item.attempt)
        hasFailedBefore.insert(item.test)
        lastResults[item.test] = result
        queue.add([WorkItem(test: item.test, attempt: item.attempt + 1, company: .none)])
        return [.issue(lateness.issue), .ended(result)]
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

    /// Keeps a crash in mind until the test has run on its own to tell the argument.
    mutating func remember(_ crash: CrashEvidence, of test: Int) { evidence[test, default: Evidence()].crash = crash }

    /// Keeps in mind that a test has recorded a failure in an attempt that did not come to its end.
    mutating func rememberFailure(of test: Int) { evidence[test, default: Evidence()].hasFailed = true }

    mutating func suspect(_ tests: Set<Int>, of issue: TestIssue, isCrash: Bool) {
        suspicions.append(Suspicion(tests: tests, issue: issue, isCrash: isCrash))
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
        let left = queue.removeAll() + tests.indices.map { WorkItem(test: $0) }
        for item in left where results[item.test] == nil {
            if let last = lastResults[item.test], evidence[item.test] == nil {
                // The failure that it was to be retried for is its result.
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
        let isCrash: Bool
    }

    private struct Evidence {
        var crash: CrashEvidence?
        var hasFailed = false
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
    var isCrash: Bool { if case .crashed = self { true } else { false } }

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
