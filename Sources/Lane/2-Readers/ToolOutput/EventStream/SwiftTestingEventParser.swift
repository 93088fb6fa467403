package import Events

/// A parser of Swift Testing's event stream: JSON lines in the format of 6.3 or of version 0.
///
/// Version 0 contains the argument of an issue. Version 6.3 contains it only with the experimental fields, which an
/// environment variable enables. Otherwise, the argument is known only if a single case of the test was running.
package struct SwiftTestingEventParser: Sendable {
    private struct Running: Sendable {
        let attempt: Int
        let startedAt: Double
        /// The running cases, with their IDs if they are known.
        var cases: [(id: String?, argument: String)] = []
        /// A Boolean value that indicates whether an unknown case has ended.
        var isAmbiguous = false
        var hasFailed = false
        /// The number of tests that started earlier.
        let order: Int
        /// The total time, in seconds, of the completed periods in which a case was running.
        var timeOfCases = 0.0
        /// The start of the current period in which cases are running.
        var casesSince = 0.0
    }

    private struct Known: Sendable {
        let info: TestInfo
        var attempts = 0
        var running: Running?
        var lastResult: TestResult?
    }

    /// The splitter with a high limit, because a record is one line and messages may be long.
    private var splitter = LineSplitter(longest: 1 << 26)
    private let paths: SourcePaths
    private let firstAttempt: Int
    private let worker: Int
    private let threads: Int
    private var begun = 0
    private var unfinished = 0
    /// The value of `begun` when more tests than threads were last running.
    private var lastCrowd = 0
    private var planned: [TestInfo] = []
    private var tests: [Known] = []
    private var indices: [String: Int] = [:]
    /// The display names of suites by ID.
    package private(set) var suiteDisplayNames: [String: String] = [:]
    private var suitePlaces: [String: SourceLocation] = [:]
    /// The number of lines that were not records.
    package private(set) var unknownLines = 0
    /// A Boolean value that indicates whether the run has ended. No further test ends are expected.
    private(set) var hasEnded = false
    /// A Boolean value that indicates whether the stream contains a record.
    private(set) var hasBegun = false

    /// - Parameter threads: The number of threads of the test process. If more tests are running, their durations
    ///   include the wait for a thread. Such durations are not reported.
    package init(root: String, attempt: Int = 1, worker: Int = 1, threads: Int = .max) {
        self.threads = threads
        paths = SourcePaths(root: root)
        firstAttempt = attempt
        self.worker = worker
    }

    /// The running tests in the planned order.
    package var running: [TestID] { tests.filter { $0.running != nil }.map(\.info.id) }

    /// Parses the next bytes and emits their events. Chunks can end anywhere.
    package mutating func consume(_ bytes: UnsafeRawBufferPointer, emit: (TestEvent) -> Void) {
        var splitter = LineSplitter()
        swap(&splitter, &self.splitter)
        splitter.consume(bytes) { line, _ in take(Bytes(line), emit) }
        swap(&splitter, &self.splitter)
    }

    /// Parses an unterminated last record.
    package mutating func finish(emit: (TestEvent) -> Void) {
        var splitter = self.splitter
        self.splitter = LineSplitter()
        splitter.finish { line, _ in take(Bytes(line), emit) }
        announce(emit)
    }

    /// Parses one line. Returns `false` if it is not a record.
    @discardableResult
    mutating func take(_ line: Bytes, _ emit: (TestEvent) -> Void) -> Bool {
        guard let record = EventRecord(line) else {
            if !line.trimmed.isEmpty { unknownLines += 1 }
            return false
        }
        hasBegun = true
        if record.isTest {
            if record.kind.raw.equals("function") {
                plan(record)
            } else {
                let id = record.id.string
                if let name = record.displayName { suiteDisplayNames[id] = name.string }
                suitePlaces[id] = record.location.flatMap(location)
            }
            return true
        }
        announce(emit)
        takeEvent(record, emit)
        return true
    }
}

// MARK: Records

extension SwiftTestingEventParser {
    private mutating func plan(_ record: EventRecord) {
        let id = record.id.string
        guard indices[id] == nil else { return }
        let info = TestInfo(
            id: SwiftTestingNames.test(id: id), displayName: record.displayName?.string,
            location: record.location.flatMap(location), isParameterized: record.isParameterized)
        indices[id] = tests.count
        tests.append(Known(info: info))
        planned.append(info)
    }

    private mutating func announce(_ emit: (TestEvent) -> Void) {
        guard !planned.isEmpty else { return }
        emit(.planned(planned))
        planned = []
    }

    private mutating func takeEvent(_ record: EventRecord, _ emit: (TestEvent) -> Void) {
        let kind = record.kind.raw
        if kind.equals("runEnded") { hasEnded = true }
        if kind.equals("runStarted") { hasEnded = false }
        let index = record.id.raw.isEmpty ? nil : indices[record.id.string]
        if kind.equals("issueRecorded") { return takeIssue(record, index, emit) }
        guard let index else { return }
        switch true {
        case kind.equals("testStarted"): start(index, record, emit)
        case kind.equals("testCaseStarted"): startCase(index, record, emit)
        case kind.equals("testCaseEnded"): endCase(index, record)
        case kind.equals("testEnded"): end(index, record, emit)
        case kind.equals("valueAttached"): attach(record, index, emit)
        case kind.equals("testSkipped"):
            let reason = record.messages.first.flatMap { Self.reason(in: $0.text.string, after: "skipped: ") }
            finish(index, .skipped(reason: reason), duration: nil, emit)
        default: break
        }
    }

    /// Reports an attached file. Without a directory for attachments, there is none.
    private func attach(_ record: EventRecord, _ index: Int, _ emit: (TestEvent) -> Void) {
        guard var path = record.attachment?.string, !path.isEmpty else { return }
        let relative = path.withUTF8 { paths.relative(Bytes($0)) }
        emit(.attached(tests[index].info.id, path: relative))
    }

    private mutating func start(_ index: Int, _ record: EventRecord, _ emit: (TestEvent) -> Void) {
        let attempt = firstAttempt + tests[index].attempts
        begun += 1
        if tests[index].running == nil { unfinished += 1 }
        if unfinished > threads { lastCrowd = begun }
        tests[index].running = Running(attempt: attempt, startedAt: record.instant, order: begun)
        emit(.started(tests[index].info.id, attempt: attempt, worker: worker))
    }

    private mutating func startCase(_ index: Int, _ record: EventRecord, _ emit: (TestEvent) -> Void) {
        guard tests[index].info.isParameterized, let text = record.messages.first?.text.string else { return }
        var line = text
        let printed = line.withUTF8 { SwiftTestingNames.argument(ofCaseStart: Bytes($0))?.argument.string }
        guard let argument = printed ?? record.testCase.name?.string else { return }
        if tests[index].running?.cases.isEmpty == true { tests[index].running?.casesSince = record.instant }
        tests[index].running?.cases.append((record.testCase.id?.string, argument))
        emit(.argumentStarted(tests[index].info.id, argument))
    }

    /// Ends a case. Without an ID, the case is known only if no other case is running.
    private mutating func endCase(_ index: Int, _ record: EventRecord) {
        guard var running = tests[index].running, !running.cases.isEmpty else { return }
        let id = record.testCase.id?.string
        if id == nil, running.cases.count > 1 { running.isAmbiguous = true }
        running.cases.remove(at: running.cases.firstIndex { $0.id == id } ?? 0)
        if running.cases.isEmpty {
            running.isAmbiguous = false
            running.timeOfCases += record.instant - running.casesSince
        }
        tests[index].running = running
    }

    private mutating func end(_ index: Int, _ record: EventRecord, _ emit: (TestEvent) -> Void) {
        let message = record.messages.first
        let symbol = message?.symbol.raw
        var outcome = TestResult.Outcome.passed
        if tests[index].running?.hasFailed == true || symbol?.equals("fail") == true {
            outcome = .failed
        } else if symbol?.equals("skip") == true {
            let reason = message.flatMap { Self.reason(in: $0.text.string, after: " seconds: ") }
            outcome = .skipped(reason: reason)
        }
        finish(index, outcome, duration: tests[index].running.flatMap { time(of: $0, to: record.instant) }, emit)
    }

    /// Returns the duration of the test itself, if it is known.
    private func time(of test: Running, to end: Double) -> Duration? {
        if lastCrowd < test.order { return Self.duration(from: test.startedAt, to: end) }
        return test.timeOfCases > 0 ? Self.duration(from: 0, to: test.timeOfCases) : nil
    }

    /// Returns a duration in microseconds, the precision of the stream's clock.
    private static func duration(from start: Double, to end: Double) -> Duration {
        .microseconds(Int((min(max(0, end - start), 1e9) * 1e6).rounded()))
    }

    private mutating func finish(
        _ index: Int, _ outcome: TestResult.Outcome, duration: Duration?, _ emit: (TestEvent) -> Void
    ) {
        let attempt = tests[index].running?.attempt ?? firstAttempt + tests[index].attempts
        let result = TestResult(test: tests[index].info.id, outcome: outcome, duration: duration, attempt: attempt)
        tests[index].attempts += 1
        if tests[index].running != nil { unfinished -= 1 }
        tests[index].running = nil
        tests[index].lastResult = result
        emit(.ended(result))
    }
}

// MARK: Issues

extension SwiftTestingEventParser {
    private mutating func takeIssue(_ record: EventRecord, _ index: Int?, _ emit: (TestEvent) -> Void) {
        let severity: TestIssue.Severity =
            record.issue.isKnown
            ? .known : !record.issue.isFailure || record.issue.severity.raw.equals("warning") ? .warning : .failure
        var text = Self.text(of: record)
        var place = record.issue.location.flatMap(location)
        if index == nil, let suite = suitePlaces[record.id.string] {
            text += "\nin the suite \(record.id.string)"
            place = place ?? suite
        }
        emit(
            .issue(
                TestIssue(
                    test: index.map { tests[$0].info.id }, severity: severity, text: text, at: place,
                    argument: argument(of: record, index))))
        if let index, severity == .failure { fail(index, emit) }
    }

    /// Marks a test as failed, even if it is not running: its traits or arguments threw an error before its start, or
    /// it recorded an issue after its end.
    private mutating func fail(_ index: Int, _ emit: (TestEvent) -> Void) {
        guard tests[index].running == nil else {
            tests[index].running?.hasFailed = true
            return
        }
        guard let last = tests[index].lastResult else { return finish(index, .failed, duration: nil, emit) }
        guard !last.outcome.isFailure else { return }
        let result = TestResult(test: last.test, outcome: .failed, duration: last.duration, attempt: last.attempt)
        tests[index].lastResult = result
        emit(.ended(result))
    }

    private func argument(of record: EventRecord, _ index: Int?) -> String? {
        guard let index, tests[index].info.isParameterized, let running = tests[index].running else { return nil }
        if let id = record.testCase.id?.string {
            return running.cases.first { $0.id == id }?.argument ?? record.testCase.name?.string
        }
        return running.cases.count == 1 && !running.isAmbiguous ? running.cases[0].argument : nil
    }

    private static func text(of record: EventRecord) -> String {
        record.messages.map { message in
            let text = message.text.string
            return message.symbol.raw.equals("difference") ? "± \(text)" : text
        }.joined(separator: "\n")
    }

    /// Returns the quoted reason at the end of a message.
    private static func reason(in message: String, after mark: StaticString) -> String? {
        var message = message
        return message.withUTF8 { buffer in
            let text = Bytes(buffer)
            guard let start = text.firstIndex(of: mark) else { return nil }
            let quoted = text.from(start + mark.utf8CodeUnitCount)
            guard quoted[0] == UInt8(ascii: "\""), quoted.hasSuffix("\"") else { return quoted.string }
            return quoted.between(1, quoted.count - 1).string
        }
    }

    private func location(_ location: EventRecord.Location) -> SourceLocation? {
        var path = (location.path.raw.isEmpty ? location.fileID : location.path).string
        return path.withUTF8 { paths.location(path: Bytes($0), line: location.line, column: location.column) }
    }
}
