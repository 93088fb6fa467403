/// The names by which code uses changed declarations, directly or through other declarations.
///
/// Code whose meaning or whose values a changed declaration may alter contains one of these names, or is in a type or an
/// extension with one of them. A value of a changed type is created by such code, too.
struct ChangedNames {
    private(set) var names: Set<String> = []
    /// The outlines of all sources before and after the change.
    private let outlines: [SwiftOutline]
    private let types: Set<String>
    /// The names of protocols and aliases, whose extensions may have operators for types of other packages.
    private let abstractTypes: Set<String>
    /// The types that exist only after the change, and those that exist only before it.
    private let added: Set<String>
    private let removed: Set<String>
    /// A Boolean value that indicates whether a type may conform to a protocol whose requirements are unknown.
    private let hasUnknownProtocols: Bool

    init(unchanged: [SwiftOutline], old: [SwiftOutline], new: [SwiftOutline], modules: Set<String>) {
        outlines = unchanged + old + new
        let (before, after) = (Self.types(unchanged + old), Self.types(unchanged + new))
        types = before.union(after)
        abstractTypes = outlines.flatMap(\.declarations).reduce(into: []) { result, declaration in
            guard declaration.kind == .type else { return }
            if !declaration.words.isDisjoint(with: ["protocol", "typealias"]) { result.formUnion(declaration.names) }
        }
        (added, removed) = (after.subtracting(before), before.subtracting(after))
        hasUnknownProtocols = outlines.contains { outline in
            !outline.imports.isSubset(of: modules.union(ExternalRequirements.modules))
                && outline.declarations.contains(where: \.mayConform)
        }
    }

    private static func types(_ outlines: [SwiftOutline]) -> Set<String> {
        outlines.reduce(into: []) { $0.formUnion($1.types) }
    }

    /// Adds the names of a changed declaration. Returns the reason why code without these names may be concerned, or `nil`
    /// if it is not.
    mutating func add(_ declaration: SwiftDeclaration, isNew: Bool) -> String? {
        guard declaration.attributes.allSatisfy({ types.contains(String($0.dropFirst())) }) else {
            return "changes a declaration that may be attached to a macro"
        }
        let container = declaration.containers.last
        let isOwn = container.map { types.contains($0.name) } ?? true
        if declaration.kind != .other, declaration.kind != .import,
            declaration.containers.contains(where: { !$0.isExtension && (isNew ? added : removed).contains($0.name) })
        {
            return nil  // The name of the type is enough.
        }
        names.formUnion(declaration.kind.isExtension ? [] : declaration.names)
        switch declaration.kind {
        case .import: return "changes an import"
        case .other: return "changes a declaration that other code need not name"
        case .type, .test: break
        case .extension(let hasConformance):
            guard hasConformance else { break }
            guard declaration.names.isSubset(of: types) else { return "extends a type of another package" }
            names.formUnion(declaration.names)
        case .function:
            guard let container, !declaration.isPrivate, satisfiesRequirement(declaration) else { break }
            guard isOwn else { return "changes a member of a type of another package" }
            names.insert(container.name)
        case .operatorFunction:
            guard let container, isOwn, !abstractTypes.contains(container.name) else {
                return "changes an operator that other types may use"
            }
            names.insert(container.name)
        case .part:
            guard let container else { break }
            guard isOwn else { return "changes a member of a type of another package" }
            names.insert(container.name)
        }
        return nil
    }

    /// Returns a Boolean value that indicates whether code of other packages may call a function through a protocol.
    private func satisfiesRequirement(_ declaration: SwiftDeclaration) -> Bool {
        hasUnknownProtocols || declaration.names.contains(where: ExternalRequirements.contains)
    }

    /// Adds the names of all declarations that contain one of the names outside bodies.
    mutating func close() {
        guard !names.isEmpty else { return }
        var declarations: [String: [SwiftDeclaration]] = [:]
        for declaration in outlines.flatMap(\.declarations) where declaration.kind != .import {
            for word in declaration.words { declarations[word, default: []].append(declaration) }
        }
        var queue = Array(names)
        while let name = queue.popLast() {
            for user in declarations.removeValue(forKey: name) ?? [] {
                var reached = user.names
                if user.kind.isExtension { reached = user.mayConform ? user.names.intersection(types) : [] }
                if user.kind == .part || user.kind == .operatorFunction, let container = user.containers.last {
                    reached.insert(container.name)
                }
                for name in reached where names.insert(name).inserted { queue.append(name) }
            }
        }
    }
}

extension ChangedNames {
    /// Returns the bodies that use one of the names, with a name.
    func uses(in outline: SwiftOutline) -> [(lines: ClosedRange<Int>, name: String)] {
        outline.declarations.flatMap { declaration in
            let around = declaration.words.union(declaration.containers.map(\.name))
            let name = around.intersection(names).min()
            return declaration.bodies.compactMap { body in
                (name ?? body.words.intersection(names).min()).map { (body.lines, $0) }
            }
        }
    }

    /// Returns a Boolean value that indicates whether a text contains one of the names.
    func isUsed(inAny texts: [[UInt8]]) -> Bool {
        texts.contains { text in
            var words: Set<String> = []
            for token in SwiftScanner.tokens(of: text) { SwiftOutline.add(token, to: &words) }
            return !words.isDisjoint(with: names)
        }
    }
}

extension SwiftDeclaration.Kind {
    fileprivate var isExtension: Bool { if case .extension = self { true } else { false } }
}

extension SwiftDeclaration {
    /// A Boolean value that indicates whether it states the conformance of a type.
    fileprivate var mayConform: Bool {
        switch kind {
        case .type: mayInherit
        case .extension(let hasConformance): hasConformance
        default: false
        }
    }
}
