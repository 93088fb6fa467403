package import Events

/// A reader of the two output streams of `swift test`. Chunks of the streams may arrive in any order.
///
/// Lines of the two streams are not mixed. Standard error also contains the crash of a test process. Its lines are
/// parsed at the end, because the output of the process may arrive later.
package struct SwiftTestReader {
    private var log: LogReader
    private var output = LineSplitter()
    private var errors = LineSplitter()
    private var deaths: [UInt8] = []

    /// Creates a reader. It omits Swift Testing's issues outside any test, which the event stream contains.
    ///
    /// `root` is the absolute path of the package. `cases` are the possible names of the XCTest cases that run.
    package init(root: String, cases: [String]) {
        log = LogReader(root: root)
        log.xctest.names.expect(cases)
        log.testing.reportsIssuesOutsideTests = false
        log.needsResult = false
    }

    /// Creates a reader for a run whose tests are unknown.
    package init(root: String) {
        log = LogReader(root: root)
        log.needsResult = false
    }

    /// Parses the next bytes of standard output and emits their events. Chunks can end anywhere.
    package mutating func consumeOutput(_ bytes: UnsafeRawBufferPointer, emit: (LaneEvent.Kind) -> Void) {
        var whole: [UInt8] = []
        output.consume(bytes) { whole.append($0, $1) }
        read(whole, emit)
    }

    /// Parses the next bytes of standard error and emits their events.
    package mutating func consumeErrors(_ bytes: UnsafeRawBufferPointer, emit: (LaneEvent.Kind) -> Void) {
        var (whole, deaths): ([UInt8], [UInt8]) = ([], [])
        errors.consume(bytes) { line, ending in
            if CrashedTests.isProcessEnd(Bytes(line)) {
                deaths.append(line, ending)
            } else {
                whole.append(line, ending)
            }
        }
        self.deaths += deaths
        read(whole, emit)
    }

    /// Emits buffered events at the end of both streams.
    package mutating func finish(emit: (LaneEvent.Kind) -> Void) {
        var rest: [UInt8] = []
        output.finish { rest.append($0, $1) }
        if !rest.isEmpty { rest.append(0x0A) }
        rest += deaths
        errors.finish { rest.append($0, $1) }
        read(rest, emit)
        log.finish(emit: emit)
    }

    private mutating func read(_ bytes: [UInt8], _ emit: (LaneEvent.Kind) -> Void) {
        bytes.withUnsafeBytes { log.consume($0, emit: emit) }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ line: UnsafeRawBufferPointer, _ ending: LineEnding) {
        append(contentsOf: line)
        let end = ending.bytes
        append(contentsOf: UnsafeBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount))
    }
}
