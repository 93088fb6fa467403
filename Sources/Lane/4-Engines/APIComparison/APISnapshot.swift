import Events
package import Text

/// The public declarations of a version of a package, and their relationships.
package struct APISnapshot: Sendable {
    /// A type that conforms to a protocol or inherits from a class.
    struct Relation: Sendable, Hashable {
        /// The name of the type.
        let source: String
        /// The name of the protocol or class without module.
        let target: String
        /// The module of a target outside the package.
        let module: String?
        let isInheritance: Bool
        /// The conditions of the conformance.
        let constraints: [String]
    }

    private(set) var symbols: [String: APISymbol] = [:]
    /// The extensions of types of other modules, by identifier.
    private(set) var extensions: [String: APISymbol] = [:]
    /// The identifiers of the requirements with the names of their protocols.
    private(set) var requirements: [String: String] = [:]
    /// The identifiers of the requirements with a default implementation.
    private(set) var defaulted: Set<String> = []
    private(set) var relations: Set<Relation> = []
    private(set) var modules: Set<String> = []
    /// The modules that no product contains. Clients reach only what the declarations of other modules name.
    private(set) var internalModules: Set<String> = []
    /// The identifiers of types with those of the protocols to which they conform and the classes from which they inherit.
    private var supertypes: [String: [String]] = [:]
    /// The modules of the package's C targets, which declarations with types of C import.
    let modulesOfC: [String]

    package init(modulesOfC: [String] = []) {
        self.modulesOfC = modulesOfC
    }

    /// Adds the symbol graphs of a module and those of its extensions of other modules.
    ///
    /// - Parameters:
    ///   - module: The module that clients import, which may re-export another.
    ///   - root: The directory to which the locations are relative.
    ///   - isInternal: A Boolean value that indicates whether no product contains the module.
    package mutating func add(_ graphs: [JSONNode], module: String, root: String, isInternal: Bool = false) {
        modules.insert(module)
        if isInternal { internalModules.insert(module) }
        for symbol in graphs.flatMap({ $0["symbols"]?.array ?? [] }) {
            guard let symbol = APISymbol(symbol, module: module, root: root) else { continue }
            if symbol.kind == "extension" {
                extensions[symbol.identifier] = symbol
            } else {
                symbols[symbol.identifier] = symbol
            }
        }
        for relationship in graphs.flatMap({ $0["relationships"]?.array ?? [] }) { add(relationship) }
    }

    private mutating func add(_ node: JSONNode) {
        guard let source = node["source"]?.string, let target = node["target"]?.string else { return }
        switch node["kind"]?.string {
        case "requirementOf": requirements[source] = symbols[target]?.name
        // One with constraints does not exist for all types that conform.
        case "defaultImplementationOf" where symbols[source]?.constraints.isEmpty ?? true: defaulted.insert(target)
        case "conformsTo": addRelation(node, source, target, isInheritance: false)
        case "inheritsFrom": addRelation(node, source, target, isInheritance: true)
        default: break
        }
    }

    /// The protocols that follow from others or that no source code names.
    private static let implied: Set = ["SendableMetatype", "BitwiseCopyable", "Escapable", "Copyable"]

    private mutating func addRelation(_ node: JSONNode, _ source: String, _ target: String, isInheritance: Bool) {
        supertypes[source, default: []].append(target)
        guard let type = symbols[source] ?? extensions[source] else { return }
        var name = symbols[target]?.name
        var module: String?
        if name == nil, let parts = node["targetFallback"]?.string?.split(separator: "."), parts.count > 1 {
            name = parts.dropFirst().joined(separator: ".")
            module = String(parts[0])
        }
        guard let name, !Self.implied.contains(name), !name.hasPrefix("_") else { return }
        relations.insert(
            Relation(
                source: type.name, target: name, module: module, isInheritance: isInheritance,
                constraints: APISymbol.constraints(node["swiftConstraints"])))
    }

    /// Removes the declarations of internal modules that clients cannot use: those outside of the types that other public
    /// declarations name, or from which their types inherit. Clients use members of such types without importing the module.
    package mutating func removeUnreachable() {
        guard !internalModules.isEmpty else { return }
        let members = Dictionary(grouping: symbols.values, by: \.parentName)
        var reached = Set(symbols.values.filter { !internalModules.contains($0.module) }.map(\.identifier))
        var open = Array(reached)
        while let next = open.popLast() {
            guard let symbol = symbols[next] else { continue }
            let inner = symbol.isType ? (members[symbol.name] ?? []).map(\.identifier) : []
            for other in symbol.namedTypes.union(supertypes[next] ?? []).union(inner) where symbols[other] != nil {
                if reached.insert(other).inserted { open.append(other) }
            }
        }
        symbols = symbols.filter { reached.contains($0.key) }
        extensions = extensions.filter { !internalModules.contains($0.value.module) }
    }
}

/// The declarations of a snapshot by location, name and containing type.
struct SymbolIndex {
    let snapshot: APISnapshot
    /// The declarations in the order of their locations.
    let sorted: [APISymbol]
    private let types: [String: APISymbol]
    /// The declarations by the name of the type that contains them, in the order of their locations.
    private let members: [String: [APISymbol]]
    /// The protocols by the name of the type that conforms to them.
    private let conformances: [String: [String]]

    init(_ snapshot: APISnapshot) {
        self.snapshot = snapshot
        let located = snapshot.symbols.values.map {
            (path: $0.location?.path ?? "", line: $0.location?.line ?? 0, symbol: $0)
        }
        sorted = located.sorted {
            ($0.path, $0.line, $0.symbol.identifier) < ($1.path, $1.line, $1.symbol.identifier)
        }.map(\.symbol)
        // An extension stands for its type of another module.
        let extensions = snapshot.extensions.values.sorted { $0.identifier < $1.identifier }
        types = Dictionary((sorted.filter(\.isType) + extensions).map { ($0.name, $0) }) { first, _ in first }
        members = Dictionary(grouping: sorted, by: \.parentName)
        conformances = Dictionary(grouping: snapshot.relations.filter { !$0.isInheritance }, by: \.source)
            .mapValues { $0.map(\.target).sorted() }
    }

    /// Returns the type with a name, or an extension of it.
    func type(_ name: String) -> APISymbol? { types[name] }

    /// Returns a Boolean value that indicates whether types that conform to a protocol must implement a declaration.
    func isRequired(_ symbol: APISymbol) -> Bool {
        snapshot.requirements[symbol.identifier] != nil && !snapshot.defaulted.contains(symbol.identifier)
            && !(symbol.kind == "associatedtype" && symbol.declaration.contains(" = "))
    }

    /// Returns the cases of an enumeration.
    func cases(of name: String) -> [APISymbol] { (members[name] ?? []).filter { $0.kind == "enum.case" } }

    /// Returns the names of a protocol and of those from which it inherits, also of other modules.
    func protocols(of name: String) -> [String] {
        var names = [name]
        var known: Set = [name]
        var next = 0
        while next < names.count {
            names += (conformances[names[next]] ?? []).filter { known.insert($0).inserted }
            next += 1
        }
        return names
    }

    /// Returns the requirements of a protocol and of those from which it inherits, without those that have a default.
    func requirements(of name: String) -> [APISymbol] {
        protocols(of: name).flatMap { members[$0] ?? [] }.filter(isRequired)
    }
}
