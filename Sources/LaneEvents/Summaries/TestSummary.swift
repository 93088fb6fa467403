/// What is known of the tests of one step at some moment of the run: the reducer of test events.
///
/// A test that ends without having been planned is counted as planned from then on, so that the totals always add up.
package struct TestSummary: Sendable {
    /// Each test once, by its last attempt.
    package private(set) var counts = TestCounts()
    /// How often a test has passed: more than `counts.passed` where tests are repeated.
    package private(set) var passes = 0
    /// Only those of which a test was heard.
    package private(set) var suites: [SuiteID: SuiteTally] = [:]
    /// What the logs of runs say that do not name the suites.
    private var told: [TestLibrary: RunTotals] = [:]
    /// Issues that belong to the run and to no test.
    package private(set) var issues: [TestIssue] = []
    /// What the test processes printed outside of any known test.
    package private(set) var output = CappedOutput()
    /// No further event is expected, unless the step is tried again.
    package private(set) var isFinished = false

    private var records: [TestID: TestRecord] = [:]
    private var runningTests: [TestID: Run] = [:]
    private var slowestForgotten = SlowestTests()
    private var known = 0
    private var earlierAttempts = 0
    private var highestAttempt = 0
    private let forgetsPassing: Bool

    /// An attempt under way.
    private struct Run {
        let number: Int
        let worker: Int
        let since: Duration
    }

    /// With `forgetsPassing`, tests that passed at once are counted and then forgotten, so that memory stays flat on a
    /// log of any length; reports of every test need them.
    init(forgetsPassing: Bool = false) {
        self.forgetsPassing = forgetsPassing
    }

    /// The tests in the order in which they became known; without the passing ones where these are forgotten.
    package var tests: [TestRecord] { records.values.sorted { $0.order < $1.order } }

    /// The tests that run now and began at least `limit` ago, the one that runs longest first.
    package func running(for limit: Duration, at offset: Duration) -> [(test: TestID, since: Duration)] {
        runningTests.filter { offset - $0.value.since >= limit }.map { (test: $0.key, since: $0.value.since) }
            .sorted { ($0.since, $0.test) < ($1.since, $1.test) }
    }

    /// How many tests run now.
    package var runningCount: Int { runningTests.count }

    /// `nil` for a test that was never heard of, or that was forgotten.
    package subscript(test: TestID) -> TestRecord? { records[test] }

    /// The same, those alone that `chosen` picks.
    func tests(where chosen: (TestRecord) -> Bool) -> [TestRecord] {
        records.values.filter(chosen).sorted { $0.order < $1.order }
    }

    /// The tests that took longest and at least `limit`, longest first.
    package func slowest(_ count: Int, atLeast limit: Duration = .zero) -> [TestRecord] {
        func isBefore(_ one: TestRecord, _ other: TestRecord) -> Bool {
            (one.duration ?? .zero, other.id) > (other.duration ?? .zero, one.id)
        }
        var slowest: [TestRecord] = []
        for tests in [AnySequence(slowestForgotten.tests), AnySequence(records.values)] {
            for test in tests where test.duration.map({ $0 >= limit }) ?? false {
                if slowest.count == count, let last = slowest.last, !isBefore(test, last) { continue }
                slowest.insert(test, at: slowest.firstIndex { isBefore(test, $0) } ?? slowest.endIndex)
                if slowest.count > count { slowest.removeLast() }
            }
        }
        return slowest
    }

    /// The whole step is tried again: what follows are further attempts.
    mutating func beginAgain() {
        finish()
        earlierAttempts = highestAttempt
        isFinished = false
    }

    mutating func receive(_ event: TestEvent, at offset: Duration) {
        switch event {
        case .planned(let tests):
            for test in tests { update(test.id) { $0.info = test.completed(by: $0.info) } }
        case .started(let test, let number, let worker):
            start(test, Run(number: earlierAttempts + number, worker: worker, since: offset))
        case .argumentStarted(let test, let argument):
            updateAttempt(of: test) { $0.argument = argument }
        case .issue(let issue): add(issue)
        case .output(let test, let bytes):
            guard let test else { return output.append(bytes) }
            updateAttempt(of: test) { attempt in
                var kept = attempt.output.take() ?? CappedOutput()
                kept.append(bytes)
                attempt.output = kept
            }
        case .slow: break
        case .ended(let result): end(result)
        case .counted(let tests): add(tests)
        case .totals(let totals): add(totals)
        case .finished: finish()
        }
    }

    private mutating func start(_ test: TestID, _ run: Run) {
        highestAttempt = max(highestAttempt, run.number)
        let earlier = runningTests.updateValue(run, forKey: test)
        if let earlier { keep(test, earlier) }
        if forgetsPassing, earlier == nil, records[test] == nil {
            // Most pass and are forgotten, so a record is made only when there is more to keep.
            if run.number > 1 { takeBack(test) }
            counts.planned += 1
            suites[SuiteID(test), default: SuiteTally()].begin()
            return
        }
        begin(test, run)
        if earlier == nil { suites[SuiteID(test)]?.running += 1 }
    }

    /// Takes a test that passed before and was forgotten out of the totals: more is to come of it.
    private mutating func takeBack(_ test: TestID) {
        guard let tally = suites[SuiteID(test)], tally.counts.passed > 0 else { return }
        counts.planned -= 1
        counts.passed -= 1
        suites[SuiteID(test)]?.counts.planned -= 1
        suites[SuiteID(test)]?.counts.passed -= 1
    }

    private mutating func begin(_ test: TestID, _ run: Run) {
        var attempt = attempt(run)
        update(test) { record in
            // A log may hold the same test twice: a pass makes room for what comes later, a failure stays.
            if let last = record.attempts.last, last.number == run.number, last.outcome?.isFailure != true {
                record.attempts.removeLast()
                // One that was cut off goes on in another process; what it has recorded stays recorded.
                if last.outcome == nil { attempt.takeFailures(of: last) }
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
        if issue.severity == .failure, forgetsPassing, records[test] == nil, runningTests[test] == nil {
            // A late failure of a test that passed and was forgotten: it is not to be counted twice.
            takeBack(test)
        }
        updateAttempt(of: test) { $0.add(issue) }
    }

    private mutating func end(_ result: TestResult) {
        let number = earlierAttempts + result.attempt
        if result.outcome == .passed { passes += 1 }
        highestAttempt = max(highestAttempt, number)
        if let run = runningTests.removeValue(forKey: result.test) {
            if forgetsPassing, result.outcome == .passed, records[result.test] == nil {
                return forget(result, run)
            }
            keep(result.test, run)
            suites[SuiteID(result.test)]?.running -= 1
        } else if let told = records[result.test]?.attempts.last, told.number == number, told.outcome == .passed {
            // An end that is told again takes the place of the first.
            passes -= 1
        }
        update(result.test) { record in
            if record.attempts.last?.number != number { record.attempts.append(TestRecord.Attempt(number: number)) }
            let last = record.attempts.count - 1
            record.attempts[last].outcome = result.outcome
            record.attempts[last].duration = result.duration
            if result.outcome == .passed { record.attempts[last].output = nil }
        }
        if forgetsPassing, result.outcome == .passed { forget(result.test) }
    }

    private mutating func add(_ tests: CountedTests) {
        counts.planned += tests.passed + tests.failed
        counts.passed += tests.passed
        counts.failed += tests.failed
        passes += tests.passed
        suites[tests.suite, default: SuiteTally()].add(tests)
    }

    /// How many suites there are; a log may count them and not name them.
    package var suiteCount: Int {
        told.values.reduce(suites.count) { count, totals in
            let known = suites.keys.count { $0.library == totals.library }
            return count + max(0, known > 0 ? totals.suites - known : 0)
        }
    }

    /// Those of several runs add up.
    private mutating func add(_ totals: RunTotals) {
        let earlier = told[totals.library]
        let sum = RunTotals(
            library: totals.library, suites: totals.suites + (earlier?.suites ?? 0),
            duration: totals.duration + (earlier?.duration ?? .zero))
        told[totals.library] = sum
        suites[SuiteID(library: totals.library, module: "", suite: "")]?.spend(atLeast: sum.duration)
    }

    /// Makes the record of a running test that was only counted so far.
    private mutating func keep(_ test: TestID, _ run: Run) {
        guard forgetsPassing, records[test] == nil else { return }
        records[test] = record(of: test, run)
        known += 1
    }

    /// What was planned and never ended is said to be so, and what began and never ended has crashed.
    mutating func finish() {
        isFinished = true
        for (test, run) in runningTests { keep(test, run) }
        for record in tests where record.outcome == nil {
            let outcome: TestResult.Outcome =
                record.attempts.isEmpty
                ? .notRun(reason: "no result was reported") : .crashed(how: "its end was never reported")
            let attempt = (record.attempts.last?.number ?? earlierAttempts + 1) - earlierAttempts
            end(TestResult(test: record.id, outcome: outcome, duration: nil, attempt: attempt))
        }
    }

    private mutating func forget(_ test: TestID) {
        guard let record = records[test], record.attempts.count == 1, record.attempts[0].issues.isEmpty else { return }
        records[test] = nil
        if let duration = record.duration { slowestForgotten.add(record, duration) }
    }

    /// A test that passed at once and of which there is no record.
    private mutating func forget(_ result: TestResult, _ run: Run) {
        counts.passed += 1
        suites[SuiteID(result.test)]?.endPassed(after: result.duration, in: result.test.library)
        guard let duration = result.duration, slowestForgotten.has(roomFor: duration) else { return }
        var record = record(of: result.test, run)
        record.attempts[0].outcome = .passed
        record.attempts[0].duration = duration
        slowestForgotten.add(record, duration)
    }

    private func record(of test: TestID, _ run: Run) -> TestRecord {
        var record = TestRecord(info: TestInfo(id: test), order: known)
        record.attempts = [attempt(run)]
        return record
    }

    /// Changes a record, which it makes where there is none, and brings the totals in line.
    private mutating func update(_ test: TestID, _ change: (inout TestRecord) -> Void) {
        if forgetsPassing, let run = runningTests[test] { keep(test, run) }
        if let place = records.index(forKey: test) {
            let before = TestStanding(records.values[place])
            change(&records.values[place])
            count(TestStanding(records.values[place]), insteadOf: before, for: test)
        } else {
            var record = TestRecord(info: TestInfo(id: test), order: known)
            known += 1
            change(&record)
            count(TestStanding(record), insteadOf: TestStanding(), for: test)
            records[test] = record
        }
    }

    private mutating func count(_ after: TestStanding, insteadOf before: TestStanding, for test: TestID) {
        counts.add(before.counts, times: -1)
        counts.add(after.counts, times: 1)
        suites[SuiteID(test), default: SuiteTally()].count(after, insteadOf: before, in: test.library)
    }

    /// Changes the attempt that runs, or the last one, without touching the totals.
    private mutating func updateAttempt(of test: TestID, _ change: (inout TestRecord.Attempt) -> Void) {
        if forgetsPassing, let run = runningTests[test] { keep(test, run) }
        if records[test] == nil { update(test) { _ in } }
        guard let index = records.index(forKey: test) else { return }
        if records.values[index].attempts.isEmpty {
            records.values[index].attempts.append(TestRecord.Attempt(number: earlierAttempts + 1))
        }
        change(&records.values[index].attempts[records.values[index].attempts.count - 1])
    }
}
