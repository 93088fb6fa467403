import Events

/// The state of a Swift Testing run, read from its console output. Tests are concurrent, and lines contain neither
/// module nor suite.
struct SwiftTestingLines: Sendable {
    struct Issue: Sendable {
        let test: TestID?
        let severity: TestIssue.Severity
        var text: GatheredText
        var location: SourceLocation?
        var argument: String?
        /// The number of following lines that may continue a value in the text.
        var openLines = 0
        /// The name of the suite, for an issue of a suite.
        var suite: String?
        /// The arguments so far, if they may continue. Line breaks in arguments are not escaped.
        var open: SwiftTestingOpenArguments?
    }

    /// The totals in the headers and summaries of runs.
    struct Totals: Sendable {
        fileprivate(set) var runs = 0
        /// The number of runs whose summary is missing so far. Runs in the output of a test are within its run.
        fileprivate(set) var openRuns = 0
        /// The number of tests, including skipped tests.
        fileprivate(set) var tests = 0
        fileprivate(set) var hasFailures = false
    }

    let paths: SourcePaths
    var attempt = 1
    var worker = 1
    private var seen: SeenNames?
    private var iteration = 0
    var running = SwiftTestingRunning()
    /// A Boolean value that indicates whether all tests are reported by name.
    var namesPassing = true
    /// A Boolean value that indicates whether issues outside any test are reported. `false` if an event stream reports
    /// them.
    var reportsIssuesOutsideTests = true
    var tally = TestTally(library: .swiftTesting)
    private var started = 0
    /// A Boolean value that indicates whether a test of this run has failed.
    private var hasFailedTest = false
    /// The number of tests of this run with a name. Repetitions count.
    private var named = 0
    var issue: Issue?
    /// The lines of a sentence that is not complete yet, because a name, an argument or a reason has several lines.
    var broken: BrokenSentence?
    var output = GatheredOutput()

    /// A Boolean value that indicates whether the last line was between the header and the summary of a run.
    private(set) var isWithinRun = false
    private(set) var totals = Totals()
    /// The tests that were running when another run started.
    var unfinished: [UnfinishedTest] = []

    init(paths: SourcePaths, countsRepetitions: Bool = false) {
        self.paths = paths
        seen = countsRepetitions ? SeenNames() : nil
    }

    /// Parses a line. Returns `false` if the line does not belong to Swift Testing.
    @inline(__always)
    mutating func take(_ line: Line, _ emit: (TestEvent) -> Void) -> Bool {
        let text = line.text
        let symbol = text.symbol(at: 0)
        if symbol > 0 || text[0] == UInt8(ascii: "T") || text[0] == UInt8(ascii: "S"),
            let sentence = SwiftTestingSentence(text.from(symbol)), symbol > 0 || isWithinRun
        {
            if sentence.isOpen, isWithinRun {
                flush(emit)
                broken = BrokenSentence(text, line.ending)
                return true
            }
            take(sentence, emit)
            return true
        }
        if isWithinRun, takeBrokenSentence(line, symbol, emit) { return true }
        return takeBroken(line) || takeDetail(text, symbol) || takeGlued(line, emit)
    }

    /// Parses a sentence over several lines, and sentences after the ASCII symbols of Windows.
    private mutating func takeBrokenSentence(_ line: Line, _ symbol: Int, _ emit: (TestEvent) -> Void) -> Bool {
        let text = line.text
        if broken != nil {
            guard !text.isOfCrash else {
                flush(emit)
                return false
            }
            guard symbol == 0, broken?.append(text, line.ending) == true else {
                flush(emit)
                return takeBrokenSentence(line, symbol, emit)
            }
            guard let joined = broken?.joined else { return true }
            joined.withUnsafeBytes { bytes in
                let whole = Bytes(bytes)
                guard let sentence = SwiftTestingSentence(whole.from(whole.symbol(at: 0))), !sentence.isOpen else {
                    return
                }
                broken = nil
                take(sentence, emit)
            }
            return true
        }
        let ascii = symbol == 0 ? text.asciiSymbol : 0
        if ascii > 0, let sentence = SwiftTestingSentence(text.from(ascii)) {
            take(sentence, emit)
            return true
        }
        guard symbol > 0, SwiftTestingSentence.mayBegin(text.from(symbol)) else { return false }
        flush(emit)
        broken = BrokenSentence(text, line.ending)
        return true
    }

    mutating func takePrint(_ line: Line, _ emit: (TestEvent) -> Void) {
        settleIssue(emit)
        output.append(line.text, line.ending)
        if output.isFull { flushOutput(emit) }
    }

    mutating func flushOutput(_ emit: (TestEvent) -> Void) {
        if !output.isEmpty { emit(.output(nil, output.take())) }
    }

    /// Emits the counts of tests without names.
    mutating func flushTally(_ emit: (TestEvent) -> Void) { tally.flush(emit) }

    mutating func flush(_ emit: (TestEvent) -> Void) {
        settleIssue(emit)
        if let lines = broken {
            broken = nil
            output.append(lines.lines[...])
        }
        flushOutput(emit)
    }

    /// The running tests in the order of their starts.
    var runningTests: [TestID] { running.inOrder.map(\.test) }

    /// Ends the run after its process has ended. Returns the running tests.
    mutating func abandon(_ emit: (TestEvent) -> Void) -> [UnfinishedTest] {
        flush(emit)
        isWithinRun = false
        endImplied(emit)
        let left = running.inOrder
        running.removeAll()
        for test in left { emitStart(test, emit) }
        return left.map { UnfinishedTest(test: $0.test, attempt: $0.attempt) }
    }
}

// MARK: Sentences

extension SwiftTestingLines {
    @inline(__always)
    mutating func take(_ sentence: SwiftTestingSentence, _ emit: (TestEvent) -> Void) {
        flush(emit)
        switch sentence.kind {
        case .testStarted: start(sentence.name, isImplied: false, emit)
        case .testPassed: end(sentence, .passed, emit)
        case .testFailed: end(sentence, .failed, emit)
        default: takeRare(sentence, emit)
        }
    }

    private mutating func takeRare(_ sentence: SwiftTestingSentence, _ emit: (TestEvent) -> Void) {
        switch sentence.kind {
        case .runStarted:
            unfinished += abandon(emit)
            isWithinRun = true
            totals.runs += 1
            totals.openRuns += 1
            iteration = 0
            named = 0
            hasFailedTest = false
        case .runEnded(let tests, let suites, let duration, let hasFailed):
            // The start of the run may be missing, for example in the last lines of a log.
            if totals.openRuns == 0 { totals.runs += 1 }
            totals.tests += tests
            totals.openRuns = max(0, totals.openRuns - 1)
            totals.hasFailures = totals.hasFailures || hasFailed
            endLost(hasFailed: hasFailed, emit)
            unfinished += abandon(emit)
            tally.flush(emit)
            if tests > 0, named >= tests {
                emit(.totals(RunTotals(library: .swiftTesting, suites: suites, duration: duration)))
            }
            named = 0
        case .iteration(let number): iteration = number
        case .testSkipped: skip(sentence, emit)
        case .testCancelled: cancel(sentence, emit)
        case .issue(let word): begin(word, sentence, emit)
        case .caseStarted:
            guard let (argument, name) = SwiftTestingNames.argument(ofCaseStart: sentence.rest) else { return }
            begin(argument, of: hashOf(name.buffer), emit)
        case .testStarted, .testPassed, .testFailed, .other: break
        }
    }

    mutating func start(_ name: Bytes, isImplied: Bool, _ emit: (TestEvent) -> Void) {
        let test = identity(of: name)
        if namesPassing { emit(.started(test, attempt: repetition, worker: worker)) }
        running.add(
            SwiftTestingRunning.Entry(
                test: test, attempt: repetition, order: started, isReported: namesPassing, isImplied: isImplied),
            at: hashOf(name.buffer))
        started += 1
        named += 1
    }

    private mutating func begin(_ argument: Bytes, of slot: UInt64, _ emit: (TestEvent) -> Void) {
        guard let test = running[slot] else { return }
        if test.isReported {
            emit(.argumentStarted(test.test, argument.string))
        } else {
            running.update(slot) { $0.argument = argument.string }
        }
    }

    /// Emits the start of a test. It was delayed, because the starts of passed tests may be omitted.
    func emitStart(_ test: SwiftTestingRunning.Entry, _ emit: (TestEvent) -> Void) {
        guard !test.isReported else { return }
        emit(.started(test.test, attempt: test.attempt, worker: worker))
        if let argument = test.argument { emit(.argumentStarted(test.test, argument)) }
    }

    @inline(__always)
    private mutating func end(
        _ sentence: SwiftTestingSentence, _ outcome: TestResult.Outcome, _ emit: (TestEvent) -> Void
    ) {
        let hasPassed = if case .passed = outcome { true } else { false }
        let hasFailed = if case .failed = outcome { true } else { false }
        guard let ended = takeRunning(sentence.name, hasFailed: hasFailed, emit) else { return }
        if hasFailed { hasFailedTest = true }
        let duration = sentence.rest.seconds(at: 0)?.value
        defer { takeJoinedEnd(sentence.rest, emit) }
        if !ended.isReported, ended.attempt == attempt, let duration {
            if hasPassed, tally.addPassed(ended.test, duration, emit) { return }
            if hasFailed, !tally.namesFailures { return tally.addFailed(ended.test, duration, emit) }
        }
        if hasFailed { tally.failuresToName -= 1 }
        emitStart(ended, emit)
        emit(.ended(TestResult(test: ended.test, outcome: outcome, duration: duration, attempt: ended.attempt)))
    }

    /// Removes the test with a name. If the log does not contain its start, starts it first.
    @inline(__always)
    private mutating func takeRunning(
        _ name: Bytes, hasFailed: Bool, _ emit: (TestEvent) -> Void
    ) -> SwiftTestingRunning.Entry? {
        let slot = hashOf(name.buffer)
        if let ended = running.remove(from: slot, hasFailed: hasFailed) { return ended }
        start(name, isImplied: true, emit)
        return running.remove(from: slot, hasFailed: hasFailed)
    }

    private mutating func cancel(_ sentence: SwiftTestingSentence, _ emit: (TestEvent) -> Void) {
        let slot = hashOf(sentence.name.buffer)
        if running[slot] == nil { start(sentence.name, isImplied: true, emit) }
        guard let test = running[slot] else { return }
        emitStart(test, emit)
        running.update(slot) { $0.isReported = true }
        end(sentence, test.hasFailed ? .failed : .skipped(reason: sentence.rest.unquoted(after: ": ")), emit)
    }

    /// Ends a test. The line of its end belongs to another grammar.
    mutating func end(
        _ name: Bytes, _ outcome: TestResult.Outcome, _ duration: Duration?, _ emit: (TestEvent) -> Void
    ) -> Bool {
        flush(emit)
        guard let ended = running.remove(from: hashOf(name.buffer), hasFailed: outcome == .failed) else { return false }
        emitStart(ended, emit)
        emit(.ended(TestResult(test: ended.test, outcome: outcome, duration: duration, attempt: ended.attempt)))
        return true
    }

    private mutating func skip(_ sentence: SwiftTestingSentence, _ emit: (TestEvent) -> Void) {
        let reason = sentence.rest.unquoted(after: ": ")
        let test = identity(of: sentence.name)
        named += 1
        emit(
            .ended(
                TestResult(test: test, outcome: .skipped(reason: reason), duration: nil, attempt: repetition)))
    }

    /// Returns the ID for a name. If the name occurred before in the same repetition, the ID has a number.
    private mutating func identity(of name: Bytes) -> TestID {
        let earlier = iteration > 0 ? 0 : seen?.count(name.buffer) ?? 0
        return TestID(
            library: .swiftTesting, module: "", suite: "",
            name: earlier > 0 ? "\(name.string) (\(earlier + 1))" : name.string)
    }

    private var repetition: Int { attempt + max(iteration - 1, 0) }

    /// Ends the tests whose ends other output has split or joined. The summary of the run shows that no test crashed.
    private mutating func endLost(hasFailed: Bool, _ emit: (TestEvent) -> Void) {
        endImplied(emit)
        for test in running.inOrder {
            emitStart(test, emit)
            let outcome: TestResult.Outcome = test.hasFailed || hasFailed && !hasFailedTest ? .failed : .passed
            emit(.ended(TestResult(test: test.test, outcome: outcome, duration: nil, attempt: test.attempt)))
        }
        running.removeAll()
    }

    /// Parses the summary of a run that follows the end of a test on the same line.
    private mutating func takeJoinedEnd(_ rest: Bytes, _ emit: (TestEvent) -> Void) {
        guard rest.count > 40, let start = rest.firstIndex(of: "Test run with "),
            let sentence = SwiftTestingSentence(rest.from(start)), case .runEnded = sentence.kind
        else { return }
        take(sentence, emit)
    }

    private mutating func endImplied(_ emit: (TestEvent) -> Void) {
        for test in running.removeImplied() {
            emitStart(test, emit)
            let outcome: TestResult.Outcome = test.hasFailed ? .failed : .passed
            emit(.ended(TestResult(test: test.test, outcome: outcome, duration: nil, attempt: test.attempt)))
        }
    }
}
