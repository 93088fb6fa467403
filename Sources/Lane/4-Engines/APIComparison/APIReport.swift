package import Events
import Text

/// The changes of the public API that were proven, and those that could not be.
package struct APIReport: Sendable {
    /// A change with the judgment of its programs.
    package struct Finding: Sendable, Equatable {
        package let change: APIChange
        /// The program that compiles with the old version only. A change of the manifest has none.
        let witness: Witness?
        /// The error of the compiler with the new version, or the reason why a change is only a warning.
        package let reason: String
        package let isBreak: Bool

        /// A finding of a proven change.
        package init(_ change: APIChange, witness: Witness? = nil, error: String = "") {
            (self.change, self.witness, reason) = (change, witness, error)
            isBreak = witness?.isReference != true
        }

        /// A finding of a change for which no program compiles with the old version.
        package init(unproven change: APIChange) {
            (self.change, witness, isBreak) = (change, nil, false)
            reason = "no program was found that compiles with the old version only"
        }
    }

    /// A declaration whose break is intended.
    package struct Allowance: Sendable, Equatable {
        package let declaration: String
        let reason: String

        package init(declaration: String, reason: String) {
            (self.declaration, self.reason) = (declaration, reason)
        }
    }

    /// The tag or commit of the old version.
    package let base: String
    package let breaks: [Finding]
    package let warnings: [Finding]
    /// The breaks that `allow` names, with their reasons.
    package let allowed: [(finding: Finding, reason: String)]
    /// The entries of `allow` that match no break.
    package let unused: [Allowance]

    package init(since base: String, _ findings: [Finding], allowing allowances: [Allowance]) {
        self.base = base
        let reasons = Dictionary(allowances.map { ($0.declaration, $0.reason) }) { first, _ in first }
        warnings = findings.filter { !$0.isBreak }
        let all = findings.filter(\.isBreak)
        breaks = all.filter { reasons[$0.change.name] == nil }
        allowed = all.compactMap { finding in reasons[finding.change.name].map { (finding, $0) } }
        unused = allowances.filter { entry in !all.contains { $0.change.name == entry.declaration } }
    }

    /// One line with the numbers of breaks and warnings.
    package var summary: String {
        var parts = [breaks.isEmpty ? "no break" : count(breaks.count, "proven break")]
        if !allowed.isEmpty { parts.append("\(allowed.count) allowed") }
        if !warnings.isEmpty { parts.append(count(warnings.count, "warning")) }
        return "\(parts.joined(separator: ", ")) of the public API since \(base)"
    }

    /// The number of programs to show, so that the report fits on a screen.
    private static let shownWitnesses = 5

    /// The diagnostics of breaks and warnings. Those of the first breaks contain their programs.
    package var diagnostics: [BuildDiagnostic] {
        breaks.enumerated().map { index, finding in
            diagnostic(finding, .error, showsWitness: index < Self.shownWitnesses)
        } + warnings.map { diagnostic($0, .warning, showsWitness: false) }
    }

    private func diagnostic(_ finding: Finding, _ severity: BuildDiagnostic.Severity, showsWitness: Bool)
        -> BuildDiagnostic
    {
        let change = finding.change
        var text = change.kind == .manifest ? manifestText(change) : "'\(change.name)' \(change.text)"
        if !finding.isBreak {
            text += ": " + (finding.witness == nil ? finding.reason : "only a reference to it no longer compiles")
        }
        if let location = change.oldLocation { text += "; \(base) has it at \(location.path):\(location.line)" }
        if change.kind != .manifest, change.kind != .conformance {
            if let old = change.old { text += "\nold: \(old)" }
            if let new = change.new, new != change.old { text += "\nnew: \(new)" }
        }
        if showsWitness, let witness = finding.witness {
            text += "\ncompiles with \(base) only:"
            for line in witness.text.lines { text += "\n    \(line)" }
            text += "\n    // \(finding.reason)"
        }
        return BuildDiagnostic(severity, text, at: change.location)
    }

    private func manifestText(_ change: APIChange) -> String {
        guard let new = change.new else { return "\(change.name) was removed" }
        return "\(change.name) was \(change.old ?? "not limited") and is \(new)"
    }

    /// The report as JSON.
    package var json: String {
        JSONWriter.document { writer in
            writer.member("base", base)
            writer.array("breaks") { writer in for finding in breaks { write(finding, nil, to: &writer) } }
            writer.array("allowed") { writer in
                for (finding, reason) in allowed { write(finding, reason, to: &writer) }
            }
            writer.array("warnings") { writer in for finding in warnings { write(finding, nil, to: &writer) } }
        }
    }

    private func write(_ finding: Finding, _ allowance: String?, to writer: inout JSONWriter) {
        let change = finding.change
        writer.object { writer in
            writer.member("kind", change.kind.rawValue)
            writer.member("declaration", change.name)
            if let old = change.old { writer.member("old", old) }
            if let new = change.new { writer.member("new", new) }
            for (name, location) in [("location", change.location), ("old-location", change.oldLocation)] {
                if let location { writer.member(name, "\(location.path):\(location.line)") }
            }
            if let witness = finding.witness { writer.member("witness", witness.text) }
            if !finding.reason.isEmpty { writer.member("error", finding.reason) }
            if let allowance { writer.member("reason", allowance) }
        }
    }
}
