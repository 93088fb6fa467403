package import Events
package import ToolOutput

/// The line coverage of the shards of a run.
struct MergedCoverage {
    private var files: [String: ShardCoverage.File] = [:]
    private var last: ShardCoverage?
    /// The numbers of the shards with coverage.
    private var shards: Set<Int> = []

    /// Adds the counts of a shard to those of the others.
    mutating func add(_ part: ShardCoverage, of shard: Int) {
        for file in part.files {
            files[file.path, default: ShardCoverage.File(path: file.path, counts: [:])].counts
                .merge(file.counts, uniquingKeysWith: Self.sum)
            files[file.path]?.changed.formUnion(file.changed)
        }
        shards.insert(shard)
        last = part
    }

    /// Returns the sums of the counts of the regions on a line. A shard with another build may have other regions.
    private static func sum(_ one: [Int], _ other: [Int]) -> [Int] {
        (0..<max(one.count, other.count)).map { index in
            let sum = (index < one.count ? one[index] : 0).addingReportingOverflow(
                index < other.count ? other[index] : 0)
            return sum.overflow ? .max : sum.partialValue
        }
    }

    /// The coverage of all shards, or `nil` if it was not measured.
    var all: ShardCoverage? {
        last.map { last in
            ShardCoverage(
                files: files.values.sorted { $0.path < $1.path }, threshold: last.threshold,
                changedThreshold: last.changedThreshold, base: last.base)
        }
    }

    /// Returns the reasons why the coverage is not sufficient.
    func shortfalls(of parts: [ShardSurvey]) -> [String] {
        guard let all else { return [] }
        let missing = Set(parts.filter { !$0.planned.isEmpty && !shards.contains($0.index) }.map(\.index))
        var shortfalls = missing.sorted().map { "the coverage of shard \($0) was not measured" }
        if let reason = all.report.shortfall(below: Double(all.threshold ?? 0)) { shortfalls.append(reason) }
        let changed = all.changedReport
        if let reason = changed.shortfall(below: Double(all.changedThreshold ?? 0), of: "changed lines") {
            shortfalls += [reason] + changed.uncoveredRanges
        }
        return shortfalls
    }
}

extension ShardCoverage {
    /// The tables of the files and of the changed lines, as those of a run without shards.
    package var tables: [String] {
        var tables = [["line coverage of each file"] + report.table]
        if let base {
            let changed = changedReport
            tables.append(
                changed.lines == 0
                    ? ["no line with code differs from \(base)"]
                    : ["line coverage of the lines that differ from \(base)"] + changed.tableWithUncovered)
        }
        return tables.map { $0.joined(separator: "\n") }
    }

    /// The line coverage as a report.
    package var report: CoverageReport { report { $0.counts } }

    /// The part of the report that contains only the changed lines.
    package var changedReport: CoverageReport {
        report { file in file.counts.filter { file.changed.contains($0.key) } }
    }

    private func report(_ counts: (File) -> [Int: [Int]]) -> CoverageReport {
        CoverageReport(
            files: files.compactMap { file in
                let lines = counts(file).sorted { $0.key < $1.key }.map { FileCoverage.Line($0.key, regions: $0.value) }
                return lines.isEmpty ? nil : FileCoverage(path: file.path, lines: lines)
            })
    }
}
