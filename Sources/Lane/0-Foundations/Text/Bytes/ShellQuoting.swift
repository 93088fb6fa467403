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
