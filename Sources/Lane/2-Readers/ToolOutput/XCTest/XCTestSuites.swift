/// The open suites of XCTest, and the totals of the outermost suites.
struct XCTestSuites: Sendable {
    private struct Suite {
        let name: [UInt8]
        let moment: [UInt8]
    }

    /// The open suites, innermost last.
    private var open: [Suite] = []
    /// The number of suites that began.
    private(set) var begun = 0
    private var hasBegun: Bool { begun > 0 }
    /// A Boolean value that indicates whether each end had the name of the innermost suite, and a later time.
    private var isNested = true
    /// The suite whose last line was read, for the totals after it.
    private var closed: [UInt8] = []
    /// The sums of the outermost suites.
    private(set) var totals = XCTestTotals()
    /// A Boolean value that indicates whether a suite failed or counted failures.
    private(set) var hasFailures = false

    /// A Boolean value that indicates whether the last line was within a suite.
    var isOpen: Bool { !open.isEmpty }

    /// A Boolean value that indicates whether XCTest has closed all suites. Suites in the output of a test have other
    /// names or earlier times.
    var isComplete: Bool { hasBegun && open.isEmpty && isNested }

    /// Returns a Boolean value that indicates whether XCTest has closed the suite that was innermost at an earlier
    /// time.
    func hasClosed(innermostOf earlier: XCTestSuites) -> Bool { isNested && open.count < earlier.open.count }

    mutating func begin(_ name: Bytes, at moment: Bytes) {
        begun += 1
        open.append(Suite(name: Array(name.buffer), moment: Array(moment.buffer)))
        closed = []
    }

    mutating func end(_ name: Bytes, at moment: Bytes, hasFailed: Bool) {
        hasFailures = hasFailures || hasFailed
        closed = Array(name.buffer)
        let suite = open.popLast()
        let isInnermost = suite.map { name.equals($0.name) && !moment.buffer.lexicographicallyPrecedes($0.moment) }
        isNested = isNested && isInnermost == true
    }

    /// Closes all suites after the end of their process.
    mutating func abandon() { open = [] }

    /// Adds the totals of a suite. The totals of outer suites include those of inner suites.
    mutating func count(_ counted: XCTestTotals) {
        hasFailures = hasFailures || counted.failures > 0
        if closed.elementsEqual("All tests".utf8) || closed.elementsEqual("Selected tests".utf8) { totals += counted }
        closed = []
    }
}

/// The totals in the line after the end of a suite.
struct XCTestTotals: Sendable, Equatable {
    private(set) var tests = 0
    private(set) var failures = 0

    init() {}

    /// Parses `<tab> Executed 13 tests, with 2 tests skipped and 7 failures (1 unexpected) in 1.327 (1.327) seconds`.
    init?(_ line: Bytes) {
        guard line.hasPrefix("\t Executed "), let (tests, end) = line.number(at: 11), line.matches(" test", at: end),
            let with = line.firstIndex(of: ", with ", from: end), let (first, next) = line.number(at: with + 7)
        else { return nil }
        self.tests = tests
        if line.matches(" test", at: next), let and = line.firstIndex(of: " and ", from: next) {
            failures = line.number(at: and + 5)?.value ?? 0
        } else {
            failures = first
        }
    }

    static func += (one: inout XCTestTotals, other: XCTestTotals) {
        one.tests += other.tests
        one.failures += other.failures
    }
}
