import SuiteCoverage
import Testing

@Suite struct SuiteRecordTests {
    private static let record = SuiteRecord(
        commit: "0123456789", build: "debug -D A", changedFiles: ["Sources/A B.swift"],
        functions: ["Sources/A.swift": [3, 7, 9, 12], "Sources/B.swift": [1]],
        suites: [
            .init(
                module: "ATests", name: "Parsing", tests: ["ATests.Parsing/empty()", "ATests.Parsing/one()"],
                executed: ["Sources/A.swift": [3, 7, 12], "Sources/B.swift": [1]]),
            .init(module: "ATests", name: "Idle", tests: ["ATests.Idle/nothing()"], executed: [:]),
        ])

    @Test func isReadAsWritten() {
        #expect(SuiteRecord(parsing: Self.record.bytes) == Self.record)
    }

    @Test func isNotReadIfItIsShortened() {
        let bytes = Self.record.bytes
        for count in bytes.indices { #expect(SuiteRecord(parsing: Array(bytes.prefix(count))) == nil) }
    }

    @Test(arguments: [
        "", "lane suite coverage 1\ncommit\tA\nbuild\t\nend\n",
        "lane suite coverage 2\ncommit\tA\nbuild\t\nruns\t0\t1\nend\n",
    ])
    func refusesOtherText(_ text: String) {
        #expect(SuiteRecord(parsing: Array(text.utf8)) == nil)
    }
}
