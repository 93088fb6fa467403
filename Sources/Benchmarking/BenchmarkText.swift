/// The notation of measurements and changes.
enum BenchmarkText {
    /// Returns a number of seconds, instructions or bytes with a unit, such as `12.34 ms` or `1,234.5 M instructions`.
    static func text(_ value: Double, _ measure: Measure) -> String {
        switch measure.unit {
        case .seconds:
            if value >= 1 { return "\(decimal(value, 3)) s" }
            return value >= 1e-3 ? "\(decimal(value * 1e3, 2)) ms" : "\(decimal(value * 1e6, 1)) µs"
        case .instructions:
            if value >= 1e9 { return "\(decimal(value / 1e6, 1)) M instructions" }
            return value >= 1e6 ? "\(decimal(value / 1e6, 3)) M instructions" : "\(Int(value)) instructions"
        case .bytes: return "\(decimal(value / 1_048_576, 2)) MiB"
        }
    }

    /// Returns the line for the measurements of a package.
    static func line(
        _ name: String, _ summary: MedianInterval, _ measure: Measure, limits: [BenchmarkLimit] = []
    ) -> String {
        "\(name): median \(text(summary.median, measure)), \(level(summary)) interval "
            + "\(text(summary.interval.lowerBound, measure)) to \(text(summary.interval.upperBound, measure)), "
            + "\(summary.count) runs" + text(limits)
    }

    /// Returns the line for a comparison, such as `change: +3.2 %, 97.9 % interval +2.1 % to +4.4 %, threshold 5 %`.
    static func line(_ comparison: BenchmarkComparison, threshold: Int) -> String {
        "change: \(percent(comparison.percent)), \(level(comparison.ratio)) interval "
            + "\(percent(comparison.interval.lowerBound)) to \(percent(comparison.interval.upperBound)), "
            + "threshold \(threshold) %"
    }

    /// Returns the line for a comparison with another program, such as `0.52 x just, 97.9 % interval 0.51 x to 0.53 x`.
    static func line(_ ratio: MedianInterval, to name: String, limits: [BenchmarkLimit]) -> String {
        "\(self.ratio(ratio.median)) \(name), \(level(ratio)) interval \(self.ratio(ratio.interval.lowerBound)) to "
            + self.ratio(ratio.interval.upperBound) + text(limits)
    }

    private static func text(_ limits: [BenchmarkLimit]) -> String { limits.map { ", at most \($0.text)" }.joined() }

    /// Returns the warning that chance can decide.
    static func unclear(_ limit: String) -> String { "the interval contains \(limit); more 'runs' could decide" }

    /// Returns a ratio, such as `0.52 x`.
    static func ratio(_ value: Double) -> String { "\(decimal(value, value < 0.1 ? 4 : 2)) x" }

    /// Returns a change with its sign.
    static func percent(_ value: Double) -> String { "\(value < 0 ? "-" : "+")\(decimal(abs(value), 2)) %" }

    private static func level(_ summary: MedianInterval) -> String { "\(decimal(summary.level * 100, 1)) %" }

    /// Returns a number that is not negative with a number of decimals.
    private static func decimal(_ value: Double, _ digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = String(Int64((value * scale).rounded()))
        guard digits > 0 else { return scaled }
        let padded = String(repeating: "0", count: max(0, digits + 1 - scaled.utf8.count)) + scaled
        return "\(padded.dropLast(digits)).\(padded.suffix(digits))"
    }
}
