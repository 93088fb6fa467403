package import Expressions
import LaneModel
package import Text

/// A JSON encoding of a step's outputs. An empty set of outputs is encoded as no bytes.
package enum OutputsJSON {
    package static func encode(_ results: [String: Value]) -> [UInt8] {
        guard !results.isEmpty else { return [] }
        var writer = JSONWriter()
        write(results, &writer)
        return writer.bytes
    }

    package static func decode(_ bytes: [UInt8]) -> [String: Value] {
        guard !bytes.isEmpty, let node = try? JSONParser.parse(bytes) else { return [:] }
        return results(in: node)
    }

    package static func results(in node: JSONNode) -> [String: Value] {
        Dictionary((node.members ?? []).map { ($0.name, value($0.value)) }) { $1 }
    }

    package static func write(_ results: [String: Value], _ writer: inout JSONWriter) {
        write(.map(results.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }), &writer)
    }

    private static func write(_ value: Value, _ writer: inout JSONWriter) {
        switch value {
        case .null: writer.null()
        case .bool(let value): writer.value(value)
        case .integer(let value): writer.value(value)
        case .string(let value): writer.value(value)
        case .list(let values):
            writer.array { writer in
                for value in values { write(value, &writer) }
            }
        case .map(let members):
            writer.object { writer in
                for (name, value) in members {
                    writer.name(name)
                    write(value, &writer)
                }
            }
        }
    }

    private static func value(_ node: JSONNode) -> Value {
        if let bool = node.bool { return .bool(bool) }
        if let integer = node.integer { return .integer(integer) }
        if let string = node.string { return .string(string) }
        if let array = node.array { return .list(array.map(value)) }
        if let members = node.members { return .map(members.map { ($0.name, value($0.value)) }) }
        return .null
    }
}
