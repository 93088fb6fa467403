/// The data that a summary keeps about tests that passed at the first attempt.
package enum PassedTestDetail: Int, Sendable, Comparable {
    /// Only their number, in constant memory for a log of any length.
    case counts
    /// Their names and durations, in about 50 bytes per test.
    case names
    /// Their complete records.
    case records

    package static func < (one: PassedTestDetail, other: PassedTestDetail) -> Bool { one.rawValue < other.rawValue }
}

/// The names and durations of passed tests whose records were discarded.
package struct PassedTests: Sendable {
    /// A test that passed.
    package struct Test: Sendable, Equatable {
        package let name: String
        /// The position of the test in the order of first mention.
        package let order: Int
        package let duration: Duration?
    }

    private struct Suite {
        /// The concatenated names of all tests.
        var names: [UInt8] = []
        var tests: [(order: UInt32, length: UInt32, nanoseconds: Int64)] = []
        var firstFile: (order: Int, path: String)?
    }

    private static let unmeasured = Int64.min
    private var bySuite: [SuiteID: Suite] = [:]

    /// The suites of the tests.
    package var suites: some Collection<SuiteID> { bySuite.keys }

    mutating func add(_ test: TestInfo, order: Int, duration: Duration?) {
        var name = test.id.name
        let nanoseconds = duration.map { Int64($0 / .nanoseconds(1)) } ?? Self.unmeasured
        name.withUTF8 { bytes in
            bySuite[SuiteID(test.id), default: Suite()].names += bytes
            bySuite[SuiteID(test.id)]?.tests.append((UInt32(order), UInt32(bytes.count), nanoseconds))
        }
        guard let path = test.location?.path, bySuite[SuiteID(test.id)]?.firstFile.map({ order < $0.order }) ?? true
        else { return }
        bySuite[SuiteID(test.id)]?.firstFile = (order, path)
    }

    /// Returns the tests of a suite in the order in which they ended. A repeated test occurs several times.
    package func tests(of suite: SuiteID) -> [Test] {
        guard let suite = bySuite[suite] else { return [] }
        var start = 0
        return suite.tests.map { test in
            defer { start += Int(test.length) }
            return Test(
                name: String(decoding: suite.names[start..<start + Int(test.length)], as: UTF8.self),
                order: Int(test.order),
                duration: test.nanoseconds == Self.unmeasured ? nil : .nanoseconds(test.nanoseconds))
        }
    }

    /// Returns the path of the first test of a suite that has a location, and its position in the order of tests.
    package func firstFile(of suite: SuiteID) -> (order: Int, path: String)? { bySuite[suite]?.firstFile }
}
