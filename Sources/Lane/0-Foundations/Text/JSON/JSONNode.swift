/// A JSON value with its range in the parsed text.
package struct JSONNode: Sendable, Equatable {
    /// The kind of a JSON value, with its contents.
    package enum Content: Sendable, Equatable {
        case null
        case bool(Bool)
        /// A number without fraction or exponent that fits in 64 bits.
        case integer(Int)
        case number(Double)
        case string(String)
        case array([JSONNode])
        /// The members in the order of the text; the parser rejects duplicate names.
        case object([JSONMember])
    }

    /// The decoded value.
    package let content: Content
    /// The byte offsets of the value in the parsed text.
    package let range: Range<Int>

    package init(_ content: Content, range: Range<Int> = 0..<0) {
        self.content = content
        self.range = range
    }

    /// The value of the member with the given name; `nil` if there is none or the value isn't an object.
    package subscript(name: String) -> JSONNode? {
        members?.first { $0.name == name }?.value
    }

    /// The Boolean value; `nil` if the value isn't a Boolean.
    package var bool: Bool? {
        if case .bool(let value) = content { value } else { nil }
    }

    /// The integer value; `nil` if the value has a fraction or an exponent, as in `1.0`, doesn't fit in 64 bits, or
    /// isn't a number.
    package var integer: Int? {
        if case .integer(let value) = content { value } else { nil }
    }

    /// The number, including integers; `nil` if the value isn't a number.
    package var number: Double? {
        switch content {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The string; `nil` if the value isn't a string.
    package var string: String? {
        if case .string(let value) = content { value } else { nil }
    }

    /// The elements; `nil` if the value isn't an array.
    package var array: [JSONNode]? {
        if case .array(let value) = content { value } else { nil }
    }

    /// The members in the order of the text; `nil` if the value isn't an object.
    package var members: [JSONMember]? {
        if case .object(let value) = content { value } else { nil }
    }

    /// The kind of the value with an article, for messages: `a string`, `an object`.
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

/// A member of an object, `"name": value`.
package struct JSONMember: Sendable, Equatable {
    /// The name, with escapes decoded.
    package let name: String
    /// The byte offsets of the name in the parsed text, including its quotes.
    package let nameRange: Range<Int>
    package let value: JSONNode
}

/// A syntax error in a JSON text.
package struct JSONError: Error, Sendable, Equatable {
    /// The message in lowercase, such as "expected a value".
    package let message: String
    /// The byte offset of the error; the length of the text if it ends too early.
    package let offset: Int

    package init(_ message: String, at offset: Int) {
        self.message = message
        self.offset = offset
    }
}
