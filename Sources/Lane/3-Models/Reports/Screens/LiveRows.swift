import Events
import Text

/// The current rows of a live terminal: running steps, test progress, slow tests.
struct LiveRows {
    let style: TextStyle
    let offset: Duration
    let width: Int

    static let longTest = Duration.seconds(1)
    private static let longTestLimit = 5
    private static let stepLimit = 8
    private static let maximumCells = 40
    private static let minimumCells = 8

    private var results: ResultText { ResultText(style: style) }

    /// Returns a row for each running step. `left` returns the estimated remaining time of a step's tests.
    func rows(for run: RunSummary, steps: [StepSummary], left: (StepID) -> Duration?) -> [String] {
        var rows: [String] = []
        for step in steps.prefix(Self.stepLimit) {
            if let tests = run.tests(of: step.id), tests.counts.planned > 0, !tests.isFinished {
                rows.append(testRow(tests, left: left(step.id), since: step.startedAt))
                rows += longTests(tests)
            } else {
                rows.append(stepRow(step))
            }
        }
        if steps.count > Self.stepLimit {
            rows.append(results.faint("  and \(grouped(steps.count - Self.stepLimit, "more step"))"))
        }
        return rows
    }

    private func stepRow(_ step: StepSummary) -> String {
        var parts = ["\(results.begin) \(step.name)"]
        if let progress = step.progress {
            parts.append("\(grouped(progress.finished))/\(grouped(progress.total))")
            parts.append(TerminalText.sanitized(progress.text))
        }
        let time = results.faint("  \((offset - (step.startedAt ?? offset)).rough)")
        let room = width - 1 - TerminalText.columns(time)
        return TerminalText.truncated(parts.joined(separator: "  "), to: room, ellipsis: results.ellipsis) + time
    }

    private func testRow(_ tests: TestSummary, left: Duration?, since: Duration?) -> String {
        let counts = tests.counts
        var words = "\(grouped(counts.ended))/\(grouped(counts.planned))"
        var failed = counts
        (failed.passed, failed.skipped, failed.flaky, failed.knownIssues) = (0, 0, 0, 0)
        let tally = results.tally(failed)
        if !tally.isEmpty { words += "  \(tally)" }
        words += results.faint("  \((offset - (since ?? offset)).rough)")
        if let left, left >= .seconds(1) { words += results.faint("  about \(left.rough) left") }
        let cells = min(Self.maximumCells, width - TerminalText.columns(words) - 4)
        guard cells >= Self.minimumCells else { return words }
        let bar = ProgressBar(finished: counts.ended, inFlight: tests.runningCount, total: counts.planned)
        return self.bar(bar, cells: cells, isGood: counts.unsuccessful == 0) + "  " + words
    }

    private func bar(_ bar: ProgressBar, cells: Int, isGood: Bool) -> String {
        let (finished, inFlight, rest) = bar.tracks(cells: cells)
        func track(_ count: Int, _ unicode: String, _ ascii: String, _ color: TextStyle.Attribute) -> String {
            style.apply(color, to: String(repeating: style.symbol(unicode, orElse: ascii), count: count))
        }
        return track(finished, "█", "#", isGood ? .green : .red) + track(inFlight, "▓", "=", .yellow)
            + track(rest, "░", ".", .gray)
    }

    private func longTests(_ tests: TestSummary) -> [String] {
        let long = tests.running(for: Self.longTest, at: offset)
        var rows = long.prefix(Self.longTestLimit).map { test, since in
            "  \(results.faint(TerminalText.rightAligned((offset - since).rough, to: 7)))  \(TerminalText.sanitized(test.description))"
        }
        if long.count > rows.count { rows.append(results.faint("           and \(long.count - rows.count) more")) }
        return rows
    }
}
