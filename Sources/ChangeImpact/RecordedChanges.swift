import Files
package import SuiteCoverage

/// The files that changed since coverage was recorded for each suite.
package struct RecordedChanges: Sendable {
    /// Two versions of a file. `nil` if it did not exist, or is not a Swift source.
    package struct Versions: Sendable {
        package let old: [UInt8]?
        package let new: [UInt8]?

        package init(old: [UInt8]?, new: [UInt8]?) {
            self.old = old
            self.new = new
        }
    }

    package let record: SuiteRecord
    /// The changed files with their versions, relative to the root of the repository.
    package let files: [String: Versions]
    /// The difference of the manifest since then, or `nil` if it is unknown.
    let manifest: ManifestChange?

    package init(record: SuiteRecord, files: [String: Versions], manifest: ManifestChange? = nil) {
        (self.record, self.files, self.manifest) = (record, files, manifest)
    }

    /// The beginning of the recorded commit.
    var commit: String { String(record.commit.prefix(9)) }
}

extension ChangeImpact {
    /// Returns a decision without the suites that execute none of the functions that changed since a record.
    ///
    /// A suite whose code has not changed since its tests passed passes again, whatever changed between the record and
    /// the base. A file that changed in more than bodies of functions concerns all suites, as far as it concerns their
    /// target.
    package func refined(_ decision: ImpactDecision, by changes: RecordedChanges) -> ImpactDecision {
        guard decision.everything == nil, !decision.concerned.isEmpty else { return decision }
        var decision = decision
        let files = Set(changes.files.keys).union(changes.record.changedFiles).sorted()
        for file in files {
            guard let reason = reasonForAll(file, manifest: changes.manifest) else { continue }
            decision.record =
                "the recorded coverage is not used: '\(file)' \(reason), and changed since \(changes.commit)"
            return decision
        }
        decision.record = "the coverage of each suite was recorded at \(changes.commit)"
        let comparison = SourceComparison(self, changes)
        for (index, choice) in decision.concerned.enumerated() {
            guard let target = graph.testTargets.first(where: { $0.name == choice.target }) else { continue }
            refine(&decision.concerned[index], target, files, comparison, &decision.unaffected)
        }
        return decision
    }

    private func refine(
        _ choice: inout ImpactDecision.Choice, _ target: PackageGraph.Target, _ files: [String],
        _ comparison: SourceComparison, _ unaffected: inout Set<String>
    ) {
        let suites = comparison.changes.record.suites.filter { $0.module == target.module }
        guard !suites.isEmpty else {
            choice.note = "none of its suites is recorded"
            return
        }
        if !target.isSwift || facts[target.name]?.losesCoverage == true {
            choice.note = "all its suites run, because some processes may end without writing their coverage"
            return
        }
        let concerned = files.filter { reason(for: target, $0, manifest: comparison.changes.manifest) != nil }
        for file in concerned {
            if let reason = reasonAgainstRecord(target, file, comparison) {
                choice.note = "all its suites run: '\(file)' \(reason)"
                return
            }
        }
        var reasons: [Int: String] = [:]
        for (index, suite) in suites.enumerated() {
            for (file, uses) in comparison.uses where reasons[index] == nil {
                guard let executed = suite.executed[file], !executed.isEmpty else { continue }
                for use in uses {
                    guard let line = executed.first(where: use.lines.contains) else { continue }
                    reasons[index] = "executes '\(file):\(line)'\(use.name.map { ", which uses '\($0)'" } ?? "")"
                    break
                }
            }
        }
        var result = ImpactDecision.SuiteChoice()
        for (index, suite) in suites.enumerated() {
            if let reason = reasons[index] {
                result.concerned.append((suite.name, reason))
            } else {
                result.others.append(suite.name)
                unaffected.formUnion(suite.tests)
            }
        }
        choice.suites = result
    }

    /// Returns the reason why the recorded functions do not decide whether a change concerns a suite, or `nil` if they do.
    private func reasonAgainstRecord(
        _ target: PackageGraph.Target, _ file: String, _ comparison: SourceComparison
    ) -> String? {
        if isManifest(file) || isPinFile(file), let manifest = comparison.changes.manifest,
            let reason = reason(for: target, manifest: manifest, file)
        {
            return reason
        }
        // The functions of a file that read it are among the changed ones.
        if let reason = reasonBesideUse(for: target, file, ignoresOwnReads: true) { return reason }
        let owners = owners(of: file)
        guard owners.count == 1, let owner = graph.targets.first(where: { $0.name == owners[0] }) else {
            return "is in several targets"
        }
        guard owner.isSwift, file.hasSuffix(".swift"), lastPathComponent(file) != "main.swift" else {
            return "is no Swift source with functions only"
        }
        if owner.mayReadAnyFile { return "is in '\(owner.name)', which has plugins or unsafe flags" }
        let plugins = graph.targets.filter { $0.kind == .plugin && reached[target.name]?[$0.name] != nil }
        if let plugin = plugins.first(where: { reached[$0.name]?[owner.name] != nil }) {
            return "is in '\(owner.name)', which '\(plugin.name)' runs during the build"
        }
        if comparison.changes.record.changedFiles.contains(file) {
            return "was not committed when coverage was recorded"
        }
        return comparison.reason(for: file).map { "\($0) since \(comparison.changes.commit)" }
    }
}
