package import Events
import Text

/// A comparison of the public declarations of two versions.
///
/// It returns candidates. Most of them are no breaks: the programs of a change prove it or not.
package struct APIComparison {
    private let old: SymbolIndex
    private let new: SymbolIndex
    private let writer: WitnessWriter
    /// The declarations of the new version by name.
    private let newByName: [String: [APISymbol]]
    /// The declarations of the new version by name without labels.
    private let newByBase: [String: [APISymbol]]
    /// The new names of renamed types, for which the new version has a type alias with the old name.
    private let newNames: [String: String]
    /// The old names of these types by the new ones.
    private let oldNames: [String: String]

    package init(from old: APISnapshot, to new: APISnapshot) {
        self.old = SymbolIndex(old)
        self.new = SymbolIndex(new)
        writer = WitnessWriter(old: self.old)
        newByName = Dictionary(grouping: self.new.sorted, by: \.name)
        newByBase = Dictionary(grouping: self.new.sorted, by: Self.base)
        newNames = Self.renamedTypes(from: self.old, to: self.new)
        oldNames = Dictionary(newNames.map { ($1, $0) }) { min($0, $1) }
    }

    private static func renamedTypes(from old: SymbolIndex, to new: SymbolIndex) -> [String: String] {
        var names: [String: String] = [:]
        for alias in new.sorted where alias.kind == "typealias" && old.type(alias.name) != nil {
            guard let target = Declaration(alias.declaration).type?.prefix(while: { $0 != "<" }) else { continue }
            names[alias.name] = ["\(alias.parentName).\(target)", String(target)].first { new.type($0) != nil }
        }
        return names
    }

    private static func base(_ symbol: APISymbol) -> String {
        "\(symbol.parentName).\(baseName(symbol))"
    }

    /// Returns the name without labels.
    private static func baseName(_ symbol: APISymbol) -> Substring { symbol.path.last?.prefix { $0 != "(" } ?? "" }

    /// Returns the type of the old version with a name of the new one.
    private func oldType(_ name: String) -> APISymbol? { old.type(oldNames[name] ?? name) }

    /// Returns the type of the new version with a name of the old one.
    private func newType(_ name: String) -> APISymbol? { new.type(newNames[name] ?? name) }

    /// Returns the changes by kind, in the order of their locations.
    package func changes() -> [APIChange] {
        let all = declarations() + requirements() + cases() + relations()
        return APIChange.Kind.allCases.flatMap { kind in all.filter { $0.kind == kind } }
    }

    /// Returns the declarations that were removed or changed.
    private func declarations() -> [APIChange] {
        var removedTypes: Set<String> = []
        var changes: [APIChange] = []
        for symbol in old.sorted.sorted(by: { $0.path.count < $1.path.count }) {
            // The removal of a type includes its members. The new version may have moved the module.
            guard !isMember(symbol, of: removedTypes), new.snapshot.modules.contains(symbol.module) else { continue }
            if let same = new.snapshot.symbols[symbol.identifier] {
                if !symbol.matches(same) { changes.append(change(symbol, same)) }
                continue
            }
            let successor = successor(of: symbol)
            if symbol.isType, successor == nil { removedTypes.insert(symbol.name) }
            changes.append(change(symbol, successor))
        }
        return changes
    }

    private func isMember(_ symbol: APISymbol, of types: Set<String>) -> Bool {
        symbol.path.indices.dropFirst().contains { types.contains(symbol.path[..<$0].joined(separator: ".")) }
    }

    private func change(_ symbol: APISymbol, _ same: APISymbol?) -> APIChange {
        let isAvailability =
            same.map { $0.identifier == symbol.identifier && Set($0.availability) != Set(symbol.availability) } ?? false
        return APIChange(
            isAvailability ? .availability : same == nil ? .removed : .changed, symbol.name, old: symbol, new: same,
            witnesses: writer.witnesses(for: symbol, new: same))
    }

    /// Returns the declaration that most likely replaces another: that with the same name, or one with other labels that
    /// the old version lacks.
    private func successor(of symbol: APISymbol) -> APISymbol? {
        let names = { (one: APISymbol) in one.isType || one.kind == "typealias" }
        let isNew = { (other: APISymbol) in
            old.snapshot.symbols[other.identifier] == nil && names(other) == names(symbol)
        }
        let renamed = newNames[symbol.parentName].map { "\($0).\(symbol.path.last ?? "")" }
        return newByName[symbol.name]?.first(where: isNew) ?? renamed.flatMap { newByName[$0]?.first(where: isNew) }
            ?? newByBase[Self.base(symbol)]?.first(where: isNew)
    }

    /// Returns the requirements of protocols that are new or have lost their default implementation.
    private func requirements() -> [APIChange] {
        new.sorted.compactMap { symbol in
            let before = old.snapshot.symbols[symbol.identifier]
            guard new.isRequired(symbol), !(before.map(old.isRequired) ?? false),
                let type = new.snapshot.requirements[symbol.identifier].flatMap(oldType), type.kind == "protocol",
                // A client that conforms to a protocol imports its module.
                !old.snapshot.internalModules.contains(type.module)
            else { return nil }
            return APIChange(
                .requirement, symbol.name, old: before, new: symbol, witnesses: writer.conformances(to: type))
        }
    }

    /// Returns the new cases of enumerations.
    private func cases() -> [APIChange] {
        new.sorted.compactMap { symbol in
            guard symbol.kind == "enum.case", let type = oldType(symbol.parentName), type.kind == "enum",
                !old.cases(of: type.name).contains(where: { Self.baseName($0) == Self.baseName(symbol) })
            else { return nil }
            return APIChange(.enumCase, symbol.name, new: symbol, witnesses: [writer.exhaustiveSwitch(over: type)])
        }
    }

    /// Returns the conformances and superclasses that types have lost.
    private func relations() -> [APIChange] {
        let kept = Set(
            new.snapshot.relations.map { relation in
                [relation.source, relation.target].map { oldNames[$0] ?? $0 } + relation.constraints
            })
        let lost = old.snapshot.relations.filter { !kept.contains([$0.source, $0.target] + $0.constraints) }
        return lost.sorted { ($0.source, $0.target) < ($1.source, $1.target) }.compactMap { relation in
            // Without its target, the declaration of the target is the break. A type of another module is in neither version.
            guard let type = old.type(relation.source),
                let same = newType(relation.source) ?? (type.kind == "extension" ? type : nil),
                relation.module != nil || newType(relation.target) != nil
            else { return nil }
            return APIChange(
                .conformance, "\(type.name): \(relation.target)", old: type, new: same.kind == "extension" ? nil : same,
                witnesses: [writer.relation(relation, of: type)])
        }
    }
}

/// A change of the public API that may break clients, with programs that may prove it.
package struct APIChange: Sendable, Equatable {
    /// The kinds in the order of the report.
    package enum Kind: String, Sendable, CaseIterable {
        case removed, changed, requirement
        case enumCase = "enum-case"
        case conformance, availability, manifest

        /// The text after the name of a declaration.
        fileprivate var text: String {
            switch self {
            case .removed: "was removed"
            case .changed: "was changed"
            case .requirement: "is a new requirement without default"
            case .enumCase: "is a new case"
            case .conformance: "was lost"
            case .availability: "is less available"
            case .manifest: ""
            }
        }
    }

    /// The text after the name of the declaration.
    package var text: String { kind == .requirement && old != nil ? "lost its default implementation" : kind.text }

    package let kind: Kind
    /// The declaration as in `allow`, such as `Box.label(of:)`, `Box: Sendable` or `product 'Shapes'`.
    package let name: String
    let old: String?
    package let new: String?
    /// The location in the new version.
    package let location: SourceLocation?
    /// The location in the old version, for a declaration that the new version lacks.
    package let oldLocation: SourceLocation?
    /// The programs that may prove the break. A change of the manifest needs none.
    package let witnesses: [Witness]

    init(
        _ kind: Kind, _ name: String, old: APISymbol? = nil, new: APISymbol? = nil, witnesses: [Witness] = []
    ) {
        self.kind = kind
        self.name = name
        self.old = old?.declaration
        self.new = new?.declaration
        location = new?.location
        oldLocation = new == nil ? old?.location : nil
        self.witnesses = witnesses
    }

    /// Creates a change of the manifest.
    init(_ name: String, old: String?, new: String?) {
        kind = .manifest
        self.name = name
        self.old = old
        self.new = new
        location = nil
        oldLocation = nil
        witnesses = []
    }
}
