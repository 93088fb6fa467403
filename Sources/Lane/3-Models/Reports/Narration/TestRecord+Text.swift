import Events
import Text

extension TestRecord.Attempt {
    /// The result of an attempt that did not end by an assertion, without the duration.
    var abruptEnding: String? {
        switch outcome {
        case .crashed(let how): "crashed with \(how)"
        case .timedOut(let limit): "timed out after \(limit.text)"
        case .notRun(let reason): "not run: \(reason)"
        default: nil
        }
    }

    /// The text of the first issue. The result precedes it if the attempt did not end by an assertion.
    var message: String {
        let text = failures.first.map { TerminalText.sanitized($0.text) }
        guard let abruptEnding else { return text ?? "failed without a recorded issue" }
        return text.map { "\(abruptEnding): \($0)" } ?? abruptEnding
    }

    /// The issues with their locations in the format of compilers.
    var details: String {
        var lines = failures.map { issue in
            let place = issue.location.map { "\($0.text): " } ?? ""
            let argument = issue.argument.map { "with \($0): " } ?? ""
            return TerminalText.sanitized(place + argument + issue.text)
        }
        if let abruptEnding { lines.append(abruptEnding) }
        let omitted = issueCount - issues.count
        if omitted > 0 { lines.append("and \(grouped(omitted, "more issue"))") }
        return lines.joined(separator: "\n")
    }
}

extension TestResult.Outcome {
    /// The outcome in one or two words.
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
