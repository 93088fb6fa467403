import Text

/// The test targets that run for a change, with reasons.
package struct ImpactDecision: Sendable, Equatable {
    /// A test target that the change concerns.
    struct Choice: Sendable, Equatable {
        let target: String
        let module: String
        /// The rest of a sentence.
        let reason: String
    }

    /// A changed file.
    struct File: Sendable, Equatable {
        let path: String
        /// The reason why it concerns no test, or `nil` if it concerns one.
        var note: String?
    }

    /// The reason why all tests run, or `nil` if the change decides.
    var everything: String?
    /// The changed files. Empty if all tests run.
    var files: [File] = []
    /// The concerned test targets. Empty if all tests run.
    var concerned: [Choice] = []
    /// The modules of all other test targets, or of all if all tests run.
    var others: [String] = []

    /// Returns the decision to run all tests for a reason.
    package static func all(_ modules: [String] = [], because reason: String) -> ImpactDecision {
        var decision = ImpactDecision()
        (decision.everything, decision.others) = (reason, modules)
        return decision
    }

    /// The modules to run, or `nil` for all.
    package var modules: Set<String>? { everything == nil ? Set(concerned.map(\.module)) : nil }

    /// The number of test targets.
    private var total: Int { concerned.count + others.count }

    /// The decision in one line.
    ///
    /// - Parameter base: The description of the commit that files are compared with.
    package func summary(since base: String) -> String {
        if let everything { return "all tests run: \(everything)" }
        guard !files.isEmpty else { return "no test runs: no file changed since \(base)" }
        return
            "\(concerned.count) of \(count(total, "test target")) run: \(count(files.count, "file")) changed since \(base)"
    }

    /// The lines that explain each choice.
    package var explanation: [String] {
        if everything != nil { return [] }
        var lines = files.compactMap { file in file.note.map { "  '\(file.path)' \($0)" } }
        lines += concerned.map { "  \($0.target): \($0.reason)" }
        if !others.isEmpty { lines.append("  not affected: \(others.joined(separator: ", "))") }
        return lines
    }
}
