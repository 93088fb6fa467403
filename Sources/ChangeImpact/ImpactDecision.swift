import Diagnostics

/// The test targets that run for a change, with reasons.
package struct ImpactDecision: Sendable, Equatable {
    /// A test target that the change concerns.
    package struct Choice: Sendable, Equatable {
        package let target: String
        package let module: String
        /// The rest of a sentence.
        package let reason: String
        /// The choice among its suites, or `nil` if all run.
        package var suites: SuiteChoice?
        /// The reason why all suites run although there is a record of coverage.
        package var note: String?
    }

    /// The recorded suites and tests of a test target that run, with reasons, and the others.
    package struct SuiteChoice: Sendable, Equatable {
        package var concerned: [(name: String, reason: String)] = []
        package var others: [String] = []

        package static func == (one: Self, other: Self) -> Bool {
            one.others == other.others && one.concerned.elementsEqual(other.concerned) { $0 == $1 }
        }

        /// The choice in which a suite stands for its tests if all run for the same reason, or none runs.
        fileprivate var folded: SuiteChoice {
            var reasons: [Substring: Set<String?>] = [:]
            for (name, reason) in concerned { reasons[Self.suite(name), default: []].insert(reason) }
            for name in others { reasons[Self.suite(name), default: []].insert(nil) }
            var (result, known) = (SuiteChoice(), Set<Substring>())
            for (name, reason) in concerned.map({ ($0, Optional($1)) }) + others.map({ ($0, nil) }) {
                let suite = Self.suite(name)
                let isWhole = reasons[suite]?.count == 1
                guard !isWhole || known.insert(suite).inserted else { continue }
                let shown = isWhole ? String(suite) : name
                if let reason { result.concerned.append((shown, reason)) } else { result.others.append(shown) }
            }
            return result
        }

        /// Returns the suite of a test. A class and a file of free functions are suites.
        private static func suite(_ name: String) -> Substring {
            guard !name.hasSuffix(".swift"), let slash = name.lastIndex(of: "/") else { return name[...] }
            return name[..<slash]
        }
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
    /// The IDs of tests in concerned targets that do not run, because they execute nothing that changed.
    package var unaffected: Set<String> = []
    /// The commit of the record of coverage that was used, or the reason why it was not.
    package var record: String?

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
        let without =
            concerned.allSatisfy { $0.suites == nil }
            ? "" : ", without \(count(unaffected.count, "test")) that execute none of the changes"
        return
            "\(concerned.count) of \(count(total, "test target")) run\(without): \(count(files.count, "file")) changed since \(base)"
    }

    /// The lines that explain each choice.
    package var explanation: [String] {
        if everything != nil { return [] }
        var lines = record.map { ["  \($0)"] } ?? []
        lines += files.filter { $0.note != nil }.map { "  '\($0.path)' \($0.note ?? "")" }
        for choice in concerned {
            lines.append("  \(choice.target): \(choice.reason)\(choice.note.map { "; \($0)" } ?? "")")
            guard let suites = choice.suites else { continue }
            let folded = suites.folded
            lines += folded.concerned.map { "    \($0.name) \($0.reason)" }
            lines.append("    tests that are not recorded")
            if !folded.others.isEmpty { lines.append("    not affected: \(folded.others.joined(separator: ", "))") }
        }
        if !others.isEmpty { lines.append("  not affected: \(others.joined(separator: ", "))") }
        return lines
    }
}
