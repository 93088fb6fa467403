import Events
import OperatingSystem
import Text

/// A public declaration in a symbol graph of the compiler.
///
/// The compiler omits declarations that are `package` or `@_spi`, that start with an underscore or are unavailable.
package struct APISymbol: Sendable, Equatable {
    /// The unified symbol resolution of the compiler, which contains the types of the signature.
    let identifier: String
    /// The kind without `swift.`, such as `type.method`.
    let kind: String
    /// The module to import.
    let module: String
    /// The names of the outer types and of the declaration: `Box`, `label(of:)`.
    let path: [String]
    /// The text of the declaration without access level.
    let declaration: String
    let isOpen: Bool
    /// The availability except for deprecation, such as `macOS introduced 13`.
    let availability: [String]
    /// The constraints of the extension that contains the declaration, such as `Element == Int`.
    let constraints: [String]
    /// The modules whose types the declaration names.
    let foreignModules: Set<String>
    /// The identifiers of the types that the declaration names.
    let namedTypes: Set<String>
    /// A Boolean value that indicates whether the declaration names a type of C, whose module is unknown.
    let namesC: Bool
    /// The location, relative to the package.
    let location: SourceLocation?

    var name: String { path.joined(separator: ".") }

    /// The name of the type that contains the declaration, or an empty string.
    var parentName: String { path.dropLast().joined(separator: ".") }

    var isType: Bool { ["struct", "class", "enum", "protocol"].contains(kind) }

    /// A Boolean value that indicates whether a newer declaration is the same to a client.
    func matches(_ newer: APISymbol) -> Bool {
        declaration == newer.declaration && isOpen == newer.isOpen && constraints == newer.constraints
            && Set(newer.availability).isSubset(of: availability)
    }

    init?(_ node: JSONNode, module: String, root: String) {
        guard let identifier = node["identifier"]?["precise"]?.string, !identifier.contains("::SYNTHESIZED::"),
            let kind = node["kind"]?["identifier"]?.string, let fragments = node["declarationFragments"]?.array
        else { return nil }
        self.identifier = identifier
        self.kind = kind.hasPrefix("swift.") ? String(kind.dropFirst("swift.".count)) : kind
        self.module = module
        path = node["pathComponents"]?.array?.compactMap(\.string) ?? []
        let text = fragments.compactMap { $0["spelling"]?.string }.joined()
        declaration = text.lines.joined(separator: " ")
        isOpen = node["accessLevel"]?.string == "open"
        availability = (node["availability"]?.array ?? []).flatMap(Self.limits)
        constraints = Self.constraints(node["swiftExtension"]?["constraints"])
        namedTypes = Set(fragments.compactMap { $0["preciseIdentifier"]?.string })
        foreignModules = Set(fragments.compactMap { $0["preciseIdentifier"]?.string.flatMap(Self.module) })
            .union([node["swiftExtension"]?["extendedModule"]?.string ?? "Swift"]).subtracting(["Swift", module])
        namesC = fragments.contains { $0["preciseIdentifier"]?.string?.hasPrefix("c:") ?? false }
        location = Self.location(node["location"], root: root)
    }

    private static func limits(_ node: JSONNode) -> [String] {
        let domain = node["domain"]?.string ?? "*"
        return ["introduced", "obsoleted"].compactMap { word in
            guard let version = node[word] else { return nil }
            let parts = ["major", "minor", "patch"].compactMap { version[$0]?.integer.map(String.init) }
            return "\(domain) \(word) \(parts.joined(separator: "."))"
        }
    }

    /// Returns generic constraints as in a `where` clause.
    static func constraints(_ node: JSONNode?) -> [String] {
        (node?.array ?? []).compactMap { constraint in
            guard let left = constraint["lhs"]?.string, let right = constraint["rhs"]?.string else { return nil }
            return left + (constraint["kind"]?.string == "sameType" ? " == " : ": ") + right
        }
    }

    /// Returns the module in an identifier such as `s:10Foundation4DataV`. Those of the standard library have none.
    private static func module(_ identifier: String) -> String? {
        guard identifier.hasPrefix("s:") else { return nil }
        let digits = identifier.dropFirst(2).prefix { $0.isASCII && $0.isNumber }
        guard let length = Int(digits) else { return nil }
        let name = String(identifier.dropFirst(2 + digits.count).prefix(length))
        return name == "FoundationEssentials" ? "Foundation" : name
    }

    private static func location(_ node: JSONNode?, root: String) -> SourceLocation? {
        guard let path = node?["uri"]?.string.flatMap(URLPath.ofFile), let line = node?["position"]?["line"]?.integer
        else { return nil }
        // Positions in symbol graphs start at 0.
        let column = node?["position"]?["character"]?.integer.map { $0 + 1 }
        return SourceLocation(path: relativePath(path, to: root), line: line + 1, column: column)
    }
}
