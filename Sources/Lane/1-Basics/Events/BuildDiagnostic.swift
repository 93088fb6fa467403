/// An error, warning or note of a compiler, linker or package manager.
package struct BuildDiagnostic: Sendable, Equatable {
    /// The severity of a diagnostic.
    package enum Severity: String, Sendable {
        case error, warning, note
    }

    package let severity: Severity
    /// The message, which can contain several lines.
    package var message: String
    /// The location, or `nil` for linkers and package managers.
    package var location: SourceLocation?
    /// The lines of the source excerpt that the compiler printed.
    package var excerpt: [String]

    package init(_ severity: Severity, _ message: String, at location: SourceLocation? = nil, excerpt: [String] = []) {
        self.severity = severity
        self.message = message
        self.location = location
        self.excerpt = excerpt
    }
}
