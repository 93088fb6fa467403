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
            "init?<T: BinaryInteger>(exactly source: T)",
            "init(integerLiteral value: Int)", "static func * (a: Witness, b: Witness) -> Witness",
            "static func *= (a: inout Witness, b: Witness)",
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
