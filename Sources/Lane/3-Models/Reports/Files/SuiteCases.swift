import Events

/// The tests of a suite in the order in which they became known.
struct SuiteCases {
    enum Case {
        case record(TestRecord)
        /// A test without a record.
        case passed(PassedTests.Test)
    }

    let suite: SuiteID
    let cases: [(order: Int, test: Case)]
    /// The path of the first test with a location.
    let file: String?

    init(_ suite: SuiteID, _ records: [TestRecord], _ passedTests: PassedTests) {
        self.suite = suite
        // A test that ran again after it passed keeps its position, and the last run counts.
        var cases: [String: (order: Int, test: Case)] = [:]
        for index in 0..<passedTests.count(of: suite) {
            guard let test = passedTests.test(index, of: suite) else { continue }
            cases[test.name] = (min(test.order, cases[test.name]?.order ?? .max), .passed(test))
        }
        for test in records {
            cases[test.id.name] = (min(test.order, cases[test.id.name]?.order ?? .max), .record(test))
        }
        self.cases = cases.values.sorted { $0.order < $1.order }
        let first = records.lazy.compactMap { test in test.info.location.map { (order: test.order, path: $0.path) } }
        file = [first.first, passedTests.firstFile(of: suite)].compactMap(\.self).min { $0.order < $1.order }?.path
    }
}
