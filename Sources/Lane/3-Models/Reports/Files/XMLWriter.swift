import Text

/// A writer of XML 1.0 with an indentation of two spaces. Characters that XML does not allow are replaced by U+FFFD.
struct XMLWriter {
    private(set) var bytes: [UInt8] = []
    private var open: [String] = []

    init() {}

    mutating func declaration() {
        bytes += #"<?xml version="1.0" encoding="UTF-8"?>"#.utf8
        bytes.append(0x0A)
    }

    mutating func start(_ name: String, _ attributes: [(String, String?)] = []) {
        tag(name, attributes, closing: ">\n")
        open.append(name)
    }

    mutating func end() {
        let name = open.removeLast()
        indent()
        bytes += "</\(name)>\n".utf8
    }

    mutating func empty(_ name: String, _ attributes: [(String, String?)] = []) {
        tag(name, attributes, closing: "/>\n")
    }

    mutating func text(_ name: String, _ attributes: [(String, String?)] = [], _ text: String) {
        tag(name, attributes, closing: ">")
        bytes += escapedForXML(text, isAttribute: false).utf8
        bytes += "</\(name)>\n".utf8
    }

    /// Returns the written bytes and clears the buffer.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private mutating func tag(_ name: String, _ attributes: [(String, String?)], closing: String) {
        indent()
        bytes += "<\(name)".utf8
        for case (let attribute, let value?) in attributes {
            bytes += " \(attribute)=\"\(escapedForXML(value, isAttribute: true))\"".utf8
        }
        bytes += closing.utf8
    }

    private mutating func indent() {
        bytes.append(contentsOf: repeatElement(0x20, count: open.count * 2))
    }
}
