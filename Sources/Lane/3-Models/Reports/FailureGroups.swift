import Events
import Text

/// Groups of tests that failed in the same way.
///
/// An error in shared code makes many tests fail at the same location with the same text.
struct FailureGroups {
    /// The first test of each group, by the hash of the complete text of its failure, which may be megabytes long.
    private var first: [Int: TestInfo] = [:]

    /// Returns the first test that failed in the same way, or `nil` if there is no earlier one.
    mutating func predecessor(of test: TestRecord) -> TestInfo? {
        guard let attempt = test.attempts.last, !attempt.failures.isEmpty else { return nil }
        let key = Self.withoutAddresses(Self.cause(attempt.details, of: test)).hashValue
        if let known = first[key] { return known.id == test.info.id ? nil : known }
        first[key] = test.info
        return nil
    }

    /// Returns the first test of each group with the other tests of the group, in order.
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

    /// Returns the details of a failure. Of a crash, these are the message and the innermost function of the package,
    /// because the outer ones are different in each test.
    private static func cause(_ details: String, of test: TestRecord) -> String {
        guard case .crashed? = test.outcome else { return details }
        let lines = details.split(separator: "\n", omittingEmptySubsequences: false)
        guard let frame = lines.firstIndex(where: { $0.hasPrefix("  in ") }) else { return details }
        return lines[...frame].joined(separator: "\n")
    }

    /// Returns a text without addresses, which differ in every process.
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
