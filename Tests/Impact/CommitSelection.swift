import ChangeImpact
import Files
import SuiteCoverage

/// The tests that are selected for a commit.
struct CommitSelection {
    /// The IDs of the selected tests.
    let tests: [String]
    /// The lines with the reasons.
    let reasons: [String]

    /// Reads the files that changed since the recorded commit from standard input.
    ///
    /// - Parameters:
    ///   - record: The file with the record of the commit before.
    ///   - old: The directory with the recorded versions of the changed files.
    ///   - tests: The file with the IDs of all tests.
    init(_ impact: ChangeImpact, package: String, record: String, old: String, tests: String) throws {
        var paths: [String] = []
        while let line = readLine() { paths.append(line) }
        var decision = impact.decision(for: paths)
        if let bytes = try? readFile(record), let record = SuiteRecord(parsing: bytes) {
            var versions: [String: RecordedChanges.Versions] = [:]
            for path in paths {
                let isSwift = path.hasSuffix(".swift")
                versions[path] = .init(
                    old: isSwift ? try? readFile("\(old)/\(path)") : nil,
                    new: isSwift ? try? readFile("\(package)/\(path)") : nil)
            }
            decision = impact.refined(decision, by: RecordedChanges(record: record, files: versions))
        }
        reasons = [decision.summary(since: "the record")] + decision.explanation
        let (modules, unaffected) = (decision.modules, decision.unaffected)
        self.tests = try readText(tests).split(separator: "\n").map(String.init).filter { test in
            let isConcerned = modules?.contains { test.hasPrefix("\($0).") } ?? true
            return isConcerned && !unaffected.contains(test)
        }
    }
}
