/// Returns the quoted form of a word, which a POSIX shell reads as exactly this text.
package func shellQuoted(_ word: String) -> String {
    var bytes: [UInt8] = []
    bytes.appendShellQuoted(word)
    return String(decoding: bytes, as: UTF8.self)
}

extension [UInt8] {
    /// Appends a text as one word of a POSIX shell. Adds single quotes if a byte is special to the shell.
    package mutating func appendShellQuoted(_ word: String) {
        guard word.isEmpty || word.utf8.contains(where: { !$0.isPlainInShell }) else {
            append(contentsOf: word.utf8)
            return
        }
        let quote = UInt8(ascii: "'")
        append(quote)
        // A quote and a combining mark after it are one `Character`, but the shell still sees the quote.
        for byte in word.utf8 {
            if byte == quote { self += [quote, UInt8(ascii: "\\"), quote, quote] } else { append(byte) }
        }
        append(quote)
    }
}

extension UInt8 {
    fileprivate var isPlainInShell: Bool {
        switch self {
        case UInt8(ascii: "+")...UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "="),
            UInt8(ascii: "%"):
            true
        default: isIdentifierContinuation
        }
    }
}

/// Returns text that is escaped for XML or HTML. In XML attributes, line breaks and tabs become character references,
/// because parsers would replace them by spaces. `keepsLines` disables this for HTML.
package func escapedForXML(_ text: String, isAttribute: Bool, keepsLines: Bool = false) -> String {
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
private func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), 0xEF: true
    default: false
    }
}
