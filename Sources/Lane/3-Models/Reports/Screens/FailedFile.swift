import Events
import Text

/// The failed tests of a file by suite, in order.
struct FailedFile {
    let path: String
    /// The tests whose names have a common prefix such as `Suite/`, each with the tests that failed in the same way.
    private(set) var groups: [(start: String, tests: [(TestRecord, [TestRecord])])] = []
    /// The indices of the groups by their prefixes.
    private var groupIndices: [String: Int] = [:]
    /// The indices of the tests in each group with an outcome but no text, one for each outcome.
    private var unexplained: [[Int]] = []

    private init(path: String) {
        self.path = path
    }

    static func files(of failed: [TestRecord]) -> [FailedFile] {
        var files: [FailedFile] = []
        var places: [String: Int] = [:]
        let paths = pathsOfSuites(failed)
        for (test, others) in FailureGroups.groups(of: failed) {
            let path = test.location?.path ?? paths[SuiteID(test.id)] ?? ""
            let place = places[path] ?? files.count
            if place == files.count {
                places[path] = place
                files.append(FailedFile(path: path))
            }
            files[place].add(test, others)
        }
        return files
    }

    /// Returns the path of each suite whose located failures are in one file, for those without a location.
    private static func pathsOfSuites(_ failed: [TestRecord]) -> [SuiteID: String] {
        var paths: [SuiteID: Set<String>] = [:]
        for test in failed {
            if let path = test.location?.path { paths[SuiteID(test.id), default: []].insert(path) }
        }
        return paths.compactMapValues { $0.count == 1 ? $0.first : nil }
    }

    private mutating func add(_ test: TestRecord, _ others: [TestRecord]) {
        let start = start(of: test.id)
        let group = groupIndices[start] ?? groups.count
        if group == groups.count {
            groupIndices[start] = group
            groups.append((start, []))
            unexplained.append([])
        }
        if Self.isUnexplained(test) {
            let tests = groups[group].tests
            if let same = unexplained[group].first(where: { tests[$0].0.outcome == test.outcome }) {
                groups[group].tests[same].1.append(test)
                return
            }
            unexplained[group].append(tests.count)
        }
        groups[group].tests.append((test, others))
    }

    /// Returns a Boolean value that indicates whether a test has an outcome but no text.
    private static func isUnexplained(_ test: TestRecord) -> Bool {
        guard let attempt = test.attempts.last else { return false }
        return test.location == nil && attempt.failures.isEmpty && attempt.output == nil
    }

    /// Returns the prefix of a test's name before the function, such as `Module.Suite/`, without the parts that the path
    /// contains.
    private func start(of test: TestID) -> String {
        let parts = path.split(separator: "/")
        guard let file = parts.last else {
            return TerminalText.onOneLine(String(test.description.dropLast(test.name.count)))
        }
        let module = parts.dropLast().contains { $0 == test.module } ? "" : test.module
        let suite = file == "\(test.suite).swift" ? "" : test.suite
        return TerminalText.onOneLine((module.isEmpty ? "" : module + ".") + (suite.isEmpty ? "" : suite + "/"))
    }
}
