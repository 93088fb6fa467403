/// A strict reader of the XML in reports: tags, attributes, text, the five entities and references.
struct XMLDocument {
    struct Element {
        let name: String
        let attributes: [String: String]
        let parent: String?
        var children: [String] = []
    }

    struct Failure: Error {
        let message: String
    }

    private(set) var elements: [Element] = []
    private var rest: Substring

    init(_ text: String) throws {
        guard text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") else {
            throw Failure(message: "no declaration")
        }
        rest = text.dropFirst(39)
        var open: [Int] = []
        while let start = rest.firstIndex(of: "<") {
            _ = try unescaped(String(rest[..<start]))
            rest = rest[rest.index(after: start)...]
            guard let end = rest.firstIndex(of: ">") else { throw Failure(message: "a tag has no end") }
            var tag = rest[..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("/") {
                guard let last = open.popLast(), elements[last].name == tag.dropFirst() else {
                    throw Failure(message: "unexpected <\(tag)>")
                }
                continue
            }
            let isEmpty = tag.hasSuffix("/")
            if isEmpty { tag.removeLast() }
            let name = String(tag.prefix { $0 != " " })
            let element = Element(
                name: name, attributes: try attributes(tag.dropFirst(name.count)),
                parent: open.last.map { elements[$0].name })
            if let last = open.last { elements[last].children.append(name) }
            elements.append(element)
            if !isEmpty { open.append(elements.count - 1) }
        }
        guard open.isEmpty else { throw Failure(message: "an element has no end") }
    }

    func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

    private func attributes(_ text: Substring) throws -> [String: String] {
        var attributes: [String: String] = [:]
        var text = text.drop { $0 == " " }
        while !text.isEmpty {
            let name = String(text.prefix { $0 != "=" })
            text = text.dropFirst(name.count)
            guard text.hasPrefix("=\"") else { throw Failure(message: "'\(name)' has no value") }
            let value = text.dropFirst(2).prefix { $0 != "\"" }
            guard attributes.updateValue(try unescaped(String(value)), forKey: name) == nil else {
                throw Failure(message: "'\(name)' twice")
            }
            text = text[value.endIndex...].dropFirst().drop { $0 == " " }
        }
        return attributes
    }

    private func unescaped(_ text: String) throws -> String {
        var result = ""
        var text = Substring(text)
        while let character = text.popFirst() {
            let scalars = character.unicodeScalars
            guard
                scalars.allSatisfy({
                    $0 == "\t" || $0 == "\n" || $0 == "\r" || $0.value >= 0x20 && $0.value < 0xFFFE || $0.value > 0xFFFF
                })
            else { throw Failure(message: "a character that XML cannot hold") }
            guard character == "&" else {
                result.append(character)
                continue
            }
            let entity = text.prefix { $0 != ";" }
            text = text.dropFirst(entity.count + 1)
            let known = [
                "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "#10": "\n", "#9": "\t", "#13": "\r",
            ]
            guard let replacement = known[String(entity)] else { throw Failure(message: "unknown &\(entity);") }
            result += replacement
        }
        return result
    }
}
