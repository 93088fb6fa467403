import Text

/// The difference between two versions of a Swift source.
enum SourceChange: Equatable {
    /// Only bodies of functions differ, in these lines of the old version, or nothing does.
    case bodies([ClosedRange<Int>])
    /// Something else differs, so that tests may be concerned that do not execute the file.
    case declarations(reason: String)

    /// The code around a source, which decides whether a new declaration can have an effect.
    struct Surroundings {
        /// A closure that returns whether any source of the package contained a word before the change.
        let usedBefore: (String) -> Bool
        /// A closure that returns whether any source of the package contains a word after the change.
        let usedAfter: (String) -> Bool
        /// The modules that other sources of the target import before and after the change.
        let imports: Set<String>
    }

    /// Compares two versions, of which one is `nil` if the file is new or removed.
    init(from old: [UInt8]?, to new: [UInt8]?, in surroundings: Surroundings) {
        guard let before = SwiftOutline(old ?? []), let after = SwiftOutline(new ?? []) else {
            self = .declarations(reason: "has brackets that do not match")
            return
        }
        guard !before.dependsOnLines, !after.dependsOnLines else {
            self = .declarations(reason: "uses '#line'")
            return
        }
        let isWhole = old == nil || new == nil
        if isWhole, !SourceText(path: "", text: old ?? new ?? []).imports().isSubset(of: surroundings.imports) {
            self = .declarations(reason: "imports a module that no other file of its target imports")
            return
        }
        let added = Self.names(of: after, unusedIn: before, surroundings.usedBefore)
        let removed = Self.names(of: before, unusedIn: after, surroundings.usedAfter)
        guard let oldRest = SwiftOutline(old ?? [], omitting: removed, omitsImports: isWhole),
            let newRest = SwiftOutline(new ?? [], omitting: added, omitsImports: isWhole),
            oldRest.skeleton == newRest.skeleton, oldRest.bodies.count == newRest.bodies.count
        else {
            self = .declarations(reason: "differs in more than bodies of functions")
            return
        }
        self = .bodies(zip(oldRest.bodies, newRest.bodies).filter { $0.text != $1.text }.map(\.0.lines))
    }

    /// Returns the names of the declarations of an outline that nothing in another version uses.
    private static func names(
        of outline: SwiftOutline, unusedIn other: SwiftOutline, _ isUsed: (String) -> Bool
    ) -> Set<String> {
        let names = outline.declarations.filter { declaration in
            !other.words.contains(declaration.name) && (declaration.isPrivate || !isUsed(declaration.name))
        }
        return Set(names.map(\.name))
    }
}
