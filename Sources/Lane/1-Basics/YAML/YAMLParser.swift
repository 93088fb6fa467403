import CYaml
package import Text

/// A parser of YAML documents that uses libyaml and records the exact source range of every node.
package enum YAMLParser {
    /// The maximum depth of nesting, which prevents a stack overflow in recursive functions.
    static let maximumDepth = 64
    /// The maximum number of nodes that aliases may add, which prevents exponential expansion ("billion laughs").
    static let maximumAliasedNodes = 10_000

    /// Returns the root node and the diagnostics of a file. The node is `nil` if the file isn't valid YAML or contains
    /// no document.
    ///
    /// Reports all duplicate keys and merge keys. Parsing stops at the first error of any other kind.
    package static func parse(_ file: SourceFile) -> (node: YAMLNode?, diagnostics: Diagnostics) {
        guard file.bytes.count < Int(Int32.max) else {
            return (nil, Diagnostics([Diagnostic(.error, "the file is too large", at: Span(file: file, range: 0..<0))]))
        }
        switch CharacterOffsets.make(for: file.bytes) {
        case .notUTF8(let offset): return (nil, Diagnostics([notUTF8(file, at: offset)]))
        case .offsets(let offsets): return parse(file, offsets)
        }
    }

    private static func notUTF8(_ file: SourceFile, at offset: Int) -> Diagnostic {
        Diagnostic(
            .error, file.isUTF16 ? "expected UTF-8, found UTF-16" : "expected UTF-8, found an invalid byte",
            at: Span(file: file, range: offset..<offset + 1), hint: "save the file as UTF-8")
    }

    private static func parse(
        _ file: SourceFile, _ offsets: CharacterOffsets
    ) -> (node: YAMLNode?, diagnostics: Diagnostics) {
        // libyaml keeps a pointer to the parser, so the parser must not move.
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { parser.deallocate() }
        guard yaml_parser_initialize(parser) == 1 else { preconditionFailure("no memory for libyaml's buffers") }
        defer { yaml_parser_delete(parser) }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)

        var builder = YAMLTreeBuilder(file: file, offsets: offsets)
        return file.bytes.withUnsafeBufferPointer { bytes in
            let text = UnsafeBufferPointer(rebasing: bytes[offsets.start...])
            yaml_parser_set_input_string(parser, text.baseAddress, text.count)
            while true {
                var event = yaml_event_t()
                guard yaml_parser_parse(parser, &event) == 1 else {
                    builder.diagnostics.add(SyntaxError(parser.pointee, in: file, offsets).diagnostic)
                    return (nil, builder.diagnostics)
                }
                defer { yaml_event_delete(&event) }
                switch builder.handle(event) {
                case .continue: continue
                case .done: return (builder.root, builder.diagnostics)
                case .failed: return (nil, builder.diagnostics)
                }
            }
        }
    }
}

/// A conversion of libyaml's marks, which count characters, to byte offsets in the file.
struct CharacterOffsets {
    enum Result {
        case offsets(CharacterOffsets)
        /// The offset of the first byte that is not valid UTF-8.
        case notUTF8(Int)
    }

    /// The offset of the first byte after a byte order mark, if there is one; otherwise, 0.
    let start: Int
    /// The byte offset of each character and of the end; `nil` if the text is ASCII.
    private let table: [Int32]?

    static func make(for bytes: [UInt8]) -> Result {
        var union: UInt8 = 0
        for byte in bytes { union |= byte }
        if union < 0x80 { return .offsets(CharacterOffsets(start: 0, table: nil)) }

        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var table: [Int32] = []
        var offset = start
        var iterator = bytes[start...].makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar):
                table.append(Int32(offset))
                offset += scalar.count
            case .error: return .notUTF8(offset)
            case .emptyInput:
                table.append(Int32(offset))
                return .offsets(CharacterOffsets(start: start, table: table))
            }
        }
    }

    func byte(of mark: yaml_mark_t) -> Int { byte(ofCharacter: Int(mark.index)) }

    func byte(ofCharacter index: Int) -> Int {
        guard let table else { return index }
        return Int(table[min(index, table.count - 1)])
    }
}
