extension Collection<UInt8> {
    /// Appends the bytes to `text` as a word that a POSIX shell reads back as exactly these bytes: in single quotes, unless
    /// no byte has a meaning to the shell.
    package func appendShellQuoted(to text: inout [UInt8]) {
        guard isEmpty || contains(where: { !$0.isPlainInShell }) else {
            text += self
            return
        }
        let quote = UInt8(ascii: "'")
        text.append(quote)
        // By bytes: a quote with a combining mark behind it is one `Character`, but still a quote to the shell.
        for byte in self {
            if byte == quote { text += [quote, UInt8(ascii: "\\"), quote, quote] } else { text.append(byte) }
        }
        text.append(quote)
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
