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

/// The progress of a build.
package struct BuildProgress: Sendable, Equatable {
    /// The number of finished units: files, modules or commands.
    package let finished: Int
    /// The number of known units, which may grow during the build.
    package let total: Int
    /// The current action, as the build tool describes it.
    package let text: String

    package init(finished: Int, total: Int, text: String) {
        self.finished = finished
        self.total = total
        self.text = text
    }
}
