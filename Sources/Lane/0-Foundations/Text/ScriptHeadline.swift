/// The first command of a script, which names the script in lists and reports.
package struct ScriptHeadline: Sendable {
    /// The line with the command. Comments, the interpreter and options such as `set -eu` precede it.
    package let line: String
    /// A Boolean value that indicates whether more lines follow.
    package let continues: Bool

    package init(_ script: String) {
        // Every step of a plan has a headline, and most scripts are one line.
        guard script.withBytes({ $0.contains(where: Self.endsLine) }) else {
            (line, continues) = (script, false)
            return
        }
        var rest = script.utf8[...]
        var first: Substring?
        while true {
            rest = rest.drop(while: Self.isBlank)
            guard !rest.isEmpty else { break }
            let candidate = rest.prefix { !Self.endsLine($0) }
            rest = rest[candidate.endIndex...]
            if Self.isCommand(candidate) {
                line = String(Substring(candidate))
                continues = !rest.allSatisfy(Self.isBlank)
                return
            }
            first = first ?? Substring(candidate)
        }
        line = first.map { String($0) } ?? ""
        continues = false
    }

    /// The line, with an ellipsis if more lines follow.
    package var text: String { continues ? line + " …" : line }

    /// Returns a Boolean value that indicates whether a line is neither a comment nor only sets options of the shell.
    private static func isCommand(_ line: Substring.UTF8View) -> Bool {
        if line.first == UInt8(ascii: "#") { return false }
        let setsOptions = line.starts(with: "set -".utf8) || line.starts(with: "set +".utf8)
        return !setsOptions || line.contains { ";&|".utf8.contains($0) }
    }

    private static func endsLine(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    private static func isBlank(_ byte: UInt8) -> Bool {
        endsLine(byte) || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}
