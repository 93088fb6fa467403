import Events

/// The running test of XCTest. One value is used for all tests, which saves the allocation of names.
struct XCTestCurrent: Sendable {
    private(set) var test: TestID?
    /// A Boolean value that indicates whether there is a test. It is read for each line, and `test` would be copied.
    private(set) var isRunning = false
    /// The name in the log, without quotes.
    private(set) var name: [UInt8] = []
    private(set) var attempt = 1
    /// A Boolean value that indicates whether the start was reported.
    var isReported = true
    /// A Boolean value that indicates whether a failure of the test was reported.
    var hasFailed = false

    @inline(__always)
    mutating func begin(_ test: TestID, named name: Bytes, attempt: Int, isReported: Bool) {
        self.test = test
        isRunning = true
        self.name.removeAll(keepingCapacity: true)
        self.name.append(contentsOf: name.buffer)
        self.attempt = attempt
        self.isReported = isReported
        hasFailed = false
    }

    mutating func end() {
        test = nil
        isRunning = false
    }

    @inline(__always)
    func isNamed(_ name: Bytes) -> Bool { isRunning && name.equals(self.name) }
}
