package import LaneEvents

/// Reads what a test process prints that runs XCTest cases, Linux or macOS: results, failures with their whole text, skip
/// reasons; what tests print becomes output of the test that was running.
package struct XCTestOutputParser: Sendable {
    private var feed = LineFeed()
    private var lines: XCTestLines
    private var unsettled = UnsettledTests()

    /// `root` is the package's absolute path; `modules` tells the module of each class, which the text does not.
    ///
    /// - Parameter tests: All that the process will run, by all names that they may have, where that is known.
    package init(
        root: String, modules: [String: String] = [:], tests: [String]? = nil, attempt: Int = 1, worker: Int = 1
    ) {
        lines = XCTestLines(paths: SourcePaths(root: root), names: XCTestNames(modules: modules))
        if let tests { lines.names.expect(tests) }
        lines.attempt = attempt
        lines.worker = worker
    }

    /// The test that has begun and not ended: the culprit when its process ends now.
    package var running: TestID? { lines.running }

    /// Takes the next bytes, cut anywhere, and hands on what they tell.
    package mutating func consume(_ bytes: UnsafeRawBufferPointer, emit: (TestEvent) -> Void) {
        var (feed, unsettled) = (feed.lend(), unsettled.lend())
        func tell(_ event: TestEvent) {
            unsettled.add(.test(event))
            emit(event)
        }
        feed.consume(bytes) { take($0, tell) }
        lines.flushOutput(tell)
        (self.feed, self.unsettled) = (feed, unsettled)
    }

    /// Hands on what is still held back: a last line without newline, the text of a last failure. The running test stays
    /// without an end; only who knows how the process ended can tell it.
    ///
    /// - Parameter isByExit: The process ended with status 0. As XCTest has more to print after the last test, a test
    ///   whose end is the last line has printed that line itself, and ended the process.
    package mutating func finish(isByExit: Bool = false, emit: (TestEvent) -> Void) {
        var (feed, unsettled) = (feed.lend(), unsettled.lend())
        func tell(_ event: TestEvent) {
            unsettled.add(.test(event))
            emit(event)
        }
        feed.finish { take($0, tell) }
        lines.flush(tell)
        if !isByExit { lines.settleClaim(tell) }
        if lines.running != nil { lines.tellHeld(tell) }
        // Those that failed after their ends.
        for end in unsettled.takeEnds(except: running) { emit(.ended(end)) }
    }

    private mutating func take(_ line: Line, _ emit: (TestEvent) -> Void) {
        if !lines.take(line, emit) { lines.takePrint(line, emit) }
    }
}
