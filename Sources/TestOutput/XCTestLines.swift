import LaneEvents

/// A test whose end is not in the log.
struct UnfinishedTest: Sendable {
    let test: TestID
    let attempt: Int
}

/// The line grammar of XCTest on Linux and on macOS; tests run one after the other, so at most one is running.
struct XCTestLines: Sendable {
    /// What a suite's closing line counts.
    struct Totals: Sendable, Equatable {
        var tests = 0
        var skipped = 0
        var failures = 0
    }

    /// A message does not grow beyond this; what follows is taken for a print.
    private static let longestMessage = 1 << 20

    let paths: SourcePaths
    var names: XCTestNames
    var attempt = 1
    var worker = 1

    /// Whether every test is told by its name.
    var namesPassing = true
    private var passed = PassedTally(library: .xctest)

    private(set) var running: TestID?
    /// The start of the running test has been told.
    private var isTold = true
    private var runningName: [UInt8] = []
    private var runningAttempt = 1
    /// It has told a failure: whatever it prints, it cannot pass any more.
    private var hasFailed = false
    /// The test that ended last, as long as nothing has begun since.
    private var lastEnded: (name: [UInt8], test: TestID, attempt: Int)?
    /// Why the running test is skipped; what follows belongs to the reason, as long as the test then ends so.
    private var skip: (reason: GatheredText, firstLine: Int)?
    private var failure: (text: GatheredText, location: SourceLocation?, test: TestID?)?
    private var output = GatheredOutput()
    /// Tests that another one followed before they had ended.
    var unfinished: [UnfinishedTest] = []
    /// How many suites are open.
    private var suiteDepth = 0
    /// The suite whose closing line was read last, for the totals after it.
    private var closedSuite: [UInt8] = []
    /// Sums over the outermost suites.
    private(set) var totals = Totals()
    /// A suite or a case has come.
    private(set) var hasBegun = false

    init(paths: SourcePaths, names: XCTestNames = XCTestNames()) {
        self.paths = paths
        self.names = names
    }

    /// Between the first line of a suite and its last.
    var isWithinSuite: Bool { suiteDepth > 0 || running != nil }

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
        if failure == nil, let skip, skip.reason.bytes.count < Self.longestMessage {
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

    /// Tells the tests that have passed and were counted only.
    mutating func flushPassed(_ emit: (TestEvent) -> Void) { passed.flush(emit) }

    mutating func flush(_ emit: (TestEvent) -> Void) {
        flushOutput(emit)
        flushSkip(emit)
        guard let (text, location, test) = failure else { return }
        failure = nil
        let hasMessage = !Self.isComplete(text) || !text.bytes.suffix(3).elementsEqual(" - ".utf8)
        let told = hasMessage ? text.string : String(decoding: text.bytes.dropLast(3), as: UTF8.self)
        tellStart(emit)
        emit(.issue(TestIssue(test: test, text: told, at: location)))
    }

    /// Gives up on the running test: its process is gone.
    mutating func abandon(_ emit: (TestEvent) -> Void) -> UnfinishedTest? {
        flush(emit)
        suiteDepth = 0
        return takeRunning(emit)
    }

    /// A print without newline stands before the line's own text.
    private mutating func takeGluedPrint(_ text: Bytes, _ emit: (TestEvent) -> Void) {
        guard !text.isEmpty else { return }
        takePrint(Line(text: text, ending: .cut, continuesPiece: false), emit)
    }

    private mutating func print(_ text: Bytes, _ ending: LineEnding, _ emit: (TestEvent) -> Void) {
        output.append(text, ending)
        if output.isFull { flushOutput(emit) }
    }
}

// MARK: Cases and suites

extension XCTestLines {
    /// `Test Case '<name>' started|passed|failed|skipped …`, with a print perhaps glued before it.
    @inline(__always)
    private mutating func takeCase(_ line: Bytes, from start: Int, _ emit: (TestEvent) -> Void) -> Bool {
        let nameStart = start + 11
        guard let quote = line.firstIndex(of: UInt8(ascii: "'"), from: nameStart) else { return false }
        let name = line.between(nameStart, quote)
        if line.matches("' passed (", at: quote) { return end(name, .passed, line, start, timeAt: quote + 10, emit) }
        if line.matches("' started", at: quote) { return begin(name, line, start, emit) }
        if line.matches("' failed (", at: quote) { return end(name, .failed, line, start, timeAt: quote + 10, emit) }
        guard line.matches("' skipped (", at: quote) else { return false }
        return end(name, .skipped(reason: skip?.reason.stringIfAny), line, start, timeAt: quote + 11, emit)
    }

    private mutating func begin(_ name: Bytes, _ line: Bytes, _ start: Int, _ emit: (TestEvent) -> Void) -> Bool {
        // One that begins again has left its place to a namesake before its name is asked for.
        let isAgain = running != nil && name.equals(runningName)
        if isAgain { leaveRunning(for: line.upTo(start), emit) }
        guard let identity = names.identify(name) else { return false }
        if !isAgain { leaveRunning(for: line.upTo(start), emit) }
        running = identity.test
        hasBegun = true
        lastEnded = nil
        runningName.removeAll(keepingCapacity: true)
        runningName.append(contentsOf: name.buffer)
        runningAttempt = attempt + identity.repetition
        skip = nil
        hasFailed = false
        isTold = identity.isAnnounced
        if namesPassing { tellStart(emit) }
        return true
    }

    @inline(__always)
    private mutating func tellStart(_ emit: (TestEvent) -> Void) {
        guard !isTold, let test = running else { return }
        isTold = true
        if !namesPassing { passed.flush(emit) }
        emit(.started(test, attempt: runningAttempt, worker: worker))
    }

    private mutating func leaveRunning(for print: Bytes, _ emit: (TestEvent) -> Void) {
        takeGluedPrint(print, emit)
        leaveRunning(emit)
    }

    /// The running test will not end any more, for something else begins.
    private mutating func leaveRunning(_ emit: (TestEvent) -> Void) {
        flush(emit)
        if let left = takeRunning(emit) { unfinished.append(left) }
    }

    private mutating func takeRunning(_ emit: (TestEvent) -> Void) -> UnfinishedTest? {
        guard let test = running else { return nil }
        tellStart(emit)
        running = nil
        names.settle(runningName)
        return UnfinishedTest(test: test, attempt: runningAttempt)
    }

    @inline(__always)
    private mutating func end(
        _ name: Bytes, _ outcome: TestResult.Outcome, _ line: Bytes, _ start: Int, timeAt time: Int,
        _ emit: (TestEvent) -> Void
    ) -> Bool {
        guard let (duration, _) = line.seconds(at: time) else { return false }
        if running == nil, let last = lastEnded, name.equals(last.name) {
            // What it had printed looked like its end. This line is the true one, as nothing else has begun.
            takeGluedPrint(line.upTo(start), emit)
            flush(emit)
            emit(.ended(TestResult(test: last.test, outcome: outcome, duration: duration, attempt: last.attempt)))
            return true
        }
        let hasStart = running != nil && name.equals(runningName)
        if hasStart, hasFailed, outcome == .passed { return false }
        if !hasStart {
            // The start is missing from the log.
            guard begin(name, line, start, emit) else { return false }
        } else {
            takeGluedPrint(line.upTo(start), emit)
        }
        guard let test = running else { return false }
        if case .skipped = outcome { skip = nil }
        flush(emit)
        if !isTold, outcome == .passed, runningAttempt == attempt, passed.add(test, duration, emit) {
            running = nil
            return true
        }
        tellStart(emit)
        running = nil
        lastEnded = hasStart ? (runningName, test, runningAttempt) : nil
        names.settle(runningName)
        emit(.ended(TestResult(test: test, outcome: outcome, duration: duration, attempt: runningAttempt)))
        return true
    }

    private mutating func takeSuite(_ line: Bytes, from start: Int, _ emit: (TestEvent) -> Void) -> Bool {
        guard let quote = line.firstIndex(of: UInt8(ascii: "'"), from: start + 12) else { return false }
        let isEnd = line.matches("' passed at ", at: quote) || line.matches("' failed at ", at: quote)
        guard isEnd || line.matches("' started at ", at: quote) || line.matches("' started.", at: quote) else {
            return false
        }
        takeGluedPrint(line.upTo(start), emit)
        flush(emit)
        if !isEnd, running != nil { leaveRunning(emit) }
        lastEnded = nil
        suiteDepth = max(0, suiteDepth + (isEnd ? -1 : 1))
        hasBegun = true
        closedSuite = isEnd ? Array(line.between(start + 12, quote).buffer) : []
        return true
    }

    /// `<tab> Executed 13 tests, with 2 tests skipped and 7 failures (1 unexpected) in 1.327 (1.327) seconds`
    private mutating func takeTotals(_ line: Bytes, _ emit: (TestEvent) -> Void) -> Bool {
        guard let (tests, end) = line.number(at: 11), line.matches(" test", at: end),
            let with = line.firstIndex(of: ", with ", from: end), let (first, next) = line.number(at: with + 7)
        else { return false }
        flush(emit)
        let isOutermost =
            closedSuite.elementsEqual("All tests".utf8) || closedSuite.elementsEqual("Selected tests".utf8)
        closedSuite = []
        guard isOutermost else { return true }
        totals.tests += tests
        if line.matches(" test", at: next), let and = line.firstIndex(of: " and ", from: next) {
            totals.skipped += first
            totals.failures += line.number(at: and + 5)?.value ?? 0
        } else {
            totals.failures += first
        }
        return true
    }
}

// MARK: Failures, skips, glued lines

extension XCTestLines {
    /// Totals, failures, skips, and what is glued behind a print.
    mutating func takeRare(_ line: Bytes, _ emit: (TestEvent) -> Void) -> Bool {
        if line[0] == 0x09, line.hasPrefix("\t Executed "), takeTotals(line, emit) { return true }
        var from = 0
        while let colon = line.firstIndex(of: UInt8(ascii: ":"), from: from) {
            if line.matches(": error: ", at: colon), takeFailure(line, colon, emit) { return true }
            if line.matches(": Test skipped", at: colon), takeSkip(line, colon, emit) { return true }
            from = colon + 1
        }
        return takeGlued(line, emit)
    }

    /// `<path>:<line>: error: <name> : <text>`
    private mutating func takeFailure(_ line: Bytes, _ mark: Int, _ emit: (TestEvent) -> Void) -> Bool {
        guard let (test, textStart) = subject(of: line, at: mark + 9) else { return false }
        let pathStart = startOfPlace(in: line, endingAt: mark)
        takeGluedPrint(line.upTo(pathStart), emit)
        flush(emit)
        if running != nil { hasFailed = true }
        failure = (GatheredText(line.from(textStart)), paths.location(line.between(pathStart, mark)), test)
        settleFailure(emit)
        return true
    }

    /// `<path>:<line>: <name> : Test skipped[: <detail>] - <reason>`
    private mutating func takeSkip(_ line: Bytes, _ mark: Int, _ emit: (TestEvent) -> Void) -> Bool {
        guard running != nil, let place = line.upTo(mark).lastIndex(of: ": "),
            line.between(place + 2, mark - 1).equals(runningName)
        else { return false }
        takeGluedPrint(line.upTo(startOfPlace(in: line, endingAt: place)), emit)
        flush(emit)
        let rest = line.from(mark + 14)
        let reason = rest.hasPrefix(" - ") ? rest.from(3) : rest.from(2)
        skip = (GatheredText(reason), reason.count)
        return true
    }

    /// The test was not skipped after all: what followed was a print.
    private mutating func flushSkip(_ emit: (TestEvent) -> Void) {
        guard let (reason, firstLine) = skip else { return }
        skip = nil
        let rest = reason.bytes.dropFirst(firstLine + 1)
        if !rest.isEmpty { emit(.output(running, Array(rest) + [0x0A])) }
    }

    /// The test that a failure line names, and where its text begins. While a test runs, no other can fail: a line that
    /// names another was printed by it.
    private mutating func subject(of line: Bytes, at index: Int) -> (TestID, Int)? {
        if let running {
            let isMatch =
                line.from(index).hasPrefix(runningName) && line.matches(" : ", at: index + runningName.count)
            return isMatch ? (running, index + runningName.count + 3) : nil
        }
        guard let end = line.firstIndex(of: " : ", from: index), let test = names.recall(line.between(index, end))
        else {
            return nil
        }
        return (test, end + 3)
    }

    private func startOfPlace(in line: Bytes, endingAt end: Int) -> Int {
        line[0] == UInt8(ascii: "/") && (paths.root.isEmpty || line.hasPrefix(paths.root))
            ? 0 : paths.start(ofPathIn: line, endingAt: end)
    }

    /// A result line behind a print without newline.
    private mutating func takeGlued(_ line: Bytes, _ emit: (TestEvent) -> Void) -> Bool {
        if running != nil {
            guard line.hasSuffix(" seconds)") || line.hasSuffix(" seconds).") else { return false }
            guard let start = line.lastIndex(of: "Test Case '"), line.from(start + 11).hasPrefix(runningName) else {
                return false
            }
            return takeCase(line, from: start, emit)
        }
        if let start = line.firstIndex(of: "Test Case '"), start > 0, takeCase(line, from: start, emit) { return true }
        guard let start = line.firstIndex(of: "Test Suite '"), start > 0 else { return false }
        return takeSuite(line, from: start, emit)
    }

    /// Hands on the failure if its text can't go on.
    private mutating func settleFailure(_ emit: (TestEvent) -> Void) {
        guard let text = failure?.text, text.bytes.count > Self.longestMessage || Self.isComplete(text) else { return }
        flush(emit)
    }

    /// XCTest ends an assertion's text with its message, which may be of many lines; only where the message is empty,
    /// and the parentheses and quotes before it are closed, is the end known. What follows then is a print.
    private static func isComplete(_ text: GatheredText) -> Bool {
        text.bytes.withUnsafeBytes { buffer in
            let bytes = Bytes(buffer)
            if bytes.hasPrefix("threw error \"") {
                return bytes.hasSuffix("\"") && buffer.count { $0 == UInt8(ascii: "\"") }.isMultiple(of: 2)
            }
            guard bytes.hasSuffix(" - ") else { return false }
            var (opened, closed) = (0, 0)
            for index in 0..<bytes.count {
                if bytes.matches("(\"", at: index) { opened += 1 }
                if bytes.matches("\")", at: index) { closed += 1 }
            }
            return opened == closed
        }
    }
}
