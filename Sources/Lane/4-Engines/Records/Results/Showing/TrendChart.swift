import Reports

/// A chart of a test's last trials: a bar for each trial, and a line of the durations above the bars.
struct TrendChart {
    private static let width = 240.0
    private static let lineHeight = 16.0
    private static let barTop = 20.0
    private static let barHeight = 8.0
    /// The number of trials for which bars are at least two units wide.
    private static let limit = 120

    private let test: TestAssessment
    private let history: HistoryAssessment

    init(_ test: TestAssessment, in history: HistoryAssessment) {
        self.test = test
        self.history = history
    }

    var svg: String {
        let trials = test.series.trials.suffix(Self.limit)
        let step = Self.width / Double(max(trials.count, 1))
        let bars = trials.enumerated().map { index, trial in
            let kind = trial.failed == 0 ? "passed" : trial.passed == 0 ? "failed" : "flaky"
            let run = history.runs[trial.run]
            let title = [HistoryWords.point(run), kind, trial.microseconds.map(HistoryWords.time)].compactMap { $0 }
            return """
                <rect class="\(kind)" x="\(Self.text(Double(index) * step))" y="\(Self.text(Self.barTop))" \
                width="\(Self.text(max(step - 0.5, 0.5)))" height="\(Self.text(Self.barHeight))">\
                <title>\(HTML.escaped(title.joined(separator: ", ")))</title></rect>
                """
        }
        return """
            <svg viewBox="0 0 \(Self.text(Self.width)) 28" preserveAspectRatio="none" role="img" \
            aria-label="the last \(trials.count) runs">\(bars.joined())\(line(trials, step))</svg>
            """
    }

    /// The line of the durations, from 0 at the bottom to the longest at the top.
    private func line(_ trials: ArraySlice<TestSeries.Trial>, _ step: Double) -> String {
        guard let longest = trials.compactMap(\.microseconds).max(), longest > 0 else { return "" }
        let points = trials.enumerated().compactMap { index, trial in
            trial.microseconds.map { time in
                let height = Self.lineHeight * (1 - Double(time) / Double(longest))
                return "\(Self.text((Double(index) + 0.5) * step)) \(Self.text(height + 1))"
            }
        }
        return points.count < 2 ? "" : "<path d=\"M\(points.joined(separator: "L"))\"/>"
    }

    /// Returns a number with at most one decimal.
    private static func text(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
