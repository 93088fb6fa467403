/// The tags of an XML text, in order, without the text between them.
///
/// Comments, CDATA sections, processing instructions and declarations are skipped. The text need not be well-formed,
/// because reports of interrupted runs may end anywhere.
struct XMLTags {
    struct Tag: Equatable {
        let name: String
        var attributes: [(name: String, value: String)] = []
        /// A Boolean value that indicates whether the tag is `</name>`.
        var isEnd = false
        /// A Boolean value that indicates whether the tag is `<name/>`.
        var isEmpty = false

        subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

        static func == (one: Tag, other: Tag) -> Bool {
            one.name == other.name && one.isEnd == other.isEnd && one.isEmpty == other.isEmpty
                && one.attributes.elementsEqual(other.attributes, by: ==)
        }
    }

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Calls `body` with every complete tag.
    func forEach(_ body: (Tag) -> Void) {
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...]
            if rest.starts(with: "<!--".utf8) {
                rest = Self.after("-->", in: rest)
            } else if rest.starts(with: "<![CDATA[".utf8) {
                rest = Self.after("]]>", in: rest)
            } else if rest.starts(with: "<?".utf8) || rest.starts(with: "<!".utf8) {
                rest = Self.after(">", in: rest)
            } else {
                var reader = TagReader(rest: rest.dropFirst())
                if let tag = reader.read() { body(tag) }
                rest = reader.rest
            }
        }
    }

    private static func after(_ end: String, in rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = Array(end.utf8)
        var rest = rest
        while let place = rest.firstIndex(of: end[0]) {
            rest = rest[place...]
            if rest.starts(with: end) { return rest.dropFirst(end.count) }
            rest = rest.dropFirst()
        }
        return []
    }
}

private struct TagReader {
    var rest: ArraySlice<UInt8>

    /// Reads a tag after its `<`. Returns `nil` if the text ends within it.
    mutating func read() -> XMLTags.Tag? {
        let isEnd = rest.first == UInt8(ascii: "/")
        if isEnd { rest = rest.dropFirst() }
        var tag = XMLTags.Tag(name: name(), isEnd: isEnd)
        while true {
            rest = rest.drop { $0 <= UInt8(ascii: " ") }
            guard let byte = rest.first else { return nil }
            if byte == UInt8(ascii: ">") {
                rest = rest.dropFirst()
                return tag
            }
            if byte == UInt8(ascii: "/") {
                rest = rest.dropFirst()
                tag.isEmpty = true
                continue
            }
            let name = name()
            guard !name.isEmpty else { return nil }
            guard let value = value() else { return nil }
            tag.attributes.append((name, value))
        }
    }

    private mutating func name() -> String {
        let name = rest.prefix { $0 > UInt8(ascii: " ") && !"=/>\"'<".utf8.contains($0) }
        rest = rest.dropFirst(name.count)
        return String(decoding: name, as: UTF8.self)
    }

    private mutating func value() -> String? {
        rest = rest.drop { $0 <= UInt8(ascii: " ") }
        guard rest.first == UInt8(ascii: "=") else { return nil }
        rest = rest.dropFirst().drop { $0 <= UInt8(ascii: " ") }
        guard let quote = rest.popFirst(), "\"'".utf8.contains(quote), let end = rest.firstIndex(of: quote) else {
            return nil
        }
        let value = rest[..<end]
        rest = rest[end...].dropFirst()
        return Self.decoded(value)
    }

    private static let entities = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]

    /// Returns a value with its character references decoded. Unknown references are not changed.
    private static func decoded(_ value: ArraySlice<UInt8>) -> String {
        let parts = value.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            guard index > 0 else { return String(decoding: part, as: UTF8.self) }
            guard let end = part.firstIndex(of: UInt8(ascii: ";")) else {
                return "&" + String(decoding: part, as: UTF8.self)
            }
            let name = String(decoding: part[..<end], as: UTF8.self)
            let after = String(decoding: part[end...].dropFirst(), as: UTF8.self)
            return (character(name) ?? "&\(name);") + after
        }.joined()
    }

    private static func character(_ name: String) -> String? {
        if let known = entities[name] { return known }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap { Unicode.Scalar($0) }.map { String(Character($0)) }
    }
}
