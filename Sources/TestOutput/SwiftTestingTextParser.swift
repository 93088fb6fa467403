package import LaneEvents

/// Reads the text that Swift Testing's reporter prints. It names neither modules nor suites, and only the base names of
/// files, so the event stream is better where there is one; but only the text tells the argument of every issue.
package struct SwiftTestingTextParser: Sendable {
    private var feed = LineFeed()
    private var lines: SwiftTestingLines

    package init(root: String = "", attempt: Int = 1, worker: Int = 1) {
        lines = SwiftTestingLines(paths: SourcePaths(root: root))
        lines.attempt = attempt
        lines.worker = worker
    }

    /// Tests that have begun and not ended, in the order of their starts.
    package var running: [TestID] { lines.runningTests }

    package mutating func consume(_ bytes: UnsafeRawBufferPointer, emit: (TestEvent) -> Void) {
        var feed = self.feed.lend()
        feed.consume(bytes) { take($0, emit) }
        self.feed = feed
        lines.flushOutput(emit)
    }

    package mutating func finish(emit: (TestEvent) -> Void) {
        var feed = self.feed.lend()
        feed.finish { take($0, emit) }
        lines.flush(emit)
    }

    private mutating func take(_ line: Line, _ emit: (TestEvent) -> Void) {
        if !lines.take(line, emit) { lines.takePrint(line, emit) }
    }
}
