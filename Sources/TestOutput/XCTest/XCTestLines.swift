import LaneEvents

/// A test whose end is not in the log.
struct UnfinishedTest: Sendable {
    let test: TestID
    let attempt: Int
}

/// The line grammar of XCTest on Linux and on macOS; tests run one after the other, so at most one is running.
struct XCTestLines: Sendable {
    let paths: SourcePaths
    var names: XCTestNames
    var attempt = 1
    var worker = 1

    /// Whether every test is told by its name.
    var namesPassing = true
    var tally = TestTally(library: .xctest)

    var current = XCTestCurrent()
    /// The test that ended last, as long as nothing has begun since.
    var lastEnded: (name: [UInt8], test: TestID, attempt: Int)?
    /// Why the running test is skipped; what follows belongs to the reason, as long as the test then ends so.
    var skip: (reason: GatheredText, firstLine: Int)?
    var failure: (text: XCTestMessage, location: SourceLocation?, test: TestID?)?
    /// Where it is known which tests run: what the last line that looked like the running test's end says. It counts
    /// when XCTest goes on, as a test may print such a line itself.
    var claim: (outcome: TestResult.Outcome, duration: Duration)?
    /// The running test's failures, which count when its end does.
    var held: [TestIssue] = []
    /// Those behind the line that looked like its end: late ones, unless another such line follows.
    var heldLate: [TestIssue] = []
    private var output = GatheredOutput()
    /// Tests that another one followed before they had ended.
    var unfinished: [UnfinishedTest] = []
    var suites = XCTestSuites()
    /// A suite or a case has come.
    var hasBegun = false

    init(paths: SourcePaths, names: XCTestNames = XCTestNames()) {
        self.paths = paths
        self.names = names
    }

    var running: TestID? { current.test }

    /// Between the first line of a suite and its last.
    var isWithinSuite: Bool { suites.isOpen || running != nil }

    /// Whether the line was one of XCTest's own.
    mutating func take(_ line: Line, _ emit: (TestEvent) -> Void) -> Bool {
        takeResult(line.text, emit) || takeRare(line.text, emit)
    }

    /// The lines that make most of a log: cases and suites.
    @inline(__always)
    mutating func takeResult(_ text: Bytes, _ emit: (TestEvent) -> Void) -> Bool {
        guard text[0] == UInt8(ascii: "T") else { return false }
        if text.hasPrefix("Test Case '") { return takeCase(text, from: 0, emit) }
        return text.hasPrefix("Test Suite '") && takeSuite(text, from: 0, emit)
    }

    /// Something is held back that may still go on.
    var hasGathered: Bool { !output.isEmpty || failure != nil }

    /// Text that no grammar knows: the rest of a failure's message, or a print.
    mutating func takePrint(_ line: Line, _ emit: (TestEvent) -> Void) {
        if failure == nil, let skip, skip.reason.bytes.count < XCTestMessage.longest {
            self.skip?.reason.append(line.text, onNewLine: !line.continuesPiece)
            return
        }
        guard failure != nil else { return print(line.text, line.ending, emit) }
        failure?.text.append(line.text, onNewLine: !line.continuesPiece)
        settleFailure(emit)
    }

    /// Hands on what is gathered, as far as nothing can follow that belongs to it.
    mutating func flushOutput(_ emit: (TestEvent) -> Void) {
        guard !output.isEmpty else { return }
        tellStart(emit)
        emit(.output(running, output.take()))
    }

    /// Tells the tests that were counted only.
    mutating func flushTally(_ emit: (TestEvent) -> Void) { tally.flush(emit) }

    /// A Boolean value that indicates whether the running test is counted only, even if it fails.
    var isMuted: Bool { running != nil && !current.isTold && !tally.namesFailures }

    mutating func flush(_ emit: (TestEvent) -> Void) {
        flushOutput(emit)
        flushSkip(emit)
        guard let (text, location, test) = failure else { return }
        failure = nil
        tellStart(emit)
        let issue = TestIssue(test: test, text: text.text, at: location)
        if names.areKnown, test != nil, test == running {
            if claim == nil { held.append(issue) } else { heldLate.append(issue) }
        } else {
            emit(.issue(issue))
        }
    }

    /// Gives up on the running test: its process is gone.
    mutating func abandon(_ emit: (TestEvent) -> Void) -> UnfinishedTest? {
        flush(emit)
        suites.abandon()
        return takeRunning(emit)
    }

    /// A print without newline stands before the line's own text.
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
