/// A declaration of a source without the bodies of its functions.
struct SwiftDeclaration {
    enum Kind: Equatable {
        /// A type or a global type alias, which code uses by its name.
        case type
        case `extension`(hasConformance: Bool)
        /// A function, a computed property, or a property outside the values of a type.
        case function
        /// A test. Nothing calls it by its name, and it satisfies no requirement.
        case test
        /// A property with storage, an initializer, a subscript, a case of an enumeration, or an alias in a type.
        case part
        /// An operator function in a type or an extension, with an operand of that type.
        case operatorFunction
        case `import`
        /// A declaration that may affect code that does not contain its name, such as an operator.
        case other
    }

    /// A type or an extension around a declaration.
    struct Container: Equatable {
        let name: String
        let isExtension: Bool
    }

    let kind: Kind
    /// The names by which other code uses the declaration.
    let names: Set<String>
    /// A Boolean value that indicates whether it has the modifier `private`.
    var isPrivate = false
    let containers: [Container]
    /// The text without bodies, with the types and directives around it. It identifies the declaration.
    var key: [UInt8]
    /// The words outside bodies and outside the name of an extended type.
    var words: Set<String>
    /// The attributes that may be macros, property wrappers or result builders.
    let attributes: Set<String>
    /// A Boolean value that indicates whether a type has a superclass or conforms to a protocol.
    var mayInherit = false
    var bodies: [SwiftOutline.Body] = []
}
