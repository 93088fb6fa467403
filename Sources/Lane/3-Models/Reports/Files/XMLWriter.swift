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
        bytes += Self.escaped(text, isAttribute: false).utf8
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
            bytes += " \(attribute)=\"\(Self.escaped(value, isAttribute: true))\"".utf8
        }
        bytes += closing.utf8
    }

    private mutating func indent() {
        bytes.append(contentsOf: repeatElement(0x20, count: open.count * 2))
    }

    /// Returns escaped text. In XML attributes, line breaks and tabs become character references, because parsers would
    /// replace them by spaces. `keepsLines` disables this for HTML.
    static func escaped(_ text: String, isAttribute: Bool, keepsLines: Bool = false) -> String {
        guard text.utf8.contains(where: isSpecial) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 32)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "&"): result += "&amp;".utf8
            case UInt8(ascii: "<"): result += "&lt;".utf8
            case UInt8(ascii: ">"): result += "&gt;".utf8
            case UInt8(ascii: "\"") where isAttribute: result += "&quot;".utf8
            case 0x0A where isAttribute && !keepsLines: result += "&#10;".utf8
            case 0x09 where isAttribute: result += "&#9;".utf8
            case 0x0D: result += "&#13;".utf8
            case 0..<0x20 where byte != 0x0A && byte != 0x09: result += "\u{FFFD}".utf8
            // U+FFFE and U+FFFF differ from U+FFFD only in their last byte.
            case 0xBE...0xBF where index > 1 && bytes[index - 1] == 0xBF && bytes[index - 2] == 0xEF:
                result.append(0xBD)
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns a Boolean value that indicates whether a byte may need an escape. U+FFFE and U+FFFF start with 0xEF.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), 0xEF: true
        default: false
        }
    }
}
