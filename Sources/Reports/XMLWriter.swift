/// Writes XML 1.0 with two spaces a level; whatever XML cannot hold becomes U+FFFD.
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

    /// Hands over what was written and goes on with empty hands.
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

    /// Line ends and tabs in an attribute are written as references, or a parser would make spaces of them.
    static func escaped(_ text: String, isAttribute: Bool) -> String {
        guard text.utf8.contains(where: isSpecial) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"" where isAttribute: result.append(contentsOf: "&quot;".unicodeScalars)
            case "\n" where isAttribute: result.append(contentsOf: "&#10;".unicodeScalars)
            case "\t" where isAttribute: result.append(contentsOf: "&#9;".unicodeScalars)
            case "\r": result.append(contentsOf: "&#13;".unicodeScalars)
            case "\n", "\t": result.append(scalar)
            default:
                let isAllowed = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                result.append(isAllowed ? scalar : "\u{FFFD}")
            }
        }
        return String(result)
    }

    /// Whether a byte may be one to be escaped: most texts have none. U+FFFE and U+FFFF begin with 0xEF.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), 0xEF: true
        default: false
        }
    }
}
