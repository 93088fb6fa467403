import Coverage
import LaneEvents

extension ShardCoverage {
    /// Creates the coverage of a shard from its report.
    ///
    /// - Parameters:
    ///   - threshold: The minimum percentage of covered lines in all shards.
    ///   - changed: The changed lines, if their coverage is measured.
    init(_ report: CoverageReport, threshold: Int?, changed: ChangedCoverage?) {
        let lines = Dictionary(
            uniqueKeysWithValues: (changed?.report(in: report).files ?? []).map { ($0.path, $0.lines.map(\.number)) })
        self.init(
            files: report.files.map { file in
                let counts = file.lines.map { ($0.number, $0.regions) }
                return File(
                    path: file.path, counts: Dictionary(uniqueKeysWithValues: counts),
                    changed: Set(lines[file.path] ?? []))
            },
            threshold: threshold, changedThreshold: changed?.threshold, base: changed?.base)
    }
}
