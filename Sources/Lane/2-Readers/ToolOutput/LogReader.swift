package import Events

/// A reader of logs of `swift test`, `swift build`, `xcodebuild`, and Swift Testing's event stream. It detects the
/// formats, and a log may contain several.
///
/// Its memory is bounded: it keeps unfinished tests, a table of names with a fixed size, and reported diagnostics.
///
/// `swift test --parallel` prints only a counter for an XCTest case that ends, and further lines for a failure. A case
/// without further lines counts as passed when the run continues.
package struct LogReader {
    private var feed = LineFeed(stripsEscapes: true, stripsStamps: true)
    var xctest: XCTestLines
    var testing: SwiftTestingLines
    var build: BuildOutputParser
    var xcode: XcodebuildLines
    var stream: SwiftTestingEventParser
    var crashes: CrashedTests
    private(set) var countedTotal = 0
    private(set) var counted = 0
    var tally = LogVerdict()
    private var unsettled = UnsettledTests()
    /// The number of lines outside tests that match no grammar.
    private(set) var unknownLines = 0
    /// A Boolean value that indicates whether a log without its result has failed. `false` if the caller knows the exit
    /// status.
    var needsResult = true
    /// The value of `begunTests` at the last step of a build.
    var testsBeforeBuild = 0
    /// A Boolean value that indicates whether the log ends within a line of a test, suite or run.
    private(set) var endsWithinLine = false
    /// The last line that reports the failure of a command.
    var failedCommand: String?
    /// The number of results at that line if a script may have ignored the failure, or `nil`. It is `-1` if the line
    /// has no meaning in a log with a result.
    var resultsBeforeIgnorable: Int?
    /// A Boolean value that indicates whether `swift test` found no test to run.
    private var hasNoMatch = false
    private let unknown: ((UnsafeRawBufferPointer) -> Void)?
    /// The maximum number of failed tests of each library that are reported by name without `namesPassing`.
    private static let maximumNamedFailures = 500

    /// - Parameters:
    ///   - root: The absolute path of the package in the log.
    ///   - sources: The index of files that a log names by their last path components.
    ///   - namesPassing: `true` to report all tests by name. Otherwise, passed tests without output and failed tests
    ///     after the first hundreds are only counted, which is several times as fast.
    ///   - unknown: A closure for each line that matches no grammar. The memory is valid only during the call.
    package init(
        root: String, sources: SourceIndex = SourceIndex(), namesPassing: Bool = true,
        unknown: ((UnsafeRawBufferPointer) -> Void)? = nil
    ) {
        let paths = SourcePaths(root: root, sources: sources)
        xctest = XCTestLines(paths: paths, names: XCTestNames(countsRepetitions: true))
        testing = SwiftTestingLines(paths: paths, countsRepetitions: true)
        build = BuildOutputParser(paths: paths)
        xcode = XcodebuildLines()
        stream = SwiftTestingEventParser(root: root)
        crashes = CrashedTests(paths: paths)
        xctest.namesPassing = namesPassing
        testing.namesPassing = namesPassing
        if !namesPassing {
            xctest.tally.failuresToName = Self.maximumNamedFailures
            testing.tally.failuresToName = Self.maximumNamedFailures
        }
        self.unknown = unknown
    }

    /// Parses the next bytes and emits their events. Chunks can end anywhere.
    package mutating func consume(_ bytes: UnsafeRawBufferPointer, emit: (LaneEvent.Kind) -> Void) {
        var (feed, tally, unsettled) = (feed.lend(), tally, unsettled.lend())
        func report(_ event: LaneEvent.Kind) {
            tally.add(event)
            unsettled.add(event)
            emit(event)
        }
        feed.consume(bytes) { take($0, report) }
        flushGathered(report)
        (self.feed, self.tally, self.unsettled) = (feed, tally, unsettled)
    }

    /// Emits buffered events, and the ends of tests that the log does not contain.
    package mutating func finish(emit: (LaneEvent.Kind) -> Void) {
        var (feed, tally, unsettled) = (feed.lend(), tally, unsettled.lend())
        func report(_ event: LaneEvent.Kind) {
            tally.add(event)
            unsettled.add(event)
            emit(event)
        }
        feed.finish { take($0, report) }
        build.emitFailures(xcode.takeFailures(), report)
        build.finish(emit: report)
        let missing = missingResult
        endTests(report)
        stream.finish { report(.test($0)) }
        crashes.add(stream.running.map { UnfinishedTest(test: $0, attempt: 1) }) { report(.test($0)) }
        crashes.finish(hasSeen: xctest.names.hasSeen) { report(.test($0)) }
        flushGathered(report)
        xctest.settleDisputed { report(.test($0)) }
        for end in unsettled.takeEnds() { report(.test(.ended(end))) }
        self.tally = tally
        for event in takeMissingResult(missing) { report(event) }
        tally.isTruncated = self.tally.isTruncated
        if tally.hasTests { emit(.test(.finished)) }
        self.tally = tally
    }

    private mutating func flushGathered(_ emit: (LaneEvent.Kind) -> Void) {
        xctest.flushOutput { emit(.test($0)) }
        testing.flushOutput { emit(.test($0)) }
        xctest.flushTally { emit(.test($0)) }
        testing.flushTally { emit(.test($0)) }
    }

    /// The result of the log so far.
    package var verdict: LogVerdict {
        var verdict = tally
        verdict.unnamed = max(0, testing.totals.tests + xctest.suites.totals.tests - verdict.named)
        verdict.missing = max(0, countedTotal - counted)
        verdict.hasTests =
            verdict.hasTests || testing.totals.runs > 0 || xctest.hasBegun || countedTotal > 0 || hasNoMatch
        verdict.saysFailed =
            verdict.saysFailed || testing.totals.hasFailures || xctest.suites.hasFailures || xcode.ending == .failed
            || crashes.hasDeadProcess
        verdict.xcodebuild = xcode.command
        verdict.isForeign =
            unknownLines > 0 && !verdict.hasTests && !verdict.saysFailed && !verdict.hasReported && !build.hasCompleted
            && !build.hasResolved && !xcode.isActive
        return verdict
    }
}

// MARK: One line

extension LogReader {
    @inline(__always)
    private mutating func take(_ line: Line, _ emit: (LaneEvent.Kind) -> Void) {
        if xcode.takeBody(line.text) { return }
        if xcode.hasFailures { build.emitFailures(xcode.takeFailures(), emit) }
        if testing.isWithinRun, line.text.hasPrefix("Test Case '") || line.text.hasPrefix("Test Suite '") {
            testing.flush { emit(.test($0)) }
        }
        if xctest.takeResult(line.text, { emit(.test($0)) }) {
            if needsSettling { settle(emit) }
            return
        }
        guard !xctest.isRunning else { return takeWithinTest(line, emit) }
        if xctest.hasGathered, line.text.symbol(at: 0) > 0 { xctest.flush { emit(.test($0)) } }
        let runs = testing.totals.runs
        if testing.take(line, { emit(.test($0)) }) {
            if testing.totals.runs != runs || needsSettling { settle(emit) }
            return
        }
        takeOther(line, emit)
    }

    /// A Boolean value that indicates whether tests lack an end, or a crash report was only output.
    @inline(__always)
    private var needsSettling: Bool {
        crashes.hasReport || !xctest.unfinished.isEmpty || !testing.unfinished.isEmpty
            || (testing.isWithinRun && xctest.isRunning)
    }

    private mutating func settle(_ emit: (LaneEvent.Kind) -> Void) {
        if testing.isWithinRun, xctest.isRunning { testing.unfinished += testing.abandon { emit(.test($0)) } }
        if !xctest.unfinished.isEmpty { crashes.add(xctest.unfinished) { emit(.test($0)) } }
        if !testing.unfinished.isEmpty { crashes.add(testing.unfinished) { emit(.test($0)) } }
        xctest.unfinished = []
        testing.unfinished = []
        if testing.isWithinRun {
            xctest.flush { emit(.test($0)) }
            endCounted(emit)
        }
        if !testing.isWithinRun || testing.runningTests.isEmpty { crashes.forgetReport() }
    }

    /// Parses a line during a test. Only lines of XCTest and the end of its process can end the output of a test.
    private mutating func takeWithinTest(_ line: Line, _ emit: (LaneEvent.Kind) -> Void) {
        let text = line.text
        if xctest.takeRare(text, { emit(.test($0)) }) {
            if needsSettling { settle(emit) }
            return
        }
        let isOver =
            CrashedTests.isProcessEnd(text) || XcodebuildLines.isRestart(text) || text.hasSuffix(" Test run started.")
            || (xcode.isActive && text.hasPrefix("** TEST "))
        if isOver {
            endTests(emit)
            return take(line, emit)
        }
        if crashes.note(text) { return }
        emitForeignFailure(text, emit)
        xctest.takePrint(line) { emit(.test($0)) }
    }

    /// Reports a failure of another test or run. If the tests are known, the line is output.
    private mutating func emitForeignFailure(_ text: Bytes, _ emit: (LaneEvent.Kind) -> Void) {
        guard !xctest.names.areKnown, FailureLine.matches(text) else { return }
        xctest.flushOutput { emit(.test($0)) }
        testing.flush { emit(.test($0)) }
        emit(.test(.issue(TestIssue(test: nil, text: text.string))))
    }

    private mutating func takeOther(_ line: Line, _ emit: (LaneEvent.Kind) -> Void) {
        let text = line.text
        if CrashedTests.isProcessEnd(text) {
            endTests(emit)
            crashes.noteProcess(text) { emit(.test($0)) }
            return
        }
        if testing.isWithinRun || xctest.isWithinSuite {
            if isBuildError(text) {
                endTests(emit)
                return take(line, emit)
            }
            guard xcode.isActive else { return takePrint(line, emit) }
            xctest.flushOutput { emit(.test($0)) }
            testing.flushOutput { emit(.test($0)) }
            return xcode.take(text, emit) ? endTests(emit) : takePrint(line, emit)
        }
        if takeCounter(text, emit) || takeParallelCase(text, emit) { return }
        if text.hasPrefix("{\""), stream.take(text, { emit(.test($0)) }) { return }
        if xctest.hasBegun || xcode.isActive || FailureLine.matches(text), xctest.takeRare(text, { emit(.test($0)) }) {
            return
        }
        if FailedCommandLine.matches(text) {
            build.flush(emit)
            let mayBeIgnored = FailedCommandLine.mayBeIgnored(text)
            if mayBeIgnored, failedCommand != nil, resultsBeforeIgnorable == nil { return }
            failedCommand = text.string
            // `swift test` may end by this signal between the tests of its two libraries.
            let isMeaningless =
                FailedCommandLine.isOfHistory(text)
                || !text.hasPrefix("fatal: ") && testing.totals.runs > 0 && !testing.isWithinRun
            resultsBeforeIgnorable = mayBeIgnored ? isMeaningless ? -1 : results : nil
            return
        }
        if build.isOpen {
            if xcode.owns(text) {
                build.flush(emit)
            } else if takeBuild(line, emit) {
                return
            }
        }
        if text.equals(Self.nothingMatches) { hasNoMatch = true }
        if xcode.take(text, emit) || takeBuild(line, emit) || isNotice(text) || text.isEmpty { return }
        if crashes.note(text) { return }
        if line.ending == .end, text.hasPrefix("Test ") || text.symbol(at: 0) > 0 { endsWithinLine = true }
        // The next line redraws this row.
        if case .carriageReturn = line.ending { return }
        unknownLines += 1
        unknown?(UnsafeRawBufferPointer(text.buffer))
    }

    private mutating func takeBuild(_ line: Line, _ emit: (LaneEvent.Kind) -> Void) -> Bool {
        let steps = build.steps
        guard build.take(line, emit) else { return false }
        if build.steps > steps { testsBeforeBuild = begunTests }
        return true
    }

    /// Returns a Boolean value that indicates whether a line is a compiler's error outside tests. The end of the test
    /// run is then missing.
    private func isBuildError(_ text: Bytes) -> Bool {
        guard text[0] == UInt8(ascii: "/"), testing.running.isEmpty, !xctest.isRunning, !FailureLine.matches(text),
            let head = DiagnosticHead(text, build.paths)
        else { return false }
        return head.severity == .error && head.location != nil
    }

    /// Parses output between tests or of concurrent tests.
    private mutating func takePrint(_ line: Line, _ emit: (LaneEvent.Kind) -> Void) {
        if !xctest.names.areKnown, FailureLine.matches(line.text) {
            if xctest.takeRare(line.text, { emit(.test($0)) }) { return }
            emitForeignFailure(line.text, emit)
        }
        if testing.isWithinRun {
            if crashes.note(line.text) { return }
            testing.takePrint(line) { emit(.test($0)) }
        } else if !xctest.takeRare(line.text, { emit(.test($0)) }) {
            if crashes.note(line.text) { return }
            xctest.takePrint(line) { emit(.test($0)) }
        }
    }

    /// Emits the ends of the running tests after the end of their process.
    private mutating func endTests(_ emit: (LaneEvent.Kind) -> Void) {
        let left = xctest.abandon { emit(.test($0)) }
        xctest.unfinished += left.map { [$0] } ?? []
        testing.unfinished += testing.abandon { emit(.test($0)) }
        settle(emit)
        endCounted(emit)
    }

    private static var nothingMatches: StaticString { "warning: No matching test cases were run" }

    private func isNotice(_ text: Bytes) -> Bool {
        text.equals(Self.nothingMatches) || XcodebuildLines.isParallelSuite(text)
            || XcodebuildLines.isRestart(text)
    }
}

// MARK: Tests on one line

extension LogReader {
    /// Parses `[3/18] Testing Module.Class/method`.
    private mutating func takeCounter(_ text: Bytes, _ emit: (LaneEvent.Kind) -> Void) -> Bool {
        guard text[0] == UInt8(ascii: "["), let number = text.number(at: 1), text[number.end] == UInt8(ascii: "/"),
            let total = text.number(at: number.end + 1), text.matches("] Testing ", at: total.end)
        else { return false }
        let name = text.from(total.end + 10)
        guard let dot = name.firstIndex(of: UInt8(ascii: ".")),
            let slash = name.firstIndex(of: UInt8(ascii: "/"), from: dot)
        else { return false }
        build.flush(emit)
        if number.value == 1 { countedTotal += total.value }
        counted += 1
        let test = xctest.names.announce(
            module: name.upTo(dot), className: name.between(dot + 1, slash), method: name.from(slash + 1))
        emit(.test(.started(test, attempt: 1, worker: 1)))
        return true
    }

    private mutating func endCounted(_ emit: (LaneEvent.Kind) -> Void) {
        for test in xctest.names.takeAnnounced() {
            emit(.test(.ended(TestResult(test: test, outcome: .passed, duration: nil))))
        }
    }

    private mutating func takeParallelCase(_ text: Bytes, _ emit: (LaneEvent.Kind) -> Void) -> Bool {
        guard text[0] == UInt8(ascii: "T"), let (name, outcome, duration) = XcodebuildLines.parallelCase(text)
        else { return false }
        xcode.noteParallelTest()
        // The issues of the function may precede in lines of Swift Testing.
        let function = name.from(name.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)
        if testing.end(function, outcome, duration, { emit(.test($0)) }) { return true }
        let test = XcodebuildLines.test(named: name, modules: xctest.names.modules)
        // The failures of the test precede this line. The log does not contain its start.
        xctest.flush { emit(.test($0)) }
        let attempt = 1 + xctest.names.count(name)
        emit(.test(.ended(TestResult(test: test, outcome: outcome, duration: duration, attempt: attempt))))
        return true
    }
}
