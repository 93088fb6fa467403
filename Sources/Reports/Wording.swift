import Diagnostics
import LaneEvents

/// The words and symbols that all screens share.
struct Wording {
    let style: TextStyle

    var pass: String { style.apply(.green, to: style.symbol("✔", orElse: "+")) }
    var fail: String { style.apply(.red, to: style.symbol("✘", orElse: "x")) }
    var skip: String { style.apply(.grey, to: style.symbol("○", orElse: "-")) }
    var warn: String { style.apply(.yellow, to: style.symbol("▲", orElse: "!")) }
    var retry: String { style.apply(.yellow, to: style.symbol("↻", orElse: "~")) }
    var begin: String { style.apply(.blue, .bold, to: style.symbol("▸", orElse: ">")) }
    var margin: String { style.apply(.grey, to: style.symbol("│", orElse: "|")) }
    var ellipsis: String { style.symbol("…", orElse: "...") }

    func heading(_ text: String) -> String { style.apply(.bold, to: text) }

    func faint(_ text: String) -> String { style.apply(.grey, to: text) }

    /// `24 passed (1 flaky), 1 failed, 2 skipped`, leaving out what is zero.
    func tally(_ counts: TestCounts) -> String {
        let flaky = counts.flaky > 0 ? " (\(grouped(counts.flaky)) flaky)" : ""
        let parts: [(Int, String, TextStyle.Attribute)] = [
            (counts.passed, "passed" + flaky, .green), (counts.failed, "failed", .red),
            (counts.crashed, "crashed", .red),
            (counts.timedOut, "timed out", .red), (counts.notRun, "not run", .red), (counts.skipped, "skipped", .grey),
        ]
        let words = parts.filter { $0.0 > 0 }.map { style.apply($0.2, to: "\(grouped($0.0)) \($0.1)") }
        return words.joined(separator: ", ")
    }

    /// What became of a test: `failed after 0.012 s`, `crashed: signal 4 (SIGILL)`.
    func ending(_ outcome: TestResult.Outcome?, _ duration: Duration?) -> String {
        let time = duration.map { $0.milliseconds > 0 ? " after \($0.text)" : "" } ?? ""
        return switch outcome {
        case .passed: "passed\(time)"
        case .failed: "failed\(time)"
        case .skipped(let reason): "skipped" + (reason.map { ": \(TerminalText.harmless($0))" } ?? "")
        case .crashed(let how): "crashed\(time): \(how)"
        case .timedOut(let limit): "timed out after \(limit.text)"
        case .notRun(let reason): "not run: \(reason)"
        case nil: "is running"
        }
    }

    /// The test's id, with the author's name for it where there is one.
    func name(_ info: TestInfo) -> String {
        let id = Self.onOneLine(info.id.description)
        return info.displayName.map { "\(id) \"\(Self.onOneLine($0))\"" } ?? id
    }

    private static func onOneLine(_ name: String) -> String {
        let name = TerminalText.harmless(name)
        guard name.utf8.contains(UInt8(ascii: "\n")) else { return name }
        return name.split(separator: "\n").joined(separator: " ")
    }
}

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
        if untold > 0 { lines.append("and \(grouped(untold)) more issues") }
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
