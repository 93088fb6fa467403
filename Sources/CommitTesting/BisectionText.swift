package import Bisection
package import Diagnostics

import Reports

/// The lines that `lane bisect` prints.
package struct BisectionText: Sendable {
    private let record: BisectionRecord
    private let history: CommitHistory
    private let style: TextStyle

    package init(_ record: BisectionRecord, _ history: CommitHistory, style: TextStyle) {
        self.record = record
        self.history = history
        self.style = style
    }

    /// The first line: the target and the number of commits.
    package var heading: String {
        let target =
            switch record.target {
            case .test(let pattern): "tests '\(pattern)'"
            case .lane(let name, let arguments): "lane '\(([name] + arguments).joined(separator: " "))'"
            }
        // The good end is one of the candidates, because it is tested if all others are bad.
        let steps = CommitSearch.steps(for: history.commits.count + 1)
        let done = record.verdicts.count
        return "bisecting \(target): \(count(history.commits.count, "commit")) after \(history.good.shortHash), "
            + (done == 0 ? "at most \(count(steps, "step")) after the bad end" : "\(count(done, "step")) of them done")
    }

    /// The line for a tested commit: its verdict, hash, time, the number of steps that remain, and its subject.
    package func line(_ step: BisectionStep) -> String {
        let (color, mark, word): (TextStyle.Attribute, String, String) =
            switch step.verdict {
            case .good: (.green, style.symbol("✔", orElse: "ok"), "good   ")
            case .bad: (.red, style.symbol("✘", orElse: "--"), "bad    ")
            case .skipped: (.yellow, style.symbol("↷", orElse: "??"), "skipped")
            }
        let subject = history.commit(step.hash)?.subject ?? ""
        let note = step.note.isEmpty ? "" : " (\(step.note))"
        let role =
            switch step.hash {
            case record.good: "good end"
            case record.bad: "bad end"
            default: "\(CommitSearch.steps(for: step.candidates)) left"
            }
        return "\(style.apply(color, to: "\(mark) \(word)"))  \(step.hash.prefix(10))  "
            + "\(TerminalText.rightAligned(step.duration.text, to: 11))  \(TerminalText.padded(role, to: 8))  \(subject)"
            + style.apply(.faint, to: note)
    }

    /// The result: the commit, its author and date, and the command that shows it.
    package func found(_ hash: String, state: BisectionRecord) -> String {
        guard let commit = history.commit(hash) else { return hash }
        var lines = [
            style.apply(.bold, to: "first bad commit: \(commit.shortHash)  \(commit.subject)"),
            "  \(commit.author), \(commit.date)",
            "  fails: \(list(state.failures.prefix(3).map(\.self), joinedBy: "and"))",
        ]
        if state.failures.count > 3 { lines[2] += " (of \(state.failures.count))" }
        if let chance = state.errorChance {
            lines.append("  the chance that flaky tests misled this is at most \(percent(chance))")
        }
        return (lines + ["  git show \(commit.shortHash)"]).joined(separator: "\n")
    }

    /// The result if several commits remain.
    package func range(_ hashes: [String]) -> String {
        let lines = hashes.compactMap(history.commit).map { "  \($0.shortHash)  \($0.subject)" }
        return style.apply(
            .bold, to: "one of these \(hashes.count) commits is the first bad one; the others cannot be tested:")
            + "\n" + lines.joined(separator: "\n")
    }

    private func percent(_ share: Double) -> String {
        let thousandths = Int((share * 1000).rounded(.up))
        return "\(thousandths / 10).\(thousandths % 10) %"
    }
}
