import LaneEvents

/// Follows a run of Swift Testing through its console text. Tests run side by side, and a line tells no module or suite.
struct SwiftTestingLines: Sendable {
    private struct Running: Sendable {
        let test: TestID
        let attempt: Int
        let order: Int
        var hasFailed = false
        var isTold: Bool
        /// With which its last case began, as long as its start is not told.
        var argument: String?
        /// Its start was not told: quiet runs tell issues alone.
        let isImplied: Bool
    }

    private struct Issue: Sendable {
        let test: TestID?
        let severity: TestIssue.Severity
        var text: GatheredText
        let location: SourceLocation?
        let argument: String?
    }

    let paths: SourcePaths
    var attempt = 1
    var worker = 1
    private var seen: SeenNames?
    private var iteration = 0
    /// By a hash of the name; namesakes that run at the same time take the numbers after it.
    private var running: [UInt64: Running] = [:]
    /// Whether every test is told by its name.
    var namesPassing = true
    private var passed = PassedTally(library: .swiftTesting)
    private var started = 0
    private var issue: Issue?
    private var output = GatheredOutput()

    /// Between the header of a run and its summary.
    private(set) var isWithinRun = false
    /// Tests that the summaries count, skipped ones included.
    private(set) var told = 0
    private(set) var hasToldFailure = false
    /// What was running when another run began.
    var unfinished: [UnfinishedTest] = []
    private(set) var runs = 0

    init(paths: SourcePaths, countsRepetitions: Bool = false) {
        self.paths = paths
        seen = countsRepetitions ? SeenNames() : nil
    }

    /// Whether the line was one of Swift Testing's own.
    @inline(__always)
    mutating func take(_ line: Line, _ emit: (TestEvent) -> Void) -> Bool {
        let text = line.text
        let symbol = text.symbol(at: 0)
        if symbol > 0 || text[0] == UInt8(ascii: "T") || text[0] == UInt8(ascii: "S"),
            let sentence = SwiftTestingSentence(text.from(symbol)), symbol > 0 || isWithinRun
        {
            take(sentence, emit)
            return true
        }
        return takeDetail(text, symbol) || takeGlued(line, emit)
    }

    mutating func takePrint(_ line: Line, _ emit: (TestEvent) -> Void) {
        settleIssue(emit)
        output.append(line.text, line.ending)
        if output.isFull { flushOutput(emit) }
    }

    mutating func flushOutput(_ emit: (TestEvent) -> Void) {
        if !output.isEmpty { emit(.output(nil, output.take())) }
    }

    /// Tells the tests that have passed and were counted only.
    mutating func flushPassed(_ emit: (TestEvent) -> Void) { passed.flush(emit) }

    mutating func flush(_ emit: (TestEvent) -> Void) {
        settleIssue(emit)
        flushOutput(emit)
    }

    /// Tests that have begun and not ended, in the order of their starts.
    var runningTests: [TestID] { inOrder.map(\.test) }

    private var inOrder: [Running] { running.values.sorted { $0.order < $1.order } }

    /// Gives up on the run: its process is gone.
    mutating func abandon(_ emit: (TestEvent) -> Void) -> [UnfinishedTest] {
        flush(emit)
        isWithinRun = false
        endImplied(emit)
        defer { running.removeAll() }
        for test in inOrder { tellStart(test, emit) }
        return inOrder.map { UnfinishedTest(test: $0.test, attempt: $0.attempt) }
    }
}

// MARK: Sentences

extension SwiftTestingLines {
    @inline(__always)
    private mutating func take(_ sentence: SwiftTestingSentence, _ emit: (TestEvent) -> Void) {
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
            runs += 1
            iteration = 0
        case .runEnded(let tests, let hasFailed):
            told += tests
            hasToldFailure = hasToldFailure || hasFailed
            unfinished += abandon(emit)
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

    @discardableResult
    private mutating func start(_ name: Bytes, isImplied: Bool, _ emit: (TestEvent) -> Void) -> Running {
        let earlier = iteration > 0 ? 0 : seen?.count(name.buffer) ?? 0
        let test = TestID(
            library: .swiftTesting, module: "", suite: "",
            name: earlier > 0 ? "\(name.string) (\(earlier + 1))" : name.string)
        let begun = Running(
            test: test, attempt: attempt + max(iteration - 1, 0), order: started, isTold: namesPassing,
            isImplied: isImplied)
        started += 1
        var slot = hashOf(name.buffer)
        while let other = running.updateValue(begun, forKey: slot) {
            running[slot] = other
            slot &+= 1
        }
        if namesPassing { emit(.started(test, attempt: begun.attempt, worker: worker)) }
        return begun
    }

    private mutating func begin(_ argument: Bytes, of slot: UInt64, _ emit: (TestEvent) -> Void) {
        guard let test = running[slot] else { return }
        if test.isTold {
            emit(.argumentStarted(test.test, argument.string))
        } else {
            running[slot]?.argument = argument.string
        }
    }

    /// Tells the start of a test that has been held back because it may pass.
    private func tellStart(_ test: Running, _ emit: (TestEvent) -> Void) {
        guard !test.isTold else { return }
        emit(.started(test.test, attempt: test.attempt, worker: worker))
        if let argument = test.argument { emit(.argumentStarted(test.test, argument)) }
    }

    @inline(__always)
    private mutating func end(
        _ sentence: SwiftTestingSentence, _ outcome: TestResult.Outcome, _ emit: (TestEvent) -> Void
    ) {
        let slot = hashOf(sentence.name.buffer)
        if running[slot] == nil { start(sentence.name, isImplied: true, emit) }
        guard let ended = remove(from: slot, hasFailed: outcome == .failed) else { return }
        let duration = sentence.rest.seconds(at: 0)?.value
        if !ended.isTold, outcome == .passed, ended.attempt == attempt, let duration,
            passed.add(ended.test, duration, emit)
        {
            return
        }
        tellStart(ended, emit)
        emit(.ended(TestResult(test: ended.test, outcome: outcome, duration: duration, attempt: ended.attempt)))
    }

    private mutating func cancel(_ sentence: SwiftTestingSentence, _ emit: (TestEvent) -> Void) {
        let slot = hashOf(sentence.name.buffer)
        if running[slot] == nil { start(sentence.name, isImplied: true, emit) }
        guard let test = running[slot] else { return }
        tellStart(test, emit)
        running[slot]?.isTold = true
        emit(.issue(.cancellation(of: test.test, reason: Self.quoted(after: ": ", in: sentence.rest))))
        end(sentence, .passed, emit)
    }

    /// Ends a test whose issues were told and whose end another grammar's line tells.
    mutating func end(
        _ name: Bytes, _ outcome: TestResult.Outcome, _ duration: Duration?, _ emit: (TestEvent) -> Void
    ) -> Bool {
        flush(emit)
        guard let ended = remove(from: hashOf(name.buffer), hasFailed: outcome == .failed) else { return false }
        tellStart(ended, emit)
        emit(.ended(TestResult(test: ended.test, outcome: outcome, duration: duration, attempt: ended.attempt)))
        return true
    }

    /// Of namesakes, the first whose issues go with the outcome; those behind it move up.
    @inline(__always)
    private mutating func remove(from slot: UInt64, hasFailed: Bool) -> Running? {
        guard let first = running.removeValue(forKey: slot) else { return nil }
        guard let next = running.removeValue(forKey: slot &+ 1) else { return first }
        var namesakes = [first, next]
        var last = slot &+ 2
        while let other = running.removeValue(forKey: last) {
            namesakes.append(other)
            last &+= 1
        }
        let removed = namesakes.remove(at: namesakes.firstIndex { $0.hasFailed == hasFailed } ?? 0)
        for (offset, other) in namesakes.enumerated() { running[slot &+ UInt64(offset)] = other }
        return removed
    }

    private mutating func skip(_ sentence: SwiftTestingSentence, _ emit: (TestEvent) -> Void) {
        let reason = Self.quoted(after: ": ", in: sentence.rest)
        let earlier = iteration > 0 ? 0 : seen?.count(sentence.name.buffer) ?? 0
        let name = earlier > 0 ? "\(sentence.name.string) (\(earlier + 1))" : sentence.name.string
        let test = TestID(library: .swiftTesting, module: "", suite: "", name: name)
        emit(
            .ended(
                TestResult(
                    test: test, outcome: .skipped(reason: reason), duration: nil,
                    attempt: attempt + max(iteration - 1, 0))))
    }

    private mutating func endImplied(_ emit: (TestEvent) -> Void) {
        for (key, test) in running.sorted(by: { $0.value.order < $1.value.order }) where test.isImplied {
            running[key] = nil
            tellStart(test, emit)
            let outcome: TestResult.Outcome = test.hasFailed ? .failed : .passed
            emit(.ended(TestResult(test: test.test, outcome: outcome, duration: nil, attempt: test.attempt)))
        }
    }
}

// MARK: Issues and prints

extension SwiftTestingLines {
    /// `[ with <n> argument[s] <label> → <value>, …][ at <File.swift>:<line>:<col>]: <text>`
    private mutating func begin(
        _ word: SwiftTestingSentence.TestIssueWord, _ sentence: SwiftTestingSentence, _ emit: (TestEvent) -> Void
    ) {
        var rest = sentence.rest
        var argument: String?
        if rest.hasPrefix(" with "), let count = rest.number(at: 6), rest.matches(" argument", at: count.end) {
            let start = count.end + (rest.matches(" arguments ", at: count.end) ? 11 : 10)
            let end = Self.startOfPlace(in: rest, from: start) ?? rest.firstIndex(of: ": ", from: start) ?? rest.count
            argument = rest.between(start, end).string
            rest = rest.from(end)
        }
        var location: SourceLocation?
        if let place = Self.startOfPlace(in: rest, from: 0), place == 0,
            let colon = rest.firstIndex(of: ": ", from: 4)
        {
            location = paths.location(rest.between(4, colon))
            rest = rest.from(colon)
        }
        let text = rest.hasPrefix(": ") ? rest.from(2) : rest
        let test: TestID?
        if sentence.name.equals("«unknown»") {
            test = nil
        } else {
            let slot = hashOf(sentence.name.buffer)
            let subject = running[slot] ?? start(sentence.name, isImplied: true, emit)
            tellStart(subject, emit)
            running[slot]?.isTold = true
            test = subject.test
        }
        let severity: TestIssue.Severity
        switch word {
        case .issue:
            severity = .failure
            running[hashOf(sentence.name.buffer)]?.hasFailed = true
        case .known: severity = .known
        case .warning: severity = .warning
        }
        issue = Issue(
            test: test, severity: severity, text: GatheredText(text), location: location, argument: argument)
    }

    /// Where ` at <File.swift>:<line>:<col>: ` begins; an argument's value may hold ` at ` of its own.
    private static func startOfPlace(in text: Bytes, from index: Int) -> Int? {
        var from = index
        while let start = text.firstIndex(of: " at ", from: from) {
            if let colon = text.firstIndex(of: UInt8(ascii: ":"), from: start),
                text.between(start + 4, colon).firstIndex(of: 0x20) == nil, let line = text.number(at: colon + 1),
                text[line.end] == UInt8(ascii: ":"), let column = text.number(at: line.end + 1),
                text.matches(": ", at: column.end)
            {
                return start
            }
            from = start + 1
        }
        return nil
    }

    /// `↳ <comment>`, `± <difference>`, and their further lines behind two spaces, below an issue; the run's header.
    private mutating func takeDetail(_ text: Bytes, _ symbol: Int) -> Bool {
        if text.hasPrefix("  "), issue != nil {
            issue?.text.append(text.from(2), onNewLine: true)
            return true
        }
        // Apple's symbols lie in a private plane.
        let isDetail = text.hasPrefix("↳ ") || text.hasPrefix("± ") || symbol > 0 && text[0] == 0xF4
        guard isDetail, isWithinRun || issue != nil else { return false }
        issue?.text.append(text.hasPrefix("± ") ? text : text.from(symbol), onNewLine: true)
        return true
    }

    /// A line of the reporter's behind a print without newline.
    private mutating func takeGlued(_ line: Line, _ emit: (TestEvent) -> Void) -> Bool {
        guard isWithinRun else { return false }
        let text = line.text
        var from = 1
        while let start = text.firstIndex(of: 0xE2, from: from) {
            let symbol = text.symbol(at: start)
            if symbol > 0, let sentence = SwiftTestingSentence(text.from(start + symbol)) {
                takePrint(Line(text: text.upTo(start), ending: .cut, continuesPiece: line.continuesPiece), emit)
                take(sentence, emit)
                return true
            }
            from = start + 1
        }
        return false
    }

    private mutating func settleIssue(_ emit: (TestEvent) -> Void) {
        guard let settled = issue else { return }
        issue = nil
        emit(
            .issue(
                TestIssue(
                    test: settled.test, severity: settled.severity, text: settled.text.string,
                    at: settled.location, argument: settled.argument)))
    }

    private static func quoted(after mark: StaticString, in text: Bytes) -> String? {
        guard let start = text.firstIndex(of: mark) else { return nil }
        return unquoted(text.from(start + mark.utf8CodeUnitCount)).string
    }

    private static func unquoted(_ text: Bytes) -> Bytes {
        guard text.count > 1, text[0] == UInt8(ascii: "\""), text.hasSuffix("\"") else { return text }
        return text.between(1, text.count - 1)
    }
}
