import Events

/// An import of runs from an event log. See `EventLineEncoder`.
enum EventImport {
    /// Returns the runs with results, or `nil` if the file contains no event. The results of each step are a run,
    /// because several steps may run the same tests.
    static func runs(in bytes: [UInt8], commit: String?) throws(ResultFileError) -> [TestRunResults]? {
        guard bytes.starts(with: #"{"event":"#.utf8) else { return nil }
        var log = Log(commit: commit)
        var sequence = EventSequence()
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            let isEnded = index + 1 < lines.count
            if let error = sequence.error(in: line, isEnded: isEnded) {
                throw ResultFileError(line: index + 1, reason: error)
            }
            guard isEnded else { break }
            do throws(EventLineError) {
                if let event = try EventLineDecoder.decode(Array(line)) { log.add(event) }
            } catch {
                throw ResultFileError(line: index + 1, reason: "not an event: \(error.message)")
            }
        }
        guard sequence.hasEnded else {
            throw ResultFileError(line: lines.count, reason: "the file ends before the end of its run")
        }
        return log.runs.filter { !$0.results.isEmpty }
    }

    private struct Log {
        let commit: String?
        private(set) var runs: [TestRunResults] = []
        private var startedAt = 0.0
        /// The indices of the runs by step.
        private var places: [StepID?: Int] = [:]
        /// The tests that were listed. Other tests are from a log that may contain several tests of the same name.
        private var listed: Set<TestID> = []
        private var unlisted: [TestID: Int] = [:]

        init(commit: String?) { self.commit = commit }

        mutating func add(_ event: LaneEvent) {
            switch event.kind {
            case .runStarted(let start): (startedAt, places, listed, unlisted) = (start.startedAt, [:], [], [:])
            case .test(.planned(let tests)): listed.formUnion(tests.map(\.id))
            case .test(.ended(let result)):
                if let result = AttemptResult(result) { add(result, to: event.step) }
            default: break
            }
        }

        private mutating func add(_ result: AttemptResult, to step: StepID?) {
            let place = places[step] ?? runs.count
            if place == runs.count {
                places[step] = place
                // Runs with the same start are one run.
                let start = startedAt + Double(places.count - 1) / 1e6
                runs.append(TestRunResults(startedAt: start, commit: commit, results: []))
            }
            guard !listed.contains(result.test) else { return runs[place].results.append(result) }
            guard let known = unlisted[result.test] else {
                unlisted[result.test] = runs[place].results.count
                return runs[place].results.append(
                    AttemptResult(test: result.test, outcome: result.outcome, microseconds: result.microseconds))
            }
            // Tests of the same name are not attempts at one test. The name has failed if one of them has.
            if runs[place].results.indices.contains(known), result.outcome.isFailure {
                runs[place].results[known] = AttemptResult(
                    test: result.test, outcome: result.outcome, microseconds: result.microseconds)
            }
        }
    }
}
