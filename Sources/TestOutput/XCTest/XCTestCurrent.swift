import LaneEvents

/// The test that XCTest runs just now, if it runs one. One value for all of them in turn, so that the memory of their names
/// is used again.
struct XCTestCurrent: Sendable {
    private(set) var test: TestID?
    /// As the log has it, without quotation marks.
    private(set) var name: [UInt8] = []
    private(set) var attempt = 1
    /// Its start has been told.
    var isTold = true
    /// It has told a failure: whatever it prints, it cannot pass any more.
    var hasFailed = false

    @inline(__always)
    mutating func begin(_ test: TestID, named name: Bytes, attempt: Int, isTold: Bool) {
        self.test = test
        self.name.removeAll(keepingCapacity: true)
        self.name.append(contentsOf: name.buffer)
        self.attempt = attempt
        self.isTold = isTold
        hasFailed = false
    }

    mutating func end() { test = nil }

    @inline(__always)
    func isNamed(_ name: Bytes) -> Bool { test != nil && name.equals(self.name) }
}
