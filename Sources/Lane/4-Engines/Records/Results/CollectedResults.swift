import Events

/// The results of tests in the events of runs. Those of each attempt at a step are a run of tests, because several steps
/// may run the same tests.
struct CollectedResults {
    private(set) var runs: [TestRunResults] = []
    private var startedAt = 0.0
    /// The index of the first run since the last start.
    private var first = 0
    /// The indices of the runs by step.
    private var places: [StepID?: Int] = [:]
    /// The tests that were listed. Other tests are from a log that may contain several tests of the same name.
    private var listed: Set<TestID> = []
    /// The indices of the last results by test.
    private var known: [TestID: Int] = [:]

    mutating func add(_ event: LaneEvent) {
        switch event.kind {
        case .runStarted(let start):
            (startedAt, first, places, listed, known) = (start.startedAt, runs.count, [:], [], [:])
        case .stepRetried: places[event.step] = nil
        case .test(.planned(let tests)): listed.formUnion(tests.map(\.id))
        case .test(.ended(let result)):
            if let result = AttemptResult(result) { add(result, to: event.step) }
        case .test(.origin(let origin)):
            if let place = places[event.step] { runs[place].origin = origin }
        default: break
        }
    }

    /// Returns the results of the last attempt at a step.
    func run(of step: StepID?) -> TestRunResults? { places[step].map { runs[$0] } }

    private mutating func add(_ result: AttemptResult, to step: StepID?) {
        let place = places[step] ?? runs.count
        if place == runs.count {
            places[step] = place
            // Runs with the same start are one run.
            runs.append(TestRunResults(startedAt: startedAt + Double(place - first) / 1e6, results: []))
        }
        let isListed = listed.contains(result.test)
        let result = isListed ? result : result.asOnlyAttempt
        guard let index = known[result.test], runs[place].results.indices.contains(index),
            runs[place].results[index].test == result.test, runs[place].results[index].attempt == result.attempt
        else {
            known[result.test] = runs[place].results.count
            return runs[place].results.append(result)
        }
        // A later result of the same attempt replaces it. Tests of the same name that are not listed are not attempts at
        // one test: the name has failed if one of them has.
        if isListed || result.outcome.isFailure { runs[place].results[index] = result }
    }
}

extension AttemptResult {
    fileprivate var asOnlyAttempt: AttemptResult {
        AttemptResult(test: test, outcome: outcome, microseconds: microseconds)
    }
}
