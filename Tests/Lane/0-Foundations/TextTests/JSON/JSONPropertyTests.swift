import TestSupport
import Testing

@testable import Text

@Suite struct JSONPropertyTests {
    private static let strings = Generator<String> { source in
        let pieces = ["a", "\"", "\\", "\n", "\u{1}", "\u{7F}", "ü", "😀", "\u{2028}", "/", " ", "\0", "e\u{301}"]
        var text = ""
        while source.draw(upTo: 3) > 0, text.count < 12 {
            text += pieces[Int(source.draw(upTo: UInt64(pieces.count - 1)))]
        }
        return text
    }

    private static func content(_ depth: Int) -> Generator<JSONNode.Content> {
        Generator { source in
            switch source.draw(upTo: depth > 0 ? 6 : 4) {
            case 0: return .null
            case 1: return .bool(source.draw(upTo: 1) == 1)
            case 2: return .integer(Int(truncatingIfNeeded: source.draw(upTo: .max)))
            case 3:
                let value = Double(bitPattern: source.draw(upTo: .max))
                return value.isFinite && (value != value.rounded() || abs(value) >= 1e15)
                    ? .number(value) : .number(0.5)
            case 4: return .string(try strings.generate(&source))
            case 5: return .array(try content(depth - 1).array(count: 0...4).generate(&source).map { JSONNode($0) })
            default:
                var members: [JSONMember] = []
                for index in 0..<Int(source.draw(upTo: 3)) {
                    members.append(
                        JSONMember(
                            name: "\(index)" + (try strings.generate(&source)), nameRange: 0..<0,
                            value: JSONNode(try content(depth - 1).generate(&source))))
                }
                return .object(members)
            }
        }
    }

    @Test func valuesRoundTrip() {
        checkProperty("JSON round-trips", Self.content(4), cases: 1000) { content in
            for layout in [JSONWriter.Layout.compact, .indented] {
                var writer = JSONWriter(layout)
                JSONNode(content).write(to: &writer)
                let read = try JSONParser.parse(writer.bytes)
                guard read.isSame(as: JSONNode(content)) else { return false }
            }
            return true
        }
    }

    /// Mutated JSON.
    private static let mutants = Generator<[UInt8]> { source in
        var bytes = Array(#"{"a": [1, -2.5e3, "x\u00e4\uD83D\uDE00\n"], "b": {"c": null, "d": true}}"#.utf8)
        let pieces = Array("{}[]\",:\\u0e-+.tfn \n".utf8)
        for _ in 0..<source.draw(upTo: 6) {
            let index = Int(source.draw(upTo: UInt64(bytes.count)))
            switch source.draw(upTo: 3) {
            case 0: if index < bytes.count { bytes.remove(at: index) }
            case 1: if index < bytes.count { bytes[index] = UInt8(source.draw(upTo: 255)) }
            case 2: bytes.insert(pieces[Int(source.draw(upTo: UInt64(pieces.count - 1)))], at: index)
            default: bytes = Array(bytes[..<index])
            }
        }
        return bytes
    }

    @Test func noInputTrapsAndRangesAreInBounds() {
        checkProperty("JSON survives mutation", Self.mutants, cases: 5000) { bytes in
            do {
                let node = try JSONParser.parse(bytes)
                var writer = JSONWriter()
                node.write(to: &writer)
                let range = node.range
                return try range.upperBound <= bytes.count && JSONParser.parse(writer.bytes).isSame(as: node)
            } catch let error as JSONError {
                return (0...bytes.count).contains(error.offset)
            }
        }
    }
}

extension JSONNode {
    fileprivate func write(to writer: inout JSONWriter) {
        switch content {
        case .null: writer.null()
        case .bool(let value): writer.value(value)
        case .integer(let value): writer.value(value)
        case .number(let value): writer.value(value)
        case .string(let value): writer.value(value)
        case .array(let nodes):
            writer.array { writer in
                for node in nodes { node.write(to: &writer) }
            }
        case .object(let members):
            writer.object { writer in
                for member in members {
                    writer.name(member.name)
                    member.value.write(to: &writer)
                }
            }
        }
    }

    /// Returns a Boolean value that indicates whether two nodes have the same content, regardless of their ranges.
    fileprivate func isSame(as other: JSONNode) -> Bool {
        switch (content, other.content) {
        case (.array(let one), .array(let two)): one.elementsEqual(two) { $0.isSame(as: $1) }
        case (.object(let one), .object(let two)):
            one.elementsEqual(two) { Array($0.name.utf8) == Array($1.name.utf8) && $0.value.isSame(as: $1.value) }
        case (.string(let one), .string(let two)): Array(one.utf8) == Array(two.utf8)
        default: number == other.number && content.isLike(other.content)
        }
    }
}

extension JSONNode.Content {
    fileprivate func isLike(_ other: JSONNode.Content) -> Bool {
        switch (self, other) {
        case (.integer, .number), (.number, .integer): true
        default: self == other
        }
    }
}
