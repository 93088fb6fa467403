import Diagnostics
import LaneEvents

extension TestRecord.Attempt {
    /// How it ended where no assertion ended it, for reports that have a field of their own for the time.
    var abruptEnding: String? {
        switch outcome {
        case .crashed(let how): "crashed with \(how)"
        case .timedOut(let limit): "timed out after \(limit.text)"
        case .notRun(let reason): "not run: \(reason)"
        default: nil
        }
    }

    /// The text of the first issue, whole, after how the test ended where no assertion ended it.
    var message: String {
        let text = failures.first.map { TerminalText.harmless($0.text) }
        guard let abruptEnding else { return text ?? "failed without a recorded issue" }
        return text.map { "\(abruptEnding): \($0)" } ?? abruptEnding
    }

    /// Every issue with its place, as a compiler would say it.
    var details: String {
        var lines = failures.map { issue in
            let place = issue.location.map { "\($0.text): " } ?? ""
            let argument = issue.argument.map { "with \($0): " } ?? ""
            return TerminalText.harmless(place + argument + issue.text)
        }
        if let abruptEnding { lines.append(abruptEnding) }
        let untold = issueCount - issues.count
        if untold > 0 { lines.append("and \(grouped(untold, "more issue"))") }
        return lines.joined(separator: "\n")
    }
}

extension TestResult.Outcome {
    /// One word, or two.
    var word: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .skipped: "skipped"
        case .crashed: "crashed"
        case .timedOut: "timed out"
        case .notRun: "not run"
        }
    }
}
