import ASCII
import LaneEvents

/// Tells tests that went wrong in the same way from others: a fault in what all of them use fails them all, at one place
/// and with one text.
struct FailureGroups {
    /// The first test of each way, by what there is to say of it.
    private var first: [[UInt8]: TestInfo] = [:]

    /// The test that went wrong earlier as this one did; `nil` for the first, which is kept for those that follow.
    mutating func predecessor(of test: TestRecord) -> TestInfo? {
        guard let attempt = test.attempts.last, !attempt.failures.isEmpty else { return nil }
        let key = Self.withoutAddresses(attempt.details)
        if let known = first[key] { return known.id == test.info.id ? nil : known }
        first[key] = test.info
        return nil
    }

    /// Each test with those that went wrong as it did, in their order.
    static func groups(of tests: [TestRecord]) -> [(first: TestRecord, others: [TestRecord])] {
        var known = FailureGroups()
        var places: [TestID: Int] = [:]
        var groups: [(first: TestRecord, others: [TestRecord])] = []
        for test in tests {
            if let earlier = known.predecessor(of: test), let place = places[earlier.id] {
                groups[place].others.append(test)
            } else {
                places[test.info.id] = groups.count
                groups.append((test, []))
            }
        }
        return groups
    }

    /// Code is at another address in every process.
    private static func withoutAddresses(_ text: String) -> [UInt8] {
        var kept: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            kept.append(byte)
            guard byte == UInt8(ascii: "x"), kept.suffix(2).elementsEqual("0x".utf8) else { continue }
            rest = rest.drop(while: \.isHexDigit)
        }
        return kept
    }
}
