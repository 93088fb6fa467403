import Events

/// A test without an end in the log.
struct UnfinishedTest: Sendable {
    let test: TestID
    let attempt: Int
}

/// The line grammar of XCTest on Linux and macOS. Tests run one after another, so at most one is running.
struct XCTestLines: Sendable {
    let paths: SourcePaths
    var names: XCTestNames
    var attempt = 1
    var worker = 1

    /// A Boolean value that indicates whether all tests are reported by name.
    var namesPassing = true
    var tally = TestTally(library: .xctest)

    var current = XCTestCurrent()
    /// The test that ended last, if no other test has started since.
    var lastEnded: (name: [UInt8], test: TestID, attempt: Int)?
    /// The reason of a skip. The following lines belong to the reason if the test ends as skipped.
    var skip: (reason: GatheredText, firstLine: Int)?
    var failure: (text: XCTestMessage, location: SourceLocation?, test: TestID?)?
    /// The result in the last line that looked like the end of the running test, in a run whose tests are known. Tests
    /// may print such lines, so the result counts only when XCTest continues.
    var claim: (outcome: TestResult.Outcome, duration: Duration, suites: XCTestSuites)?
    /// The failures of the running test. They are reported with its end.
    var held: [TestIssue] = []
    /// The failures after the apparent end. They are late failures unless another end follows.
    var heldLate: [TestIssue] = []
    /// The failures that name an ended test while another test was running, in a run whose tests are known. They are
    /// late failures or output.
    var disputed: [TestIssue] = []
    /// The number of emitted failures.
    var failures = 0
    private var output = GatheredOutput()
    /// The tests that did not end before the next test started.
    var unfinished: [UnfinishedTest] = []
    /// The tests of the open suite whose ends other output has split or joined. The process has continued after them.
    var lost: [(test: UnfinishedTest, hasFailed: Bool)] = []
    /// A Boolean value that indicates whether a test of the open suite has failed.
    var hasFailedTest = false
    var suites = XCTestSuites()
    /// A Boolean value that indicates whether a suite or a case has started.
    var hasBegun = false

    init(paths: SourcePaths, names: XCTestNames = XCTestNames()) {
        self.paths = paths
        self.names = names
    }

    var running: TestID? { current.test }

    /// A Boolean value that indicates whether a test is running.
    @inline(__always)
    var isRunning: Bool { current.isRunning }

    /// A Boolean value that indicates whether the last line was within a suite.
    var isWithinSuite: Bool { suites.isOpen || isRunning }

    /// Parses a line. Returns `false` if the line does not belong to XCTest.
    mutating func take(_ line: Line, _ emit: (TestEvent) -> Void) -> Bool {
        takeResult(line.text, emit) || takeRare(line.text, emit)
    }

    /// Parses the most frequent lines: those of cases and suites.
    @inline(__always)
    mutating func takeResult(_ text: Bytes, _ emit: (TestEvent) -> Void) -> Bool {
        guard text[0] == UInt8(ascii: "T") else { return false }
        if text.hasPrefix("Test Case '") { return takeCase(text, from: 0, emit) }
        return text.hasPrefix("Test Suite '") && takeSuite(text, from: 0, emit)
    }

    /// A Boolean value that indicates whether buffered text may continue.
    var hasGathered: Bool { !output.isEmpty || failure != nil }

    /// Parses other text: the rest of a failure's message, or output.
    mutating func takePrint(_ line: Line, _ emit: (TestEvent) -> Void) {
        if failure == nil, let skip, skip.reason.bytes.count < XCTestMessage.longest {
            self.skip?.reason.append(line.text, onNewLine: !line.continuesPiece)
            return
        }
        guard failure != nil else { return print(line.text, line.ending, emit) }
        failure?.text.append(line.text, onNewLine: !line.continuesPiece)
        settleFailure(emit)
    }

    /// Emits buffered text that cannot continue.
    mutating func flushOutput(_ emit: (TestEvent) -> Void) {
        guard !output.isEmpty else { return }
        emitStart(emit)
        emit(.output(running, output.take()))
    }

    /// Emits the counts of tests without names.
    mutating func flushTally(_ emit: (TestEvent) -> Void) { tally.flush(emit) }

    /// A Boolean value that indicates whether the running test is only counted, even if it fails.
    var isMuted: Bool { isRunning && !current.isReported && !tally.namesFailures }

    mutating func flush(_ emit: (TestEvent) -> Void) {
        flushOutput(emit)
        flushSkip(emit)
        guard let (text, location, test) = failure else { return }
        failure = nil
        emitStart(emit)
        let issue = TestIssue(test: test, text: text.text, at: location)
        if names.areKnown, test != nil, test == running {
            if claim == nil { held.append(issue) } else { heldLate.append(issue) }
        } else {
            emitFailures([issue], emit)
        }
    }

    /// Ends the running test after its process has ended, and returns it.
    mutating func abandon(_ emit: (TestEvent) -> Void) -> UnfinishedTest? {
        flush(emit)
        suites.abandon()
        unfinished += lost.map(\.test)
        lost = []
        return takeRunning(emit)
    }

    /// Parses output before a line, without a line break between them.
    mutating func takeGluedPrint(_ text: Bytes, _ emit: (TestEvent) -> Void) {
        guard !text.isEmpty else { return }
        takePrint(Line(text: text, ending: .cut, continuesPiece: false), emit)
    }

    private mutating func print(_ text: Bytes, _ ending: LineEnding, _ emit: (TestEvent) -> Void) {
        if isMuted { return }
        output.append(text, ending)
        if output.isFull { flushOutput(emit) }
    }
}
