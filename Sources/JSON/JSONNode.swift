/// A JSON value that remembers where in its text it stood.
package struct JSONNode: Sendable, Equatable {
    /// What kind of value it is, with what it holds.
    package indirect enum Content: Sendable, Equatable {
        case null
        case bool(Bool)
        /// A number without fraction or exponent that fits 64 bits.
        case integer(Int)
        case number(Double)
        case string(String)
        case array([JSONNode])
        /// Members in the order of the text; a name given twice is refused by the parser.
        case object([JSONMember])
    }

    /// Converted already: escapes are resolved, and a number is one.
    package let content: Content
    /// Byte offsets in the parsed text.
    package let range: Range<Int>

    package init(_ content: Content, range: Range<Int> = 0..<0) {
        self.content = content
        self.range = range
    }

    /// The member of that name; `nil` also where this is no object.
    package subscript(name: String) -> JSONNode? {
        members?.first { $0.name == name }?.value
    }

    /// `nil` unless it is one.
    package var bool: Bool? {
        if case .bool(let value) = content { value } else { nil }
    }

    /// `nil` unless it is written without fraction and exponent and fits 64 bits: `1.0` is none.
    package var integer: Int? {
        if case .integer(let value) = content { value } else { nil }
    }

    /// Any number, whole ones too.
    package var number: Double? {
        switch content {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// `nil` unless it is one.
    package var string: String? {
        if case .string(let value) = content { value } else { nil }
    }

    /// `nil` unless it is one.
    package var array: [JSONNode]? {
        if case .array(let value) = content { value } else { nil }
    }

    /// Those of an object, in the order of the text; `nil` for anything else.
    package var members: [JSONMember]? {
        if case .object(let value) = content { value } else { nil }
    }

    /// What it is, as a message names it: `a string`, `an object`.
    package var kind: String {
        switch content {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// One `"name": value` of an object.
package struct JSONMember: Sendable, Equatable {
    /// Unescaped.
    package let name: String
    /// Byte offsets of the name in the parsed text, quotes included.
    package let nameRange: Range<Int>
    /// What stands behind the colon.
    package let value: JSONNode

    package init(name: String, nameRange: Range<Int> = 0..<0, value: JSONNode) {
        self.name = name
        self.nameRange = nameRange
        self.value = value
    }
}

/// Why a text is not JSON, and at which byte.
package struct JSONError: Error, Sendable, Equatable {
    /// Lowercase, as in "expected a value".
    package let message: String
    /// Where in the text, in bytes; its length when the text ends too soon.
    package let offset: Int

    package init(_ message: String, at offset: Int) {
        self.message = message
        self.offset = offset
    }
}
