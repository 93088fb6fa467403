package import LaneEvents

/// Reads what a test process prints that runs XCTest cases, Linux or macOS: results, failures with their whole text, skip
/// reasons; what tests print becomes output of the test that was running.
package struct XCTestOutputParser: Sendable {
    private var splitter = LineSplitter()
    private var lines: XCTestLines
    private var previousWasCut = false

    /// `root` is the package's absolute path; `modules` tells the module of each class, which the text does not.
    package init(root: String, modules: [String: String] = [:], attempt: Int = 1, worker: Int = 1) {
        lines = XCTestLines(paths: SourcePaths(root: root), names: XCTestNames(modules: modules))
        lines.attempt = attempt
        lines.worker = worker
    }

    /// The test that has begun and not ended: the culprit when its process ends now.
    package var running: TestID? { lines.running }

    package mutating func consume(_ bytes: UnsafeRawBufferPointer, emit: (TestEvent) -> Void) {
        var splitter = LineSplitter()
        swap(&splitter, &self.splitter)
        splitter.consume(bytes) { take($0, $1, emit) }
        swap(&splitter, &self.splitter)
        lines.flushOutput(emit)
    }

    /// Hands on what is still held back: a last line without newline, the text of a last failure. The running test stays
    /// without an end; only who knows how the process ended can tell it.
    package mutating func finish(emit: (TestEvent) -> Void) {
        var splitter = self.splitter
        self.splitter = LineSplitter()
        splitter.finish { take($0, $1, emit) }
        lines.flush(emit)
    }

    private mutating func take(_ text: UnsafeRawBufferPointer, _ ending: LineEnding, _ emit: (TestEvent) -> Void) {
        let line = Line(text: Bytes(text), ending: ending, continuesPiece: previousWasCut)
        previousWasCut = ending == .cut
        if !lines.take(line, emit) { lines.takePrint(line, emit) }
    }
}
