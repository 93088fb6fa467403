import SuiteCoverage

/// The differences between the versions of all changed sources, and the functions that they concern.
final class SourceComparison {
    let changes: RecordedChanges
    private let impact: ChangeImpact
    /// The reasons why the recorded functions do not decide which tests a file concerns.
    private var reasons: [String: String] = [:]

    /// A function that changed, or that uses a changed declaration.
    struct Use {
        /// Its lines in the recorded version.
        let lines: ClosedRange<Int>
        /// The name of the declaration that it uses, or `nil` if it changed itself.
        let name: String?
    }

    /// The concerned functions of each file, in the order of the files.
    private(set) lazy var uses: [(file: String, uses: [Use])] = findUses()

    init(_ impact: ChangeImpact, _ changes: RecordedChanges) {
        self.impact = impact
        self.changes = changes
    }

    /// Returns the reason why the recorded functions do not decide which tests a changed source concerns, or `nil` if they
    /// do.
    func reason(for file: String) -> String? {
        _ = uses
        return reasons[file]
    }

    private func findUses() -> [(file: String, uses: [Use])] {
        var (old, new): ([String: SwiftOutline], [String: SwiftOutline]) = ([:], [:])
        var differences: [String: SourceChange] = [:]
        for (file, versions) in changes.files where file.hasSuffix(".swift") && !impact.owners(of: file).isEmpty {
            (old[file], new[file]) = (versions.old.flatMap(outline), versions.new.flatMap(outline))
            reasons[file] = reason(file, versions, old[file], new[file])
            if reasons[file] == nil { differences[file] = SourceChange(from: old[file], to: new[file]) }
        }
        let imports = FileImports(impact, changed: Set(changes.files.keys), old: old, new: new)
        let readers = Set(impact.facts.values.flatMap(\.ownReads))
        var result: [String: [Use]] = [:]
        for (file, difference) in differences {
            var change = difference
            if let old = old[file], let new = new[file] {
                if imports.concernOnlyTheirFile(change.imports, of: file) {
                    change = SourceChange(replacing: old, by: new)
                    differences[file] = change
                }
                if readers.contains(file) {
                    if old.namesItsFile || new.namesItsFile { reasons[file] = "contains its path outside functions" }
                    result[file] = old.bodiesWithItsPath.map { Use(lines: $0, name: nil) }
                }
            }
            result[file, default: []] += change.bodies.map { Use(lines: $0, name: nil) }
            let functions = changes.record.functions[file] ?? []
            let unknown = change.bodies.first { body in !functions.contains(where: body.contains) }
            if let unknown { reasons[file] = "has no coverage for the function in line \(unknown.lowerBound)" }
        }
        if differences.values.contains(where: { !$0.declarations.isEmpty }) {
            addUsesOfNames(differences, old, new, to: &result)
        }
        return result.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func outline(_ text: [UInt8]) -> SwiftOutline? {
        SwiftOutline(text, definitions: impact.graph.definitions)
    }

    /// Returns the reason why versions of a file cannot be compared, or `nil` if they can.
    private func reason(
        _ file: String, _ versions: RecordedChanges.Versions, _ old: SwiftOutline?, _ new: SwiftOutline?
    ) -> String? {
        if (versions.old != nil) != (old != nil) || (versions.new != nil) != (new != nil) {
            return "has declarations that cannot be distinguished"
        }
        if old?.dependsOnLines == true || new?.dependsOnLines == true { return "uses '#line'" }
        guard let imports = (old == nil ? new : new == nil ? old : nil)?.imports else { return nil }
        let siblings = impact.owners(of: file).flatMap { impact.sources[$0] ?? [] }.filter {
            changes.files[$0.path] == nil
        }
        let known = siblings.reduce(into: Set<String>()) { $0.formUnion($1.imports()) }
        return imports.isSubset(of: known) ? nil : "imports a module that no other file of its target imports"
    }

    private func addUsesOfNames(
        _ differences: [String: SourceChange], _ old: [String: SwiftOutline], _ new: [String: SwiftOutline],
        to result: inout [String: [Use]]
    ) {
        let unchanged = impact.sources.values.joined().filter { changes.files[$0.path] == nil }
        let outlines = unchanged.map { ($0.path, outline($0.text)) }
        var names = ChangedNames(
            unchanged: outlines.compactMap(\.1), old: Array(old.values), new: Array(new.values),
            modules: Set(impact.graph.targets.map(\.module)))
        for (file, change) in differences {
            let isWhole = old[file] == nil || new[file] == nil
            for (declaration, isNew) in change.declarations where !(isWhole && declaration.kind == .import) {
                if let reason = names.add(declaration, isNew: isNew) { reasons[file] = reason }
            }
        }
        names.close()
        if names.isUsed(inAny: zip(unchanged, outlines).filter { $1.1 == nil }.map(\.0.text)) {
            for file in differences.keys {
                reasons[file] = "changes names in declarations that cannot be distinguished"
            }
        }
        for (file, outline) in outlines + old.map({ ($0.key, $0.value) }) {
            guard let outline, changes.record.functions[file] != nil else { continue }
            let uses = names.uses(in: outline)
            if !uses.isEmpty { result[file, default: []] += uses.map { Use(lines: $0.lines, name: $0.name) } }
        }
    }
}
