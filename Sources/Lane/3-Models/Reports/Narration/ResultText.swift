import Events
import Text

/// The words and symbols of terminals and logs.
struct ResultText {
    let style: TextStyle

    var pass: String { style.apply(.green, to: style.symbol("✔", orElse: "+")) }
    var fail: String { style.apply(.red, to: style.symbol("✘", orElse: "x")) }
    var skip: String { style.apply(.gray, to: style.symbol("○", orElse: "-")) }
    var warn: String { style.apply(.yellow, to: style.symbol("▲", orElse: "!")) }
    var retry: String { style.apply(.yellow, to: style.symbol("↻", orElse: "~")) }
    var begin: String { style.apply(.blue, .bold, to: style.symbol("▸", orElse: ">")) }
    var margin: String { style.apply(.gray, to: style.symbol("│", orElse: "|")) }
    var ellipsis: String { style.symbol("…", orElse: "...") }

    func heading(_ text: String) -> String { style.apply(.bold, to: text) }

    func faint(_ text: String) -> String { style.apply(.gray, to: text) }

    /// Returns the totals without zeros: `24 passed (1 flaky), 1 failed, 2 skipped, with 3 known issues`. Repeated
    /// tests are `24 passed (240 times in total)`.
    func tally(_ counts: TestCounts, passes: Int = 0) -> String {
        let notes =
            (counts.flaky > 0 ? ["\(grouped(counts.flaky)) flaky"] : [])
            + (passes > counts.passed ? ["\(grouped(passes)) times in total"] : [])
        let passed = notes.isEmpty ? "passed" : "passed (\(notes.joined(separator: ", ")))"
        let parts: [(Int, String, TextStyle.Attribute)] = [
            (counts.passed, passed, .green), (counts.failed, "failed", .red),
            (counts.crashed, "crashed", .red),
            (counts.timedOut, "timed out", .red), (counts.notRun, "not run", .red), (counts.skipped, "skipped", .gray),
        ]
        let words = parts.filter { $0.0 > 0 }.map { style.apply($0.2, to: "\(grouped($0.0)) \($0.1)") }
        let known = counts.knownIssues > 0 ? [faint("with \(grouped(counts.knownIssues, "known issue"))")] : []
        return (words + known).joined(separator: ", ")
    }

    /// Returns the result of a test: `failed after 0.012 s`, `crashed: signal 4 (SIGILL)`.
    func ending(_ outcome: TestResult.Outcome?, _ duration: Duration?) -> String {
        let time = duration.map { $0.milliseconds > 0 ? " after \($0.text)" : "" } ?? ""
        return switch outcome {
        case .passed: "passed\(time)"
        case .failed: "failed\(time)"
        case .skipped(let reason): "skipped" + (reason.map { ": \(TerminalText.onOneLine($0))" } ?? "")
        case .crashed(let how): "crashed\(time): \(how)"
        case .timedOut(let limit): "timed out after \(limit.text)"
        case .notRun(let reason): "not run: \(reason)"
        case nil: "is running"
        }
    }

    /// Returns the ID of a test with its title, if any.
    func name(_ info: TestInfo) -> String {
        let id = TerminalText.onOneLine(info.id.description)
        return info.title.map { "\(id) \"\(TerminalText.onOneLine($0))\"" } ?? id
    }
}
