import Text

/// Functions that quote words for a POSIX shell.
package enum ShellWords {
    /// Returns the quoted form of a word, which a shell reads as exactly this text.
    package static func quoted(_ word: String) -> String { shellQuoted(word) }

    /// Returns the command line of some words.
    package static func line(_ words: [String]) -> String {
        var bytes: [UInt8] = []
        for (index, word) in words.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: " ")) }
            bytes.appendShellQuoted(word)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a Boolean value that indicates whether a shell script contains `$name` or `${name`.
    static func mentions(_ name: String, in text: String) -> Bool {
        let bytes = Array(text.utf8)
        let name = Array(name.utf8)
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "$") {
            var rest = bytes[(index + 1)...]
            if rest.first == UInt8(ascii: "{") { rest = rest.dropFirst() }
            if rest.starts(with: name), rest.dropFirst(name.count).first?.isIdentifierContinuation != true {
                return true
            }
        }
        return false
    }
}
