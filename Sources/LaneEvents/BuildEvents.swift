/// How far a build is; the total may still grow while it runs.
package struct BuildProgress: Sendable, Equatable {
    /// Of the tool's own units: files, modules, commands.
    package let finished: Int
    /// Of the same units, as far as the tool knows them.
    package let total: Int
    /// What is being done now, as the build tool says it.
    package let text: String

    package init(finished: Int, total: Int, text: String) {
        self.finished = finished
        self.total = total
        self.text = text
    }
}

/// One error, warning or note of a compiler, linker or package manager, told once.
package struct BuildDiagnostic: Sendable, Equatable {
    /// How the compiler ranks it.
    package enum Severity: String, Sendable {
        case error, warning, note
    }

    /// As the tool gives it.
    package let severity: Severity
    /// May be several lines for linkers and manifests.
    package let message: String
    /// `nil` for linkers and package managers, which speak of no place.
    package let location: SourceLocation?
    /// The source excerpt as the compiler drew it, line by line.
    package let excerpt: [String]

    package init(_ severity: Severity, _ message: String, at location: SourceLocation? = nil, excerpt: [String] = []) {
        self.severity = severity
        self.message = message
        self.location = location
        self.excerpt = excerpt
    }
}
