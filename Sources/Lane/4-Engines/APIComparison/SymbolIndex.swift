import Events
import Text

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
