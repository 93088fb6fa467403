/// The open suites of XCTest, and the totals of the outermost ones.
struct XCTestSuites: Sendable {
    private var depth = 0
    /// The suite whose last line was read, for the totals after it.
    private var closed: [UInt8] = []
    /// The sums of the outermost suites.
    private(set) var totals = XCTestTotals()
    /// A Boolean value that indicates whether a suite failed or counted failures.
    private(set) var hasFailures = false

    /// A Boolean value that indicates whether the last line was within a suite.
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

    /// Closes all suites after the end of their process.
    mutating func abandon() { depth = 0 }

    /// Adds the totals of a suite. Inner suites are included in those of outer ones.
    mutating func count(_ counted: XCTestTotals) {
        hasFailures = hasFailures || counted.failures > 0
        if closed.elementsEqual("All tests".utf8) || closed.elementsEqual("Selected tests".utf8) { totals += counted }
        closed = []
    }
}
