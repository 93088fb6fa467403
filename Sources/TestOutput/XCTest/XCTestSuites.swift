/// The suites that XCTest has open, and what those counted that are no part of another.
struct XCTestSuites: Sendable {
    private var depth = 0
    /// The one whose closing line was read last, for the totals after it.
    private var closed: [UInt8] = []
    /// Sums over the outermost suites.
    private(set) var totals = XCTestTotals()
    /// A suite of any depth ended as failed, or counted failures.
    private(set) var hasFailures = false

    /// Between the first line of a suite and its last.
    var isOpen: Bool { depth > 0 }

    mutating func begin() {
        depth += 1
        closed = []
    }

    mutating func end(_ name: Bytes, hasFailed: Bool) {
        hasFailures = hasFailures || hasFailed
        depth = max(0, depth - 1)
        closed = Array(name.buffer)
    }

    /// Their process is gone.
    mutating func abandon() { depth = 0 }

    /// What stands below a suite's end; suites within others are counted by these, too.
    mutating func count(_ counted: XCTestTotals) {
        hasFailures = hasFailures || counted.failures > 0
        if closed.elementsEqual("All tests".utf8) || closed.elementsEqual("Selected tests".utf8) { totals += counted }
        closed = []
    }
}
