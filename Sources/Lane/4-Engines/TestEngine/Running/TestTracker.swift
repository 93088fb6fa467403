import Events
import Text

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
            known.location == issue.location && firstLine(of: known.text) == firstLine(of: issue.text)
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
