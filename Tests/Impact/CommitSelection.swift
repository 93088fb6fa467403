import ChangeImpact
import Files
import JSON
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
    ///   - manifest: The description of the manifest by `swift package`.
    ///   - record: The file with the record of the commit before. The file `manifest` beside it describes its manifest.
    ///   - old: The directory with the recorded versions of the changed files.
    ///   - tests: The file with the IDs of all tests.
    init(
        _ impact: ChangeImpact, package: String, manifest: JSONNode, record: String, old: String, tests: String
    ) throws {
        var paths: [String] = []
        while let line = readLine() { paths.append(line) }
        let manifests = paths.filter(impact.isManifest)
        let texts = manifests.flatMap { [try? readFile("\(old)/\($0)"), try? readFile("\(package)/\($0)")] }
        let before = (try? readFile("\(parentDirectory(record))/manifest")).flatMap { try? JSONParser.parse($0) }
        let change =
            texts.compactMap(\.self).contains(where: ManifestChange.mayReadFiles)
            ? nil : before.map { ManifestChange(from: manifests.isEmpty ? manifest : $0, to: manifest) }
        var decision = impact.decision(for: paths, manifest: change)
        if let bytes = try? readFile(record), let record = SuiteRecord(parsing: bytes) {
            var versions: [String: RecordedChanges.Versions] = [:]
            for path in paths {
                let isSwift = path.hasSuffix(".swift")
                versions[path] = .init(
                    old: isSwift ? try? readFile("\(old)/\(path)") : nil,
                    new: isSwift ? try? readFile("\(package)/\(path)") : nil)
            }
            decision = impact.refined(decision, by: RecordedChanges(record: record, files: versions, manifest: change))
        }
        reasons = [decision.summary(since: "the record")] + decision.explanation
        let (modules, unaffected) = (decision.modules, decision.unaffected)
        self.tests = try readText(tests).split(separator: "\n").map(String.init).filter { test in
            let isConcerned = modules?.contains { test.hasPrefix("\($0).") } ?? true
            return isConcerned && !unaffected.contains(test)
        }
    }
}
