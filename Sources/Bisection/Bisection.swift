/// A bisection: confirms that the bad commit is bad, and searches between it and the good one. The good commit is tested
/// only if no other commit is good.
///
/// Everything outside is passed in: a function that tests a commit, one that returns the known rate of a flaky test, and
/// one that gets the state after every verdict.
package struct Bisection<Failure: Error> {
    /// The range of plausible rates with which a test fails by chance.
    package typealias Rate = ClosedRange<Double>

    /// The highest numbers of attempts that the test engine makes.
    private static var mostRetries: Int { 100 }
    private static var mostRepetitions: Int { 10_000 }

    package private(set) var record: BisectionRecord

    private let commits: [SearchedCommit]
    private let rate: (String) -> Rate?
    private let recorded: (String) -> CommitTrial?
    private let test: (String, SamplingPlan) throws(Failure) -> CommitTrial?
    private let report: (BisectionStep) -> Void
    private let save: (BisectionRecord) throws(Failure) -> Void
    private var search: CommitSearch

    /// Creates a bisection.
    ///
    /// - Parameters:
    ///   - record: The state, which is new or that of an interrupted bisection.
    ///   - commits: The commits that the bad one contains and the good one does not, parents first.
    ///   - rate: Returns the rate of a flaky test, or `nil` if the test is not known to be flaky.
    ///   - recorded: Returns the results of earlier runs at a commit, or `nil` if there are none.
    ///   - test: Tests a commit. Returns `nil` to stop.
    ///   - report: Gets each tested commit.
    ///   - save: Gets the state after each verdict.
    package init(
        _ record: BisectionRecord, commits: [SearchedCommit], rate: @escaping (String) -> Rate?,
        recorded: @escaping (String) -> CommitTrial? = { _ in nil },
        test: @escaping (String, SamplingPlan) throws(Failure) -> CommitTrial?,
        report: @escaping (BisectionStep) -> Void,
        save: @escaping (BisectionRecord) throws(Failure) -> Void
    ) {
        self.record = record
        self.commits = commits
        self.rate = rate
        self.recorded = recorded
        self.test = test
        self.report = report
        self.save = save
        search = CommitSearch(commits)
        for entry in record.verdicts { search.record(entry.verdict, of: entry.hash) }
    }

    /// Runs to the end. Verdicts of the record are not repeated.
    package mutating func run() throws(Failure) -> BisectionOutcome {
        if record.failures.isEmpty, let end = try examineBad() { return end }
        while true {
            switch search.decision {
            case .found(let hash): return try confirmGood() ?? .found(hash)
            case .range(let hashes): return try confirmGood() ?? .range(hashes)
            case .test(let hash):
                guard let trial = try trial(at: hash) else { return .stopped }
                let verdict = trial.verdict(on: record.failures, by: record.plan)
                search.record(verdict, of: hash)
                record.verdicts.append(BisectionRecord.Entry(hash: hash, verdict: verdict))
                try save(record)
                send(trial, of: hash, verdict)
            }
        }
    }

    /// Returns the recorded results if they decide, or tests the commit. A flaky test is always run.
    private func trial(at hash: String) throws(Failure) -> CommitTrial? {
        if record.plan == .once, var trial = recorded(hash), trial.decides(on: record.failures) {
            trial.isRecorded = true
            return trial
        }
        return try test(hash, record.plan)
    }

    private func send(_ trial: CommitTrial, of hash: String, _ verdict: CommitVerdict) {
        report(
            BisectionStep(
                hash: hash, verdict: verdict, note: trial.note(on: record.failures, verdict: verdict),
                duration: trial.duration, candidates: search.count))
    }

    // MARK: The ends

    /// Tests the bad commit, and decides which failures are searched and with how many attempts.
    ///
    /// - Returns: The end of the bisection, or `nil` if it continues.
    private mutating func examineBad() throws(Failure) -> BisectionOutcome? {
        if let repetitions = record.repetitions { record.plan = .untilFailure(attempts: repetitions) }
        guard var trial = try test(record.bad, record.plan) else { return .stopped }
        record.failures = trial.failed
        if record.repetitions == nil {
            guard let more = try examineByChance(trial) else { return .stopped }
            let duration = trial.duration
            trial = more
            if duration != more.duration { trial.duration += duration }
        }
        let isTested = !trial.attempts.isEmpty || trial.hasSucceeded
        send(trial, of: record.bad, record.failures.isEmpty ? (isTested ? .good : .skipped) : .bad)
        guard !record.failures.isEmpty else {
            return isTested ? .badIsGood : .endIsUntestable(record.bad, reason: trial.obstacle)
        }
        try save(record)
        return nil
    }

    /// Makes more attempts at the bad commit if the tests are flaky.
    ///
    /// A flaky test that fails at every attempt was broken by the culprit, and is compared with its failures by chance. One
    /// that also passes was made flaky by the culprit.
    ///
    /// - Returns: The trial that decided, or `nil` to stop.
    private mutating func examineByChance(_ first: CommitTrial) throws(Failure) -> CommitTrial? {
        let names = first.failed.isEmpty ? first.attempts.keys.sorted() : first.failed
        let rates = Dictionary(names.compactMap { name in rate(name).map { (name, $0) } }) { first, _ in first }
        let reliable = first.failed.filter { rates[$0] == nil }
        guard !rates.isEmpty, reliable.isEmpty else {
            if !reliable.isEmpty { record.failures = reliable }
            return first
        }
        let verdicts = search.remainingSteps + 2
        if !first.failed.isEmpty {
            let shares = verdicts * first.failed.count
            let highest = rates.values.map(\.upperBound).max() ?? 0
            let plan = SamplingPlan.failingByChance(
                rate: highest, verdicts: shares, maximum: Self.mostRetries + 1)
            guard let trial = try test(record.bad, plan) else { return nil }
            let broken = trial.alwaysFailed.filter(first.failed.contains)
            if !broken.isEmpty {
                record.failures = broken
                record.plan = plan
                record.errorChance = plan.errorChance(rate: highest, verdicts: shares)
                return trial
            }
        }
        let lowest = rates.values.map(\.lowerBound).max() ?? 1
        record.plan = SamplingPlan.passingByChance(rate: lowest, verdicts: verdicts, maximum: Self.mostRepetitions)
        record.errorChance = record.plan.errorChance(rate: lowest, verdicts: verdicts)
        // A test that has failed once need not fail again.
        guard first.failed.isEmpty else { return first }
        let trial = try test(record.bad, record.plan)
        record.failures = trial?.failed ?? []
        return trial
    }

    /// Tests the good commit if no other commit is good, because everything may fail then.
    ///
    /// - Returns: The end of the bisection, or `nil` if the good commit is good.
    private func confirmGood() throws(Failure) -> BisectionOutcome? {
        guard !record.verdicts.contains(where: { $0.verdict == .good }) else { return nil }
        guard let trial = try trial(at: record.good) else { return .stopped }
        let verdict = trial.verdict(on: record.failures, by: record.plan)
        send(trial, of: record.good, verdict)
        switch verdict {
        case .good: return nil
        case .bad: return .goodIsBad(record.failures.filter { trial.attempts[$0]?.failed ?? 0 > 0 })
        case .skipped:
            return .endIsUntestable(record.good, reason: trial.note(on: record.failures, verdict: .skipped))
        }
    }
}
