package import LaneEvents

/// Reads the two streams of `swift test`, which come in any order beside each other.
///
/// A line of the one never parts one of the other. On standard error `swift test` tells, too, that a process of tests has
/// died; this counts when all is read, for what that process had printed before may be still to come.
package struct SwiftTestReader {
    private var log: LogReader
    private var output = LineSplitter()
    private var errors = LineSplitter()
    private var deaths: [UInt8] = []

    /// What an event stream tells better is left out: issues of Swift Testing that belong to no test.
    ///
    /// `root` is the package's absolute path; `cases` are XCTest's that will run, by all names that they may have.
    package init(root: String, cases: [String]) {
        log = LogReader(root: root)
        log.xctest.names.expect(cases)
        log.testing.tellsIssuesOfNoTest = false
    }

    /// For tests that are not known beforehand.
    package init(root: String) {
        log = LogReader(root: root)
    }

    /// Takes the next bytes of standard output, cut anywhere, and hands on what they tell.
    package mutating func consumeOutput(_ bytes: UnsafeRawBufferPointer, emit: (LaneEvent.Kind) -> Void) {
        var whole: [UInt8] = []
        output.consume(bytes) { whole.append($0, $1) }
        read(whole, emit)
    }

    /// The same for standard error.
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

    /// Hands on what is open when both streams have ended.
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
