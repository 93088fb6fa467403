package import Events

/// A parser of the output of an XCTest process on Linux or macOS. It emits results, failures with their complete text,
/// reasons of skips, and output of the running test.
package struct XCTestOutputParser: Sendable {
    private var feed = LineFeed()
    private var lines: XCTestLines
    private var unsettled = UnsettledTests()

    /// Creates a parser. `root` is the absolute path of the package. `modules` contains the module of each class,
    /// because the output does not.
    ///
    /// - Parameter tests: The possible names of the tests that will run, if they are known.
    package init(
        root: String, modules: [String: String] = [:], tests: [String]? = nil, attempt: Int = 1, worker: Int = 1
    ) {
        lines = XCTestLines(paths: SourcePaths(root: root), names: XCTestNames(modules: modules))
        if let tests { lines.names.expect(tests) }
        lines.attempt = attempt
        lines.worker = worker
    }

    /// The running test. If the process ends now, this test crashed.
    package var running: TestID? { lines.running }

    /// Parses the next bytes and emits their events. Chunks can end anywhere.
    package mutating func consume(_ bytes: UnsafeRawBufferPointer, emit: (TestEvent) -> Void) {
        var (feed, unsettled) = (feed.lend(), unsettled.lend())
        func report(_ event: TestEvent) {
            unsettled.add(.test(event))
            emit(event)
        }
        feed.consume(bytes) { take($0, report) }
        lines.flushOutput(report)
        (self.feed, self.unsettled) = (feed, unsettled)
    }

    /// Emits buffered events: an unterminated last line, and the text of a last failure. Emits no end of the running
    /// test, because that depends on the exit status.
    ///
    /// - Parameter isByExit: A Boolean value that indicates whether the process exited with status 0 or 1. If XCTest
    ///   has not closed its suites then, the running test printed its end and ended the process itself.
    package mutating func finish(isByExit: Bool = false, emit: (TestEvent) -> Void) {
        var (feed, unsettled) = (feed.lend(), unsettled.lend())
        func report(_ event: TestEvent) {
            unsettled.add(.test(event))
            emit(event)
        }
        feed.finish { take($0, report) }
        lines.flush(report)
        if !isByExit { lines.settleClaim(report) }
        if lines.isRunning { lines.emitHeld(report) }
        lines.settleDisputed(report)
        // These tests failed after their ends.
        for end in unsettled.takeEnds(except: running) { emit(.ended(end)) }
    }

    private mutating func take(_ line: Line, _ emit: (TestEvent) -> Void) {
        if !lines.take(line, emit) { lines.takePrint(line, emit) }
    }
}
