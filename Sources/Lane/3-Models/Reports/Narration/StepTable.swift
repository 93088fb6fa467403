import Events
import Text

/// A table of all steps with status and time.
struct StepTable {
    /// The maximum number of up-to-date steps with a row each. A larger number shares one row.
    private static let maximumUpToDateRows = 20
    /// The maximum number of consecutive steps skipped for the same reason with a row each. A larger number shares one
    /// row.
    private static let maximumSkippedRows = 5
    /// The maximum length of a name in columns. A name can be a whole script.
    static let maximumNameWidth = 60

    let results: ResultText
    /// A Boolean value that indicates whether each step has a row, regardless of their number.
    var isWhole = true

    func lines(for run: RunSummary) -> [String] {
        // The table would repeat the output of a single step, unless the step did not run.
        guard run.steps.count > 1 || run.steps.first.map(hasNotRun) == true else { return [] }
        let upToDate = run.steps.count(where: isUpToDate)
        guard !isWhole, upToDate > Self.maximumUpToDateRows else { return lines(for: run.steps) }
        let others = run.steps.filter { !isUpToDate($0) }
        return lines(for: others) + ["  \(results.pass) \(grouped(upToDate)) steps up to date"]
    }

    private func hasNotRun(_ step: StepSummary) -> Bool {
        switch step.end?.outcome {
        case .upToDate, .skipped: true
        default: false
        }
    }

    private func isUpToDate(_ step: StepSummary) -> Bool {
        if case .upToDate = step.end?.outcome { true } else { false }
    }

    private func lines(for steps: [StepSummary]) -> [String] {
        let rows = rows(for: steps)
        let columns = rows.map { TerminalText.columns($0.name) }
        let names = columns.max() ?? 0
        let timeColumns = rows.map { TerminalText.columns($0.time) }.max() ?? 0
        var lines = [results.heading("Steps")]
        lines.reserveCapacity(1 + rows.count)
        for index in rows.indices {
            let (symbol, remark) = (rows[index].symbol, rows[index].remark)
            // Rows are built from bytes for speed, because there may be many.
            var line: [UInt8] = []
            line.reserveCapacity(names + timeColumns + 48)
            line += "  ".utf8
            line += symbol.utf8
            line += " ".utf8
            line += rows[index].name.utf8
            line += repeatElement(UInt8(ascii: " "), count: 2 + names - columns[index])
            line += results.faint(TerminalText.rightAligned(rows[index].time, to: timeColumns)).utf8
            if !remark.isEmpty {
                line += "  ".utf8
                line += remark.utf8
            }
            lines.append(String(decoding: line, as: UTF8.self))
        }
        return lines
    }

    private struct Row {
        let name: String
        let symbol: String
        let time: String
        let remark: String
    }

    /// Returns a row for each step. Consecutive steps skipped for the same reason share a row if they are many.
    private func rows(for steps: [StepSummary]) -> [Row] {
        var rows: [Row] = []
        rows.reserveCapacity(steps.count)
        var index = 0
        while index < steps.count {
            let alike = isWhole ? 1 : countOfAlike(from: index, in: steps)
            let (symbol, remark) = status(of: steps[index])
            if alike > Self.maximumSkippedRows {
                rows.append(Row(name: grouped(alike, "step"), symbol: symbol, time: "-", remark: remark))
                index += alike
                continue
            }
            for step in steps[index..<index + alike] {
                let name = TerminalText.truncated(step.name, to: Self.maximumNameWidth, ellipsis: results.ellipsis)
                rows.append(Row(name: name, symbol: symbol, time: time(of: step), remark: remark))
            }
            index += alike
        }
        return rows
    }

    /// Returns the number of consecutive steps skipped for the same reason, or 1 if the step was not skipped.
    private func countOfAlike(from start: Int, in steps: [StepSummary]) -> Int {
        guard case .skipped(let reason)? = steps[start].end?.outcome else { return 1 }
        let alike = steps[start...].prefix { step in
            if case .skipped(reason)? = step.end?.outcome { true } else { false }
        }
        return alike.count
    }

    func time(of step: StepSummary) -> String {
        switch step.end?.outcome {
        case .skipped, .upToDate, nil: "-"
        default: step.end?.duration.text ?? "-"
        }
    }

    func status(of step: StepSummary) -> (symbol: String, remark: String) {
        let attempts = step.attempts > 1 ? "on attempt \(step.attempts)" : ""
        let forgiven = step.end?.isForgiven == true ? " (forgiven)" : ""
        switch step.end?.outcome {
        case .passed: return (results.pass, attempts)
        case .upToDate: return (results.pass, "up to date")
        case .skipped(let reason): return (results.skip, "skipped: \(reason)")
        case .cancelled: return (results.skip, "cancelled")
        case .timedOut(let limit): return (results.fail, "timed out after \(limit.text)\(forgiven)")
        case .failed(let status, _): return (results.fail, "failed with exit status \(status)\(forgiven)")
        case nil: return (results.skip, step.start == nil ? "not started" : "not finished")
        }
    }
}
