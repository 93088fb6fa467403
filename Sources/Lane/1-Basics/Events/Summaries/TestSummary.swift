/// The current state of the tests of one step, computed from test events.
///
/// A test that ends and was not planned is added to the planned tests, so the totals always add up.
package struct TestSummary: Sendable {
    /// The counts of tests by the result of their last attempt.
    package private(set) var counts = TestCounts()
    /// The number of passes, which exceeds `counts.passed` if tests are repeated.
    package private(set) var passes = 0
    /// The totals of each suite with a known test.
    package private(set) var suites: [SuiteID: SuiteTally] = [:]
    /// The totals from logs that do not name the suites.
    private var reportedTotals: [TestLibrary: RunTotals] = [:]
    /// The issues outside any test.
    package private(set) var issues: [TestIssue] = []
    /// The output of test processes outside any known test.
    package private(set) var output = CappedOutput()
    /// The tests that passed at the first attempt, if only their names and durations are kept.
    package private(set) var passedTests = PassedTests()
    /// A Boolean value that indicates whether all tests have finished, unless the step is retried.
    package private(set) var isFinished = false
    /// A Boolean value that indicates whether the tests were listed before they ran. Listed tests can be selected by
    /// name.
    package private(set) var isListed = false

    private var records: [TestID: TestRecord] = [:]
    private var runningTests: [TestID: Run] = [:]
    private var slowestDiscarded = SlowestTests()
    private var known = 0
    private var earlierAttempts = 0
    private var highestAttempt = 0
    private let passed: PassedTestDetail

    /// A running attempt.
    private struct Run {
        let number: Int
        let worker: Int
        let since: Duration
    }

    /// Creates a summary. `passed` is the data to keep about tests that passed at the first attempt.
    init(passed: PassedTestDetail = .records) { self.passed = passed }

    private var discardsPassing: Bool { passed != .records }

    /// The recorded tests in the order of first mention.
    package var tests: [TestRecord] { records.values.sorted { $0.order < $1.order } }

    /// Returns the tests that have been running for at least `limit`, the longest-running test first.
    package func running(for limit: Duration, at offset: Duration) -> [(test: TestID, since: Duration)] {
        runningTests.filter { offset - $0.value.since >= limit }.map { (test: $0.key, since: $0.value.since) }
            .sorted { ($0.since, $0.test) < ($1.since, $1.test) }
    }

    /// The number of running tests.
    package var runningCount: Int { runningTests.count }

    /// Returns the record of a test, or `nil` if the test is unknown or its record was discarded.
    package subscript(test: TestID) -> TestRecord? { records[test] }

    /// Returns the recorded tests that satisfy a predicate.
    func tests(where chosen: (TestRecord) -> Bool) -> [TestRecord] {
        records.values.filter(chosen).sorted { $0.order < $1.order }
    }

    /// Returns the slowest tests that took at least `limit`, slowest first.
    package func slowest(_ count: Int, atLeast limit: Duration = .zero) -> [TestRecord] {
        func isBefore(_ one: TestRecord, _ other: TestRecord) -> Bool {
            (one.duration ?? .zero, other.id) > (other.duration ?? .zero, one.id)
        }
        var slowest: [TestRecord] = []
        for tests in [AnySequence(slowestDiscarded.tests), AnySequence(records.values)] {
            for test in tests where test.duration.map({ $0 >= limit }) ?? false {
                if slowest.count == count, let last = slowest.last, !isBefore(test, last) { continue }
                slowest.insert(test, at: slowest.firstIndex { isBefore(test, $0) } ?? slowest.endIndex)
                if slowest.count > count { slowest.removeLast() }
            }
        }
        return slowest
    }

    /// Begins another attempt at the whole step.
    mutating func beginAttempt() {
        finish()
        earlierAttempts = highestAttempt
        isFinished = false
    }

    mutating func receive(_ event: TestEvent, at offset: Duration) {
        switch event {
        case .planned(let tests):
            isListed = true
            for test in tests {
                if earlierAttempts > 0 { restorePassed(test.id) }
                update(test.id) { $0.info = test.completed(by: $0.info) }
            }
        case .started(let test, let number, let worker):
            start(test, Run(number: earlierAttempts + number, worker: worker, since: offset))
        case .argumentStarted(let test, let argument):
            if isKnown(test) { updateAttempt(of: test) { $0.argument = argument } }
        case .issue(let issue): add(issue)
        case .attached(let test, let path): updateAttempt(of: test) { $0.attachments.append(path) }
        case .output(let test, let bytes):
            // A test may print after its end, when its record was discarded.
            guard let test, isKnown(test) else { return output.append(bytes) }
            updateAttempt(of: test) { attempt in
                var kept = attempt.output.take() ?? CappedOutput()
                kept.append(bytes)
                attempt.output = kept
            }
        case .slow, .sharded, .origin: break
        case .ended(let result): end(result)
        case .counted(let tests): add(tests)
        case .totals(let totals): add(totals)
        case .finished: finish()
        }
    }

    private mutating func start(_ test: TestID, _ run: Run) {
        highestAttempt = max(highestAttempt, run.number)
        if isListed, run.number == earlierAttempts + 1 { restorePassed(test) }
        let earlier = runningTests.updateValue(run, forKey: test)
        if let earlier { createRecord(of: test, earlier) }
        if discardsPassing, earlier == nil, records[test] == nil {
            // Most tests pass and need no record, so a record is created only if necessary.
            if run.number > 1 { subtract(test) }
            counts.planned += 1
            suites[SuiteID(test), default: SuiteTally()].begin()
            return
        }
        begin(test, run)
        if earlier == nil { suites[SuiteID(test)]?.running += 1 }
    }

    /// Subtracts a test without a record from the totals, before further events of the test are added.
    private mutating func subtract(_ test: TestID) {
        guard let tally = suites[SuiteID(test)], tally.counts.passed > 0 else { return }
        counts.planned -= 1
        counts.passed -= 1
        suites[SuiteID(test)]?.counts.planned -= 1
        suites[SuiteID(test)]?.counts.passed -= 1
    }

    /// A Boolean value that indicates whether a test is running or has a record.
    private func isKnown(_ test: TestID) -> Bool { runningTests[test] != nil || records[test] != nil }

    /// Creates the record of a test that passed, if it was discarded, so that the test is not counted twice.
    private mutating func restorePassed(_ test: TestID) {
        guard discardsPassing, !isKnown(test), suites[SuiteID(test)]?.counts.passed ?? 0 > 0 else { return }
        let discarded = passedTests.remove(test)
        if passed == .names, discarded == nil { return }
        subtract(test)
        let number = max(1, highestAttempt)
        update(test) { record in
            record.attempts = [TestRecord.Attempt(number: number)]
            record.attempts[0].outcome = .passed
            record.attempts[0].duration = discarded?.duration
        }
    }

    private mutating func begin(_ test: TestID, _ run: Run) {
        var attempt = attempt(run)
        update(test) { record in
            // A log may contain the same test twice. A later attempt replaces a pass, but not a failure.
            if let last = record.attempts.last, last.number == run.number, last.outcome?.isFailure != true {
                record.attempts.removeLast()
                // The interrupted attempt continues in another process with its recorded failures.
                if last.outcome == nil { attempt.addFailures(of: last) }
            }
            if record.attempts.count == TestRecord.attemptLimit {
                record.attempts.remove(at: TestRecord.attemptLimit / 2)
            }
            record.attempts.append(attempt)
        }
    }

    private func attempt(_ run: Run) -> TestRecord.Attempt {
        TestRecord.Attempt(number: run.number, worker: run.worker, startedAt: run.since)
    }

    private mutating func add(_ issue: TestIssue) {
        guard let test = issue.test else {
            if issues.count < TestRecord.issueLimit { issues.append(issue) }
            return
        }
        restorePassed(test)
        updateAttempt(of: test) { $0.add(issue) }
    }

    private mutating func end(_ result: TestResult) {
        let number = earlierAttempts + result.attempt
        if result.outcome == .passed { passes += 1 }
        highestAttempt = max(highestAttempt, number)
        if let run = runningTests.removeValue(forKey: result.test) {
            if discardsPassing, result.outcome == .passed, records[result.test] == nil {
                return countPass(result, run)
            }
            createRecord(of: result.test, run)
            suites[SuiteID(result.test)]?.running -= 1
        } else {
            // Without a record, a listed test has passed before.
            if isListed { restorePassed(result.test) }
            if let last = records[result.test]?.attempts.last, last.number == number, last.outcome == .passed {
                // A second end of an attempt replaces the first.
                passes -= 1
            }
        }
        update(result.test) { record in
            if record.attempts.last?.number != number { record.attempts.append(TestRecord.Attempt(number: number)) }
            let last = record.attempts.count - 1
            record.attempts[last].outcome = result.outcome
            record.attempts[last].duration = result.duration
            if result.outcome == .passed { record.attempts[last].output = nil }
        }
        if discardsPassing, result.outcome == .passed { discardRecord(of: result.test) }
    }

    private mutating func add(_ tests: CountedTests) {
        counts.planned += tests.passed + tests.failed
        counts.passed += tests.passed
        counts.failed += tests.failed
        passes += tests.passed
        suites[tests.suite, default: SuiteTally()].add(tests)
    }

    /// The number of suites. A log may contain only their number.
    package var suiteCount: Int {
        reportedTotals.values.reduce(suites.count) { count, totals in
            let known = suites.keys.count { $0.library == totals.library }
            return count + max(0, known > 0 ? totals.suites - known : 0)
        }
    }

    /// Adds the totals of another run.
    private mutating func add(_ totals: RunTotals) {
        let earlier = reportedTotals[totals.library]
        let sum = RunTotals(
            library: totals.library, suites: totals.suites + (earlier?.suites ?? 0),
            duration: totals.duration + (earlier?.duration ?? .zero))
        reportedTotals[totals.library] = sum
        suites[SuiteID(library: totals.library, module: "", suite: "")]?.extendDuration(toAtLeast: sum.duration)
    }

    /// Creates the record of a running test.
    private mutating func createRecord(of test: TestID, _ run: Run) {
        guard discardsPassing, records[test] == nil else { return }
        records[test] = record(of: test, run)
        known += 1
    }

    /// Records unfinished tests as crashed, and tests that never started as not run.
    mutating func finish() {
        isFinished = true
        for (test, run) in runningTests { createRecord(of: test, run) }
        for record in tests where record.outcome == nil {
            let outcome: TestResult.Outcome =
                record.attempts.isEmpty
                ? .notRun(reason: "no result was reported") : .crashed(how: "its end was never reported")
            let attempt = (record.attempts.last?.number ?? earlierAttempts + 1) - earlierAttempts
            end(TestResult(test: record.id, outcome: outcome, duration: nil, attempt: attempt))
        }
    }

    private mutating func discardRecord(of test: TestID) {
        guard let record = records[test], record.attempts.count == 1, record.attempts[0].issues.isEmpty,
            record.attempts[0].attachments.isEmpty
        else { return }
        records[test] = nil
        if passed == .names { passedTests.add(record) }
        if let duration = record.duration { slowestDiscarded.add(record, duration) }
    }

    /// Counts a test that passed at the first attempt without creating a record.
    private mutating func countPass(_ result: TestResult, _ run: Run) {
        counts.passed += 1
        suites[SuiteID(result.test)]?.endPassed(after: result.duration, in: result.test.library)
        if passed == .names {
            passedTests.add(TestInfo(id: result.test), order: known, result.duration, run.since, run.worker)
            known += 1
        }
        guard let duration = result.duration, slowestDiscarded.has(roomFor: duration) else { return }
        var record = record(of: result.test, run)
        record.attempts[0].outcome = .passed
        record.attempts[0].duration = duration
        slowestDiscarded.add(record, duration)
    }

    private func record(of test: TestID, _ run: Run) -> TestRecord {
        var record = TestRecord(info: TestInfo(id: test), order: known)
        record.attempts = [attempt(run)]
        return record
    }

    /// Updates or creates a record and updates the totals.
    private mutating func update(_ test: TestID, _ change: (inout TestRecord) -> Void) {
        if discardsPassing, let run = runningTests[test] { createRecord(of: test, run) }
        if let index = records.index(forKey: test) {
            let before = TestContribution(records.values[index])
            change(&records.values[index])
            count(TestContribution(records.values[index]), insteadOf: before, for: test)
        } else {
            var record = TestRecord(info: TestInfo(id: test), order: known)
            known += 1
            change(&record)
            count(TestContribution(record), insteadOf: TestContribution(), for: test)
            records[test] = record
        }
    }

    private mutating func count(_ after: TestContribution, insteadOf before: TestContribution, for test: TestID) {
        counts.add(before.counts, times: -1)
        counts.add(after.counts, times: 1)
        suites[SuiteID(test), default: SuiteTally()].count(after, insteadOf: before, in: test.library)
    }

    /// Updates the running or last attempt. The change must not affect the totals.
    private mutating func updateAttempt(of test: TestID, _ change: (inout TestRecord.Attempt) -> Void) {
        if discardsPassing, let run = runningTests[test] { createRecord(of: test, run) }
        if records[test] == nil { update(test) { _ in } }
        guard let index = records.index(forKey: test) else { return }
        if records.values[index].attempts.isEmpty {
            records.values[index].attempts.append(TestRecord.Attempt(number: earlierAttempts + 1))
        }
        change(&records.values[index].attempts[records.values[index].attempts.count - 1])
    }
}

extension TestSummary {
    /// The tests of each suite in the order of the suites.
    package var suiteCases: some Sequence<SuiteCases> {
        let records = Dictionary(grouping: tests) { SuiteID($0.id) }
        // The suites are computed one after another, because a log may contain many tests.
        return Set(records.keys).union(passedTests.suites).sorted().lazy.map { [passedTests] suite in
            SuiteCases(suite, records[suite] ?? [], passedTests)
        }
    }
}

/// The tests of a suite in the order in which they became known.
package struct SuiteCases {
    package enum Case {
        case record(TestRecord)
        /// A test without a record.
        case passed(PassedTests.Test)
    }

    package let suite: SuiteID
    package let cases: [Case]
    /// The path of the first test with a location.
    package let file: String?

    fileprivate init(_ suite: SuiteID, _ records: [TestRecord], _ passedTests: PassedTests) {
        self.suite = suite
        // A test that ran again after it passed keeps its position, and the last run counts.
        var cases: [String: (order: Int, test: Case)] = [:]
        for index in 0..<passedTests.count(of: suite) {
            guard let test = passedTests.test(index, of: suite) else { continue }
            cases[test.name] = (min(test.order, cases[test.name]?.order ?? .max), .passed(test))
        }
        for test in records {
            cases[test.id.name] = (min(test.order, cases[test.id.name]?.order ?? .max), .record(test))
        }
        self.cases = cases.values.sorted { $0.order < $1.order }.map(\.test)
        let first = records.lazy.compactMap { test in test.info.location.map { (order: test.order, path: $0.path) } }
        file = [first.first, passedTests.firstFile(of: suite)].compactMap(\.self).min { $0.order < $1.order }?.path
    }
}
