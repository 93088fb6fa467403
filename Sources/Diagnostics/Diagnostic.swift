/// One thing to tell a person about a text of theirs, as data; `DiagnosticText` words it.
package struct Diagnostic: Error, Sendable, Equatable {
    /// Whether it stops what was asked for.
    package enum Severity: String, Sendable {
        case error, warning, note
    }

    /// A second place that explains the first.
    package struct Note: Sendable, Equatable {
        let message: String
        let span: Span?

        package init(_ message: String, at span: Span? = nil) {
            self.message = message
            self.span = span
        }
    }

    /// Whether it stops what was asked for.
    package let severity: Severity
    /// Lowercase, without a full stop: what was expected and what was found.
    package let message: String
    /// The place it speaks of; `nil` where it is about no place of a text.
    package let span: Span?
    /// One sentence that says how to cure it.
    package let hint: String?
    let notes: [Note]

    package init(
        _ severity: Severity, _ message: String, at span: Span? = nil, hint: String? = nil, notes: [Note] = []
    ) {
        self.severity = severity
        self.message = message
        self.span = span
        self.hint = hint
        self.notes = notes
    }
}

/// Everything that is wrong, so that a person is told once and not once per attempt.
package struct Diagnostics: Error, Sendable, Equatable {
    /// In the order in which they were found, which need not be that of their places.
    package private(set) var all: [Diagnostic]

    package init(_ all: [Diagnostic] = []) {
        self.all = all
    }

    /// Whether what was asked for cannot be done; warnings alone do not count.
    package var hasErrors: Bool { all.contains { $0.severity == .error } }

    /// Notes one more and goes on, so that all come at once.
    package mutating func add(_ diagnostic: Diagnostic) {
        all.append(diagnostic)
    }

    /// Notes what stops what was asked for; texts as in `Diagnostic`.
    package mutating func error(_ message: String, at span: Span? = nil, hint: String? = nil) {
        all.append(Diagnostic(.error, message, at: span, hint: hint))
    }

    /// Notes what a person should know but which stops nothing.
    package mutating func warning(_ message: String, at span: Span? = nil, hint: String? = nil) {
        all.append(Diagnostic(.warning, message, at: span, hint: hint))
    }

    /// Takes over what another part has found.
    package mutating func add(_ others: Diagnostics) {
        all += others.all
    }

    /// Throws itself when it holds an error; warnings alone do not stop anybody.
    package func throwIfErrors() throws(Diagnostics) {
        if hasErrors { throw self }
    }
}
