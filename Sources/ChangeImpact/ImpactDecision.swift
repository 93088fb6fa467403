import Diagnostics

/// The test targets that run for a change, with reasons.
package struct ImpactDecision: Sendable, Equatable {
    /// A test target that the change concerns.
    package struct Choice: Sendable, Equatable {
        package let target: String
        package let module: String
        /// The rest of a sentence.
        package let reason: String
    }

    /// A changed file.
    package struct File: Sendable, Equatable {
        package let path: String
        /// The reason why it concerns no test, or `nil` if it concerns one.
        package var note: String?

        package init(path: String, note: String? = nil) {
            self.path = path
            self.note = note
        }
    }

    /// The reason why all tests run, or `nil` if the change decides.
    package var everything: String?
    /// The changed files. Empty if all tests run.
    package var files: [File] = []
    /// The concerned test targets. Empty if all tests run.
    package var concerned: [Choice] = []
    /// The modules of all other test targets, or of all if all tests run.
    package var others: [String] = []

    package init() {}

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
        var lines = files.filter { $0.note != nil }.map { "  '\($0.path)' \($0.note ?? "")" }
        lines += concerned.map { "  \($0.target): \($0.reason)" }
        if !others.isEmpty { lines.append("  not concerned: \(others.joined(separator: ", "))") }
        return lines
    }
}
