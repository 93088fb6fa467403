package import LaneEvents

/// The distribution of tests to processes whose coverage is recorded.
///
/// A process runs one test, or all tests of a class or an outermost suite. The largest suites are split into their tests
/// as long as the number of processes stays below a maximum.
package enum RecordingPlan {
    /// The number of processes up to which suites are split.
    static let maximumProcesses = 500

    /// Returns the key of each test. Tests with the same key run in one process.
    package static func keys(of tests: [TestInfo]) -> [SuiteRecorder.Key] { keys(of: tests, maximum: maximumProcesses) }

    static func keys(of tests: [TestInfo], maximum: Int) -> [SuiteRecorder.Key] {
        let suites = tests.map(suite)
        let sizes = suites.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        var left = maximum - sizes.count
        var split: Set<SuiteRecorder.Key> = []
        let largest = sizes.sorted { ($1.value, $0.key.module, $0.key.suite) < ($0.value, $1.key.module, $1.key.suite) }
        for (suite, size) in largest where size > 1 && size - 1 <= left {
            left -= size - 1
            split.insert(suite)
        }
        return zip(tests, suites).map { test, suite in
            guard split.contains(suite) else { return suite }
            let inner = test.id.suite.drop { $0 != "/" }.dropFirst()
            let name = inner.isEmpty ? test.id.name : "\(inner)/\(test.id.name)"
            return SuiteRecorder.Key(module: suite.module, suite: suite.suite, test: name)
        }
    }

    /// Returns the key of the class, the outermost suite, or the file of a free function.
    private static func suite(of test: TestInfo) -> SuiteRecorder.Key {
        let outermost = test.id.suite.prefix { $0 != "/" }
        return SuiteRecorder.Key(
            module: test.id.module, suite: outermost.isEmpty ? test.location?.path ?? "" : String(outermost))
    }
}
