/// Words diagnostics: place, message, the source line with a caret under it, notes, hint.
package struct DiagnosticText: Sendable {
    private let style: TextStyle

    package init(style: TextStyle = .plain) {
        self.style = style
    }

    /// All diagnostics in the order of their places, each ending in a line feed.
    package func text(for diagnostics: Diagnostics) -> String {
        let ordered = diagnostics.all.enumerated().sorted { one, other in
            let (left, right) = (sortKey(one.element), sortKey(other.element))
            return left == right ? one.offset < other.offset : left < right
        }
        return ordered.map { text(for: $0.element) }.joined()
    }

    package func text(for diagnostic: Diagnostic) -> String {
        var lines = [headline(diagnostic.severity, diagnostic.message, at: diagnostic.span)]
        lines += excerpt(of: diagnostic.span)
        for note in diagnostic.notes {
            lines.append(headline(.note, note.message, at: note.span))
            lines += excerpt(of: note.span)
        }
        if let hint = diagnostic.hint { lines.append(style.apply(.cyan, to: "hint:") + " \(hint)") }
        return lines.map { $0 + "\n" }.joined()
    }

    private func sortKey(_ diagnostic: Diagnostic) -> (String, Int) {
        guard let span = diagnostic.span else { return ("", 0) }
        return (span.file.path, span.range.lowerBound)
    }

    private func headline(_ severity: Diagnostic.Severity, _ message: String, at span: Span?) -> String {
        let colour: TextStyle.Attribute =
            switch severity {
            case .error: .red
            case .warning: .yellow
            case .note: .cyan
            }
        let place = span.map { style.apply(.bold, to: $0.location + ":") + " " } ?? ""
        return place + style.apply(colour, to: severity.rawValue + ":") + " " + style.apply(.bold, to: message)
    }

    /// The source line and its carets; tabs become single spaces so that both rows stay aligned, and no control character
    /// of a file reaches the terminal.
    private func excerpt(of span: Span?) -> [String] {
        guard let span, let lineRange = span.file.range(ofLine: span.start.line) else { return [] }
        let line = span.file.text(in: lineRange)
        guard !line.isEmpty else { return [] }
        let marked = span.range.clamped(to: lineRange)
        let width = max(1, span.file.text(in: marked).count)
        let caret = "^" + String(repeating: "~", count: width - 1)
        let shown = String(line.map { $0 == "\t" ? " " : Self.isControl($0) ? "\u{FFFD}" : $0 })
        let indent = String(repeating: " ", count: span.start.column - 1)
        return ["    " + shown, "    " + indent + style.apply(.green, to: caret)]
    }

    private static func isControl(_ character: Character) -> Bool {
        character.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }
    }
}
