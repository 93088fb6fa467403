/// The imports of the files of a change, compared with those of other files of their targets.
///
/// A file sees the names of the modules that it imports. The members and operators of a module's extensions, and those of
/// a module for two imported modules, may be visible in the whole target. If another file, which did not change,
/// contains the same imports, a changed import concerns only its file.
struct FileImports {
    private let impact: ChangeImpact
    private let changed: Set<String>
    private let old: [String: SwiftOutline]
    private let new: [String: SwiftOutline]
    private let ownModules: Set<String>

    init(
        _ impact: ChangeImpact, changed: Set<String>, old: [String: SwiftOutline], new: [String: SwiftOutline]
    ) {
        (self.impact, self.changed, self.old, self.new) = (impact, changed, old, new)
        ownModules = Set(impact.graph.targets.map(\.module))
    }

    /// An import in the branches of `#if` around it.
    struct Import: Hashable {
        let conditions: [UInt8]
        let module: String

        init?(_ declaration: SwiftDeclaration) {
            let lines = declaration.key.split(separator: UInt8(ascii: "\n"))
            guard declaration.kind == .import, let text = lines.last,
                let module = SourceText(path: "", text: Array(text)).imports().first
            else { return nil }
            conditions = Array(lines.dropLast().joined(separator: [UInt8(ascii: "\n")]))
            self.module = module
        }

        private init(unconditional module: String) { (conditions, self.module) = ([], module) }

        var unconditional: Self { Self(unconditional: module) }
    }

    /// Returns a Boolean value that indicates whether changed imports of a file concern only the code in it.
    func concernOnlyTheirFile(_ imports: [SwiftDeclaration], of file: String) -> Bool {
        guard !imports.isEmpty, imports.allSatisfy(\.attributes.isEmpty), let old = old[file], let new = new[file]
        else { return false }
        let differing = imports.map(Import.init)
        guard !differing.contains(nil) else { return false }
        // Two modules may have a third one for their users.
        let others = Self.imports(old).union(Self.imports(new)).filter { !ownModules.contains($0.module) }
        let needed = others.union(differing.compactMap(\.self))
        return siblings(of: file).contains { sibling in
            needed.allSatisfy { sibling.contains($0) || sibling.contains($0.unconditional) }
        }
    }

    private static func imports(_ outline: SwiftOutline) -> Set<Import> {
        Set(outline.declarations.compactMap(Import.init))
    }

    /// Returns the imports that each other file of the file's targets has before and after the change.
    private func siblings(of file: String) -> [Set<Import>] {
        let owners = impact.owners(of: file)
        let all = owners.flatMap { impact.sources[$0] ?? [] }.filter { $0.path != file }
        return all.compactMap { source in
            guard changed.contains(source.path) else {
                return SwiftOutline(source.text, definitions: impact.graph.definitions).map(Self.imports)
            }
            guard let old = old[source.path], let new = new[source.path] else { return nil }
            return Self.imports(old).intersection(Self.imports(new))
        }
    }
}
