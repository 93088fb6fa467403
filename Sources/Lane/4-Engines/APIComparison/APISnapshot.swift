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
