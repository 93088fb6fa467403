import Text

/// The programs with types that conform to a protocol.
extension WitnessWriter {
    /// Returns programs with types that conform to a protocol.
    func conformances(to symbol: APISymbol) -> [Witness] {
        let protocols = old.protocols(of: symbol.name)
        let requirements = old.requirements(of: symbol.name)
        var declarations = requirements.map(\.declaration)
        // A protocol of the package with the same name is another one.
        for name in protocols where old.type(name)?.kind != "protocol" {
            let standard = StandardProtocol.requirements(of: name)
            // A repeated requirement determines the associated types.
            let isRepeated = standard.contains { one in
                !Self.isAssociated(one) && requirements.contains { Self.isSame($0.declaration, one) }
            }
            for declaration in standard
            where !declarations.contains(where: { Self.isSame($0, declaration) })
                && !(isRepeated && Self.isAssociated(declaration))
            {
                declarations.append(declaration)
            }
        }
        let fixed = fixedTypes(of: protocols)
        var kinds = [(kind: "struct", type: "Int"), (kind: "final class", type: "Int")]
        if protocols.contains("Actor") { kinds = [(kind: "actor", type: "Int")] }
        // `Any` conforms to nothing, so it fails with a new constraint.
        if declarations.contains(where: { Self.isFree($0) && fixed[Declaration($0).name] == nil }) {
            kinds.append((kind: kinds[0].kind, type: "Any"))
        }
        return kinds.map { kind, type in
            var lines = ["private \(kind) Witness: \(symbol.name) {"]
            // A class with a variable is neither `Sendable` nor `Hashable` without more code.
            if kind == "final class" { lines.append("    private var witness = 0") }
            lines += declarations.map { declaration in
                "    " + implementation(of: declaration, inClass: kind != "struct", with: type, fixed)
            }
            lines.append("}")
            let foreign = requirements.flatMap { modules(of: $0) }
            return Witness(lines, importing: modules(of: symbol, foreign))
        }
    }

    /// Returns a Boolean value that indicates whether one member implements two requirements.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Declaration(one), Declaration(other))
        return one.keyword == other.keyword && one.name == other.name && one.isStatic == other.isStatic
            && one.parameters?.map(\.label) == other.parameters?.map(\.label)
    }

    /// Returns a Boolean value that indicates whether a requirement is an associated type that any type satisfies.
    private static func isFree(_ declaration: String) -> Bool {
        isAssociated(declaration) && !declaration.contains(":")
    }

    private static func isAssociated(_ declaration: String) -> Bool { declaration.hasPrefix("associatedtype ") }

    /// Returns the associated types that protocols fix, such as `UInt8` for `Element` in `where Self.Element == UInt8`.
    private func fixedTypes(of protocols: [String]) -> [String: String] {
        var types: [String: String] = [:]
        for constraint in protocols.flatMap({ Self.constraints(of: old.type($0)) }) {
            let sides = constraint.replacing("Self.", with: "").parts(separatedBy: " == ")
            if sides.count == 2 { types[String(sides[0])] = String(sides[1]) }
        }
        return types
    }

    /// Returns the constraints in the `where` clause of a protocol or an associated type.
    private static func constraints(of symbol: APISymbol?) -> [String] {
        guard let clause = symbol?.declaration.parts(separatedBy: " where ").dropFirst().first else { return [] }
        return clause.parts(separatedBy: ", ").map(String.init)
    }

    /// Returns generic programs that need the constraints that a protocol, or its associated type, has lost.
    func lostConstraints(of parent: APISymbol, _ symbol: APISymbol, new: APISymbol) -> [Witness] {
        let kept = Set(Self.constraints(of: new))
        return Self.constraints(of: symbol).filter { !kept.contains($0) }.compactMap { constraint in
            let isSame = constraint.contains(" == ")
            let sides = constraint.parts(separatedBy: isSame ? " == " : " : ").map { side in
                side == "Self" ? "T" : side.replacing("Self.", with: "T.")
            }
            guard sides.count == 2 else { return nil }
            let lines =
                isSame
                ? [
                    "private func witness<T: \(parent.name)>(_ type: T.Type, _ value: \(sides[0])) -> \(sides[1]) { return value }"
                ]
                : [
                    "private func require<U: \(sides[1])>(_ type: U.Type) {}",
                    "private func witness<T: \(parent.name)>(_ type: T.Type) { require(\(sides[0]).self) }",
                ]
            return Witness(lines, importing: modules(of: parent))
        }
    }

    /// Returns the implementation of a requirement. An associated type without constraint is the given one, unless the
    /// protocols fix it.
    private func implementation(
        of declaration: String, inClass: Bool, with type: String, _ fixed: [String: String]
    ) -> String {
        let parsed = Declaration(declaration)
        let text = declaration.replacing("Self.", with: "")
        switch parsed.keyword {
        case "associatedtype":
            let isSequence = ["Sequence", "Collection"].contains { text.contains($0) }
            let other = isSequence ? "[Int]" : Self.isFree(text) ? type : "Int"
            return "typealias \(parsed.name) = \(fixed[parsed.name] ?? other)"
        case "var", "subscript": return "\(Self.text(text, before: " {")) { \(accessors(of: parsed)) }"
        case "init": return "\(text) { fatalError() }"
        default:
            return (inClass ? text.replacing("mutating ", with: "") : text) + " { fatalError() }"
        }
    }
}

/// The requirements of protocols of the standard library, which symbol graphs don't contain.
///
/// A protocol of a package may inherit from them. Numbers other than `Numeric`, and `SetAlgebra` are missing, because they
/// have many requirements.
enum StandardProtocol {
    /// Returns the declarations that a type named `Witness` must implement to conform to a protocol.
    static func requirements(of name: String) -> [String] {
        (own[name] ?? []) + (bases[name].map { requirements(of: $0) } ?? [])
    }

    private static let bases = [
        "RandomAccessCollection": "BidirectionalCollection", "BidirectionalCollection": "Collection",
        "MutableCollection": "Collection", "RangeReplaceableCollection": "Collection",
        "OptionSet": "RawRepresentable", "Hashable": "Equatable", "Comparable": "Equatable", "Strideable": "Comparable",
        "LosslessStringConvertible": "CustomStringConvertible", "SignedNumeric": "Numeric",
        "Numeric": "AdditiveArithmetic", "AdditiveArithmetic": "Equatable",
    ]

    /// The requirements without those of the protocol from which each inherits.
    static let own = [
        "Equatable": ["static func == (a: Witness, b: Witness) -> Bool"],
        "Hashable": ["func hash(into hasher: inout Hasher)"],
        "Comparable": ["static func < (a: Witness, b: Witness) -> Bool"],
        "Strideable": ["func distance(to other: Witness) -> Int", "func advanced(by n: Int) -> Witness"],
        "Identifiable": ["associatedtype ID: Hashable", "var id: ID { get }"],
        "CaseIterable": ["static var allCases: [Witness] { get }"],
        "RawRepresentable": [
            "associatedtype RawValue", "var rawValue: RawValue { get }", "init?(rawValue: RawValue)",
        ],
        "OptionSet": ["associatedtype RawValue: FixedWidthInteger", "init(rawValue: RawValue)"],
        "Encodable": ["func encode(to encoder: any Encoder) throws"],
        "Decodable": ["init(from decoder: any Decoder) throws"],
        "CodingKey": [
            "var stringValue: String { get }", "var intValue: Int? { get }", "init?(stringValue: String)",
            "init?(intValue: Int)",
        ],
        "CustomStringConvertible": ["var description: String { get }"],
        "LosslessStringConvertible": ["init?(_ description: String)"],
        "CustomDebugStringConvertible": ["var debugDescription: String { get }"],
        "CustomReflectable": ["var customMirror: Mirror { get }"],
        "TextOutputStream": ["mutating func write(_ string: String)"],
        "TextOutputStreamable": ["func write<T: TextOutputStream>(to target: inout T)"],
        "IteratorProtocol": ["associatedtype Element", "mutating func next() -> Element?"],
        "Sequence": ["associatedtype Element", "func makeIterator() -> AnyIterator<Element>"],
        "Collection": [
            "associatedtype Element", "associatedtype Index: Comparable", "var startIndex: Index { get }",
            "var endIndex: Index { get }", "subscript(position: Index) -> Element { get }",
            "func index(after i: Index) -> Index",
        ],
        "BidirectionalCollection": ["func index(before i: Index) -> Index"],
        "MutableCollection": ["subscript(position: Index) -> Element { get set }"],
        "RangeReplaceableCollection": [
            "init()",
            "mutating func replaceSubrange<C: Collection>(_ range: Range<Index>, with elements: C) where C.Element == Element",
        ],
        "AsyncIteratorProtocol": ["associatedtype Element", "mutating func next() async throws -> Element?"],
        "AsyncSequence": [
            "associatedtype Element", "func makeAsyncIterator() -> AsyncThrowingStream<Element, any Error>.Iterator",
        ],
        "AdditiveArithmetic": [
            "static var zero: Witness { get }", "static func + (a: Witness, b: Witness) -> Witness",
            "static func - (a: Witness, b: Witness) -> Witness",
        ],
        "Numeric": [
            "associatedtype Magnitude: Numeric", "var magnitude: Magnitude { get }",
            "init?<T: BinaryInteger>(exactly source: T)", "init(integerLiteral value: Int)",
            "static func * (a: Witness, b: Witness) -> Witness", "static func *= (a: inout Witness, b: Witness)",
        ],
        "ExpressibleByNilLiteral": ["init(nilLiteral: ())"],
        "ExpressibleByBooleanLiteral": ["init(booleanLiteral value: Bool)"],
        "ExpressibleByIntegerLiteral": ["init(integerLiteral value: Int)"],
        "ExpressibleByFloatLiteral": ["init(floatLiteral value: Double)"],
        "ExpressibleByUnicodeScalarLiteral": ["init(unicodeScalarLiteral value: String)"],
        "ExpressibleByExtendedGraphemeClusterLiteral": ["init(extendedGraphemeClusterLiteral value: String)"],
        "ExpressibleByStringLiteral": ["init(stringLiteral value: String)"],
        "ExpressibleByStringInterpolation": ["init(stringLiteral value: String)"],
        "ExpressibleByArrayLiteral": [
            "associatedtype ArrayLiteralElement", "init(arrayLiteral elements: ArrayLiteralElement...)",
        ],
        "ExpressibleByDictionaryLiteral": [
            "associatedtype Key: Hashable", "associatedtype Value", "init(dictionaryLiteral elements: (Key, Value)...)",
        ],
    ]
}
