import Text

/// A writer of block-style YAML with the same meaning in YAML 1.1 and 1.2.
package struct YAMLWriter {
    private var text = ""

    private init() {}

    /// Returns the text of a document, which ends in a line feed.
    package static func text(of node: YAMLNode) -> String {
        var writer = YAMLWriter()
        switch node.content {
        case .mapping(let members) where !members.isEmpty: writer.write(members, indent: 0)
        case .sequence(let elements) where !elements.isEmpty: writer.write(elements, indent: 0)
        default: writer.writeInline(node, indent: 0)
        }
        return writer.text
    }

    private mutating func write(_ members: [YAMLMember], indent: Int, startsIndented: Bool = true) {
        for (index, member) in members.enumerated() {
            if startsIndented || index > 0 { pad(indent) }
            text += Self.quoted(member.name, asKey: true) + ":"
            switch member.value.content {
            case .mapping(let inner) where !inner.isEmpty:
                text += "\n"
                write(inner, indent: indent + 2)
            case .sequence(let elements) where !elements.isEmpty:
                text += "\n"
                write(elements, indent: indent + 2)
            default:
                if !isEmptyPlain(member.value) { text += " " }
                writeInline(member.value, indent: indent + 2)
            }
        }
    }

    private mutating func write(_ elements: [YAMLNode], indent: Int) {
        for element in elements {
            pad(indent)
            switch element.content {
            case .mapping(let members) where !members.isEmpty:
                text += "- "
                write(members, indent: indent + 2, startsIndented: false)
            case .sequence(let inner) where !inner.isEmpty:
                text += "-\n"
                write(inner, indent: indent + 2)
            default:
                text += isEmptyPlain(element) ? "-" : "- "
                writeInline(element, indent: indent + 2)
            }
        }
    }

    private func isEmptyPlain(_ node: YAMLNode) -> Bool {
        if case .scalar(let scalar) = node.content { scalar.style == .plain && scalar.text.isEmpty } else { false }
    }

    /// Writes a scalar or an empty collection, and a line feed.
    private mutating func writeInline(_ node: YAMLNode, indent: Int) {
        switch node.content {
        case .mapping: text += "{}\n"
        case .sequence: text += "[]\n"
        case .scalar(let scalar): write(scalar, comment: nil, indent: indent)
        case .annotated(let scalar, let comment): write(scalar, comment: comment, indent: indent)
        }
    }

    private mutating func write(_ scalar: YAMLScalar, comment: String?, indent: Int) {
        if Self.fitsBlock(scalar) { return writeBlock(scalar, comment: comment, indent: indent) }
        text += scalar.style == .plain ? Self.plain(scalar) : Self.quoted(scalar.text, asKey: false)
        if let comment { text += "  # " + comment }
        text += "\n"
    }

    private mutating func writeBlock(_ scalar: YAMLScalar, comment: String?, indent: Int) {
        let lineFeed = UInt8(ascii: "\n")
        let trailing = scalar.text.utf8.reversed().prefix { $0 == lineFeed }.count
        text += "|" + (trailing == 0 ? "-" : trailing > 1 ? "+" : "")
        if let comment { text += "  # " + comment }
        text += "\n"
        let lines = scalar.text.utf8.dropLast(min(trailing, 1))
        for line in lines.split(separator: lineFeed, omittingEmptySubsequences: false) {
            if !line.isEmpty { pad(max(indent, 2)) }
            text += Substring(line) + "\n"
        }
    }

    private mutating func pad(_ indent: Int) {
        text += String(repeating: " ", count: indent)
    }

    /// Returns a Boolean value that indicates whether the scalar has several lines that a literal block can contain:
    /// only printable characters and no leading white space, which would change the indentation.
    private static func fitsBlock(_ scalar: YAMLScalar) -> Bool {
        let text = scalar.text
        guard scalar.style != .plain, text.utf8.contains(UInt8(ascii: "\n")), let first = text.utf8.first,
            first != UInt8(ascii: "\n"), first != UInt8(ascii: " "), first != UInt8(ascii: "\t"),
            text.utf8.contains(where: { $0 != UInt8(ascii: "\n") })
        else { return false }
        return text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || isPrintable($0) }
    }

    private static func plain(_ scalar: YAMLScalar) -> String {
        scalar.meaning == .string || scalar.meaning == .legacyOctal ? quoted(scalar.text, asKey: false) : scalar.text
    }

    /// Returns the text without quotes if every YAML parser reads it as a string; otherwise, in single or double quotes.
    package static func quoted(_ text: String, asKey: Bool = false) -> String {
        if isSafePlain(text) { return text }
        // `on` is a key of GitHub workflow files, where it is written without quotes.
        if asKey, text == "on" { return text }
        if !text.utf8.contains(UInt8(ascii: "'")), text.unicodeScalars.allSatisfy(isPrintable) {
            return "'" + text + "'"
        }
        return escaped(text)
    }

    private static func escaped(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where isPrintable(scalar): result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16)
                let width = scalar.value > 0xFFFF ? 8 : 4
                result += (width == 8 ? "\\U" : "\\u") + String(repeating: "0", count: width - digits.count) + digits
            }
        }
        return result + "\""
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD: true
        case 0x10000...0x10FFFF: true
        default: false
        }
    }

    private static func isSafePlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last else { return false }
        guard YAMLScalar.meaning(of: text) == .string, !["y", "n", "Y", "N", "<<", "="].contains(text) else {
            return false
        }
        let startsWell = first.isAlphanumeric || "./_$(".utf8.contains(first)
        guard startsWell, !text.hasPrefix("..."), last != UInt8(ascii: ":"), last != UInt8(ascii: " "),
            !looksLikeNumberOrTimestamp(text)
        else {
            return false
        }
        var previous: UInt8 = 0
        for byte in text.utf8 {
            guard byte >= 0x20, byte < 0x7F else { return false }
            if previous == UInt8(ascii: ":"), byte == UInt8(ascii: " ") { return false }
            if previous == UInt8(ascii: " "), byte == UInt8(ascii: "#") { return false }
            // The braces of an expression at the start need no quotes in block style.
            if "[]{},\"`".utf8.contains(byte), !text.hasPrefix("${{") { return false }
            previous = byte
        }
        return true
    }

    /// Returns a Boolean value that indicates whether YAML 1.1 could read the text as a sexagesimal number such as
    /// `12:30`, or as a timestamp.
    private static func looksLikeNumberOrTimestamp(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0.isDigit || ":-._+eETZ ".utf8.contains($0) }
    }
}
