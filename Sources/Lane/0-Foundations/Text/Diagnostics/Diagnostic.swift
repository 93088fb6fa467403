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

    /// Adds a diagnostic.
    package mutating func add(_ diagnostic: Diagnostic) {
        all.append(diagnostic)
    }

    /// Adds an error. `Diagnostic` describes the style of `message` and `hint`.
    package mutating func error(_ message: String, at span: Span? = nil, hint: String? = nil) {
        all.append(Diagnostic(.error, message, at: span, hint: hint))
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
