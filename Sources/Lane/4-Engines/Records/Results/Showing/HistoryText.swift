import Events
package import Text

/// A part of the assessment of a history.
package enum HistoryPart: Sendable {
    case flaky, broken
}

/// The assessment of a history as tables of text.
package struct HistoryText {
    private let history: HistoryAssessment
    private let style: TextStyle

    package init(_ history: HistoryAssessment, style: TextStyle) {
        self.history = history
        self.style = style
    }

    /// Returns a line about the whole history, and the tables of the parts that are not empty.
    package func text(_ parts: [HistoryPart]) -> String {
        let tables = parts.map(table).filter { !$0.isEmpty }
        return ([overview] + (tables.isEmpty ? [quiet(parts)] : tables)).joined(separator: "\n")
    }

    private var overview: String {
        let first = history.runs.first.map { Instant(secondsSince1970: $0.startedAt).date.description } ?? ""
        return "\(count(history.tests.count, "test")) in \(count(history.runs.count, "run")) since \(first)\n"
    }

    private func quiet(_ parts: [HistoryPart]) -> String {
        parts.count == 1 ? "no test is flaky\n" : "no test is flaky or fails\n"
    }

    private func table(_ part: HistoryPart) -> String {
        switch part {
        case .flaky:
            table("flaky", ["rate", "95% interval", "failed", "since", "test"], history.flaky.map(flaky))
        case .broken: table("fails", ["since", "runs", "test"], history.broken.map(broken))
        }
    }

    private func flaky(_ test: TestAssessment) -> [String] {
        let rate = test.flakiness.rate
        return [
            HistoryWords.percent(rate.value), HistoryWords.interval(rate), "\(rate.failed)/\(rate.attempts)",
            test.flakiness.failures.map { since($0.lowerBound, of: test) } ?? "", test.test.description,
        ]
    }

    private func broken(_ test: TestAssessment) -> [String] {
        let broken = test.flakiness.broken
        return [since(broken.lowerBound, of: test), "\(broken.count)", test.test.description]
    }

    private func since(_ trial: Int, of test: TestAssessment) -> String {
        HistoryWords.point(history.run(trial, of: test))
    }

    /// Returns a title and rows with aligned columns: numbers to the right, other columns to the left.
    private func table(_ title: String, _ heads: [String], _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "" }
        let widths = heads.indices.map { column in
            ([heads] + rows).map { TerminalText.columns($0[column]) }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            let padded = cells.enumerated().map { column, cell in
                if column == cells.count - 1 { return cell }
                return heads[column] == "since"
                    ? TerminalText.padded(cell, to: widths[column])
                    : TerminalText.rightAligned(cell, to: widths[column])
            }
            return "  " + padded.joined(separator: "  ") + "\n"
        }
        return style.apply(.bold, to: "\(title) (\(rows.count))") + "\n" + style.apply(.faint, to: line(heads))
            + rows.map(line).joined()
    }
}

/// The wording of numbers and points in time.
private enum HistoryWords {
    /// Returns a share with one decimal, such as `4.2 %`.
    static func percent(_ share: Double) -> String {
        let tenths = Int((share * 1000).rounded())
        return "\(tenths / 10).\(tenths % 10) %"
    }

    /// Returns the interval of a rate, such as `1.6–8.4 %`.
    static func interval(_ rate: FailureRate) -> String {
        let interval = rate.interval
        return "\(percent(interval.lowerBound).dropLast(2))–\(percent(interval.upperBound))"
    }

    /// Returns the commit and the date of a run, such as `9f3c21ab 2026-11-21`.
    static func point(_ run: TestRunResults) -> String {
        let date = Instant(secondsSince1970: run.startedAt).date.description
        return run.origin.commit.map { "\($0.prefix(8))\(run.origin.isModified ? "+" : "") \(date)" } ?? date
    }
}
