package import Text

extension RunComparison {
    /// Returns the differences as text, with a section for each kind.
    package func text(style: TextStyle) -> String {
        guard !isEmpty || !stillFailing.isEmpty else { return "no differences\n" }
        let arrow = style.symbol("→", orElse: "->")
        var text = ""
        func section(_ title: String, _ lines: [String]) {
            guard !lines.isEmpty else { return }
            if !text.isEmpty { text += "\n" }
            text += style.apply(.bold, to: "\(title) (\(lines.count))") + "\n"
            for line in lines { text += "  " + TerminalText.printable(TerminalText.sanitized(line)) + "\n" }
        }
        let bad = style.apply(.red, to: style.symbol("✘", orElse: "x"))
        let good = style.apply(.green, to: style.symbol("✔", orElse: "+"))
        section("Newly failing", newlyFailing.map { "\($0.name): \($0.reason)" })
        section("Fixed", fixed)
        section("Still failing", stillFailing)
        section("Slower", slower.map { "\($0.before.text) \(arrow) \($0.after.text)  \($0.name)" })
        section(
            "Other output",
            outputs.map { "step \($0.step), line \($0.line): \($0.before.quoted) \(arrow) \($0.after.quoted)" })
        section("New tests", added)
        section("Removed tests", removed)
        let verdict = newlyFailing.isEmpty ? good : bad
        let counts = [
            (newlyFailing.count, "newly failing"), (stillFailing.count, "still failing"), (fixed.count, "fixed"),
            (slower.count, "slower"),
        ]
        return text + "\n\(verdict) " + counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ") + "\n"
    }
}

extension String? {
    /// The line in quotation marks, or a word for the end of the output.
    fileprivate var quoted: String { map { "'\($0)'" } ?? "the end" }
}
