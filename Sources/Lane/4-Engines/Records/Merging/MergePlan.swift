import Events
import Text

/// The files of a run in the order of their shards, and the errors of the run as a whole.
struct MergePlan {
    /// The files to merge. A shard that ran again has several, the earliest first.
    let parts: [ShardSurvey]
    /// The failures outside any test: shards without a report, and tests outside any shard.
    let findings: [String]

    init(_ surveys: [ShardSurvey]) throws(MergeError) {
        try Self.requireOneRun(surveys)
        // A run that ended before it listed its tests belongs to a shard that is missing.
        let isDivided = surveys.contains { $0.shard != nil }
        let unlisted = surveys.filter { isDivided && $0.shard == nil }
        var findings = unlisted.map { survey in
            "'\(survey.file.path)' has no tests: its run ended "
                + (survey.end.map { "with exit status \($0.status)" } ?? "without a result")
        }
        let byIndex = Dictionary(grouping: surveys.filter { !isDivided || $0.shard != nil }, by: \.index)
        var parts: [ShardSurvey] = []
        for (index, files) in byIndex.sorted(by: { $0.key < $1.key }) {
            let sorted = files.sorted { ($0.startedAt, $0.file.path) < ($1.startedAt, $1.file.path) }
            let complete = sorted.filter(\.isComplete)
            // A run whose machine was lost counts only if the shard did not run again.
            parts += complete.isEmpty ? sorted.suffix(1) : complete
            if complete.isEmpty {
                findings.append(
                    "\(Self.name(index, of: files[0].shard?.count)) ended without a result: its machine was lost")
            }
        }
        self.parts = parts
        self.findings = findings + Self.incompleteness(of: parts, byIndex.keys.sorted())
    }

    private static func requireOneRun(_ surveys: [ShardSurvey]) throws(MergeError) {
        let whole = surveys.filter { $0.shard == nil && !$0.planned.isEmpty }
        if whole.count > 1 || whole.count == 1 && surveys.contains(where: { $0.shard != nil }) {
            throw .notSharded(whole.map(\.file.path))
        }
        guard let first = surveys.first(where: { $0.shard != nil }), let count = first.shard?.count else { return }
        for survey in surveys {
            guard let other = survey.shard?.count, other != count else { continue }
            throw .differentCounts(first.file.path, count, survey.file.path, other)
        }
    }

    private static func incompleteness(of parts: [ShardSurvey], _ reported: [Int]) -> [String] {
        guard let first = parts.first(where: { $0.shard != nil }), let shard = first.shard else { return [] }
        var findings: [String] = []
        for part in parts where part.shard.map({ $0.digest != shard.digest }) ?? false {
            findings.append(
                "shard \(part.index) divided other tests than shard \(first.index): \(part.shard?.total ?? 0) "
                    + "instead of \(shard.total)")
        }
        let missing = (1...max(1, shard.count)).filter { !reported.contains($0) }
        findings += missing.map { "\(name($0, of: shard.count)) has not reported" }
        var seen: Set<UInt64> = []
        var twice = 0
        for (index, files) in Dictionary(grouping: parts, by: \.index) where index > 0 {
            let tests = files.reduce(into: Set<UInt64>()) { $0.formUnion($1.planned) }
            twice += tests.count { !seen.insert($0).inserted }
        }
        if twice > 0 {
            findings.append("\(count(twice, "test")) ran in more than one shard: \(sameTimes)")
        }
        let others = shard.total - seen.count
        if others > 0 {
            let amount = "\(others) of \(count(shard.total, "test"))"
            findings.append(
                missing.isEmpty ? "\(amount) in no shard: \(sameTimes)" : "\(amount) without a result in missing shards"
            )
        }
        return findings
    }

    private static let sameTimes = "all shards need the same recorded times"

    private static func name(_ index: Int, of count: Int?) -> String {
        count.map { "shard \(index) of \($0)" } ?? "the run"
    }
}
