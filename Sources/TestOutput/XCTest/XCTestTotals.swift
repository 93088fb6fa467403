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
