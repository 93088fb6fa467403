/// An error, a warning or a note about a source text; `DiagnosticText` formats it.
package struct Diagnostic: Error, Sendable, Equatable {
    /// The severity of a diagnostic; only an error makes the operation fail.
    package enum Severity: String, Sendable {
        case error, warning, note
    }

    /// A message about a second source location that explains the first.
    package struct Note: Sendable, Equatable {
        let message: String
        let span: Span?

        package init(_ message: String, at span: Span? = nil) {
            self.message = message
            self.span = span
        }
    }

    package let severity: Severity
    /// The message, in lowercase and without a full stop, such as "expected a list, found a string".
    package let message: String
    /// The source range that the message is about; `nil` if it has no source location.
    package let span: Span?
    /// One suggestion for a fix.
    package let hint: String?
    let note: Note?

    package init(
        _ severity: Severity, _ message: String, at span: Span? = nil, hint: String? = nil, note: Note? = nil
    ) {
        self.severity = severity
        self.message = message
        self.span = span
        self.hint = hint
        self.note = note
    }
}

/// A collection of diagnostics, which reports all errors of an operation at once.
package struct Diagnostics: Error, Sendable, Equatable {
    /// The diagnostics in the order in which they were added, which can differ from the order of their source
    /// locations.
    package private(set) var all: [Diagnostic]

    package init(_ all: [Diagnostic] = []) {
        self.all = all
    }

    /// A Boolean value that indicates whether one of the diagnostics is an error.
    package var hasErrors: Bool { all.contains { $0.severity == .error } }

    package mutating func add(_ diagnostic: Diagnostic) {
        all.append(diagnostic)
    }

    /// Adds an error. `Diagnostic` describes the style of `message` and `hint`.
    package mutating func error(
        _ message: String, at span: Span? = nil, hint: String? = nil, note: Diagnostic.Note? = nil
    ) {
        all.append(Diagnostic(.error, message, at: span, hint: hint, note: note))
    }

    /// Adds a warning.
    package mutating func warning(_ message: String, at span: Span? = nil, hint: String? = nil) {
        all.append(Diagnostic(.warning, message, at: span, hint: hint))
    }

    /// Adds all diagnostics of another collection.
    package mutating func add(_ others: Diagnostics) {
        all += others.all
    }

    /// Throws `self` if it contains an error.
    package func throwIfErrors() throws(Diagnostics) {
        if hasErrors { throw self }
    }
}

/// Formats diagnostics: source location, message, source line with carets, note, hint.
package struct DiagnosticText: Sendable {
    private let style: TextStyle

    package init(style: TextStyle = .plain) {
        self.style = style
    }

    /// Returns the text of all diagnostics, sorted by source location. Each diagnostic ends in a line feed.
    package func text(for diagnostics: Diagnostics) -> String {
        let ordered = diagnostics.all.enumerated().sorted { one, other in
            let (left, right) = (sortKey(one.element), sortKey(other.element))
            return left == right ? one.offset < other.offset : left < right
        }
        return ordered.map { text(for: $0.element) }.joined()
    }

    /// Returns the text of one diagnostic, which ends in a line feed.
    package func text(for diagnostic: Diagnostic) -> String {
        var lines = [headline(diagnostic.severity, diagnostic.message, at: diagnostic.span)]
        lines += excerpt(of: diagnostic.span)
        if let note = diagnostic.note {
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
        let color: TextStyle.Attribute =
            switch severity {
            case .error: .red
            case .warning: .yellow
            case .note: .cyan
            }
        let location = span.map { style.apply(.bold, to: $0.location + ":") + " " } ?? ""
        return location + style.apply(color, to: severity.rawValue + ":") + " " + style.apply(.bold, to: message)
    }

    /// Returns the source line and a line of carets, or an empty array if there is no source line. Truncates a long
    /// line around the marked range.
    private func excerpt(of span: Span?) -> [String] {
        guard let span, let lineRange = span.file.range(ofLine: span.start.line), !lineRange.isEmpty else { return [] }
        let marked = span.range.clamped(to: lineRange)
        func text(_ range: Range<Int>) -> String { Self.visible(span.file.text(in: range)) }
        var before = text(lineRange.lowerBound..<marked.lowerBound)
        if before.count > Self.maximumPrefix {
            before = style.symbol("…", orElse: "...") + before.suffix(Self.maximumPrefix / 2)
        }
        let (middle, after) = (text(marked), text(marked.upperBound..<lineRange.upperBound))
        let room = max(20, Self.maximumWidth - TerminalText.columns(before))
        let ellipsis = style.symbol("…", orElse: "...")
        let line = before + TerminalText.truncated(middle + after, to: room, ellipsis: ellipsis)
        let width = min(max(1, TerminalText.columns(middle)), room)
        let caret = "^" + String(repeating: "~", count: width - 1)
        let indent = String(repeating: " ", count: TerminalText.columns(before))
        return ["    " + line, "    " + indent + style.apply(.green, to: caret)]
    }

    /// Returns the text with a space for each tab and U+FFFD for each other control character, which a terminal would
    /// interpret.
    private static func visible(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09: result.append(" ")
            case 0..<0x20, 0x7F..<0xA0: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private static let maximumWidth = 120
    private static let maximumPrefix = 80
}
