extension Collection<UInt8> {
    /// Appends the bytes to `text` as one word of a POSIX shell. Adds single quotes if a byte is special to the shell.
    package func appendShellQuoted(to text: inout [UInt8]) {
        guard isEmpty || contains(where: { !$0.isPlainInShell }) else {
            text += self
            return
        }
        let quote = UInt8(ascii: "'")
        text.append(quote)
        // A quote and a combining mark after it are one `Character`, but the shell still sees the quote.
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
