import Expressions
import LaneRun

/// The measurements of all programs of a step, and their comparison.
struct BenchmarkResults: Sendable {
    let measure: Measure
    /// The names of the programs: the base, if there is one, the package, and its peers.
    let names: [String]
    /// The measurements of each program in the order of the rounds.
    let values: [[Double]]
    let hasBase: Bool
    /// The acceptable change from the base in percent.
    let threshold: Int
    let limits: [BenchmarkLimit]

    /// The text of a comparison, and its result.
    struct Report: Sendable {
        var lines: [String] = []
        var warnings: [String] = []
        var failures: [String] = []
        var outputs: [String: Value] = [:]
    }

    private var own: Int { hasBase ? 1 : 0 }

    /// Returns the report. Throws if there are no measurements, or if a program took nothing.
    func report() throws(StepFailure) -> Report {
        var report = Report()
        for (index, name) in names.enumerated() {
            guard let summary = MedianInterval(of: values[index]) else { throw .refused(["there are no runs"]) }
            let limits = index == own ? limits.filter { $0.reference == .quantity(measure.unit) } : []
            report.lines.append(BenchmarkText.line(name, summary, measure, limits: limits))
            guard index == own else { continue }
            let unit = measure.unit == .seconds ? 1e6 : 1
            report.outputs["median"] = .integer(Int((summary.median * unit).rounded()))
            for limit in limits {
                judge(summary, limit, "the median of \(BenchmarkText.text(summary.median, measure))", in: &report)
            }
        }
        if hasBase { try addChange(to: &report) }
        for peer in names.indices.dropFirst(own + 1) { try addRatio(to: peer, to: &report) }
        return report
    }

    private func comparison(with index: Int) throws(StepFailure) -> BenchmarkComparison {
        guard let comparison = BenchmarkComparison(values[own], base: values[index]) else {
            throw StepFailure("\(names[index]) took nothing, so there is nothing to compare with")
        }
        return comparison
    }

    /// Adds the change from the base.
    private func addChange(to report: inout Report) throws(StepFailure) {
        let comparison = try comparison(with: 0)
        report.lines.append(BenchmarkText.line(comparison, threshold: threshold))
        report.outputs["change"] = .integer(Int(comparison.percent.rounded()))
        let limit = "the threshold of \(threshold) %"
        switch comparison.verdict(threshold: Double(threshold)) {
        case .slower:
            let change = BenchmarkText.percent(comparison.percent)
            report.failures.append("the change of \(change) from \(names[0]) is above \(limit)")
        case .unclear: report.warnings.append(BenchmarkText.unclear(limit))
        case .acceptable: break
        }
    }

    /// Adds the ratio to another program.
    private func addRatio(to peer: Int, to report: inout Report) throws(StepFailure) {
        let ratio = try comparison(with: peer).ratio
        let limits = limits.filter { $0.reference == .peer(names[peer]) }
        report.lines.append(BenchmarkText.line(ratio, to: names[peer], limits: limits))
        for limit in limits { judge(ratio, limit, "\(BenchmarkText.ratio(ratio.median)) \(names[peer])", in: &report) }
    }

    /// Adds a failure if a whole interval is above a limit, or a warning if it contains the limit.
    private func judge(_ summary: MedianInterval, _ limit: BenchmarkLimit, _ median: String, in report: inout Report) {
        if summary.interval.lowerBound > limit.maximum {
            report.failures.append("\(median) is above the limit of \(limit.text)")
        } else if summary.interval.upperBound > limit.maximum {
            report.warnings.append(BenchmarkText.unclear("the limit of \(limit.text)"))
        }
    }
}
