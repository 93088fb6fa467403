import Text

/// A search for syntax of Bash in a script for `sh`, which other shells reject or, worse, read as something else:
/// `if [[ … ]]` and `if [ a == a ]` are false, and `echo -e` prints the option.
///
/// The search reads words, quotes and comments, and ends at a here-document. It may overlook something, but what it finds
/// is outside single quotes and comments.
package struct BashSyntax {
    /// Commands and keywords that other shells don't have.
    package static let commands: Set<String> = [
        "[[", "coproc", "declare", "function", "let", "mapfile", "popd", "pushd", "readarray", "select", "shopt",
        "source", "typeset",
    ]
    /// The events of `trap` that are no signals.
    private static let traps: Set<String> = ["DEBUG", "ERR", "RETURN"]
    /// The words after which a command begins.
    private static let openers: Set<String> = [
        "!", "do", "elif", "else", "if", "then", "time", "until", "while", "{",
    ]

    private var rest: ArraySlice<UInt8>
    private var word: [UInt8] = []
    private var isQuoted = false
    private var beginsCommand = true
    /// A Boolean value that indicates whether the words are those of a condition: `[ … ]` or `test …`.
    private var isCondition = false
    private var lastWord = ""
    /// The first word of the current command.
    private var command = ""

    private init(_ script: String) {
        rest = ArraySlice(script.utf8)
    }

    /// Returns the first syntax of Bash in quotes, such as `'[['`, or `nil` if there is none.
    package static func first(in script: String) -> String? {
        var search = BashSyntax(script)
        return search.find().map { "'\($0)'" }
    }

    /// Returns the hint on a syntax that `first(in:)` returned.
    package static func hint(for syntax: String) -> String {
        if syntax.hasPrefix("'set ") { return "remove it, because a pipeline fails with its first failing command" }
        return ["'echo -e'": "write 'printf'", "'=='": "write '='"][syntax]
            ?? "write 'run: { command: …, shell: bash -euo pipefail }'"
    }

    private mutating func find() -> String? {
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"): word += [byte] + [rest.popFirst()].compactMap(\.self)
            case UInt8(ascii: "'") where !isQuoted: skip(to: byte)
            case UInt8(ascii: "\""):
                isQuoted.toggle()
                word.append(byte)
            case UInt8(ascii: "$") where rest.starts(with: "{{".utf8): skipExpression()
            case UInt8(ascii: "$") where !isQuoted && rest.first == UInt8(ascii: "'"): return "$'…'"
            case UInt8(ascii: "$") where !isQuoted && rest.starts(with: "((".utf8):
                word.append(byte)
                _ = skipArithmetic()
            case UInt8(ascii: "$") where rest.first == UInt8(ascii: "{"):
                if let found = expansion() { return found }
                word.append(byte)
            case _ where isQuoted: word.append(byte)
            case UInt8(ascii: "#") where word.isEmpty: skip(to: UInt8(ascii: "\n"), keeping: true)
            default: if let found = operation(byte) { return found }
            }
        }
        return endWord()
    }

    /// Reads an unquoted byte that may be an operator.
    private mutating func operation(_ byte: UInt8) -> String? {
        let next = rest.first
        switch byte {
        case UInt8(ascii: "<") where rest.starts(with: "<<".utf8): return "<<<"
        case UInt8(ascii: "<") where next == UInt8(ascii: "<"):
            let found = endWord()
            rest = []
            return found
        case UInt8(ascii: "<") where next == UInt8(ascii: "("), UInt8(ascii: ">") where next == UInt8(ascii: "("):
            return "\(Character(Unicode.Scalar(byte)))(…)"
        case UInt8(ascii: "&") where next == UInt8(ascii: ">"): return "&>"
        case UInt8(ascii: "|") where next == UInt8(ascii: "&"): return "|&"
        case UInt8(ascii: "(") where word.last == UInt8(ascii: "=") && isName(word.dropLast()):
            return "\(String(decoding: word, as: UTF8.self))(…)"
        case UInt8(ascii: "(") where next == byte && lastWord == "for": return "for ((…))"
        case UInt8(ascii: "(") where next == byte && beginsCommand && word.isEmpty && isArithmetic: return "((…))"
        case UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "\n"):
            let found = endWord()
            (beginsCommand, isCondition, lastWord) = (true, false, "")
            return found
        case _ where byte.isSpace: return endWord()
        default:
            word.append(byte)
            return nil
        }
    }

    /// Ends a word, and returns it if it is a command of Bash.
    private mutating func endWord() -> String? {
        guard !word.isEmpty else { return nil }
        let text = String(decoding: word, as: UTF8.self)
        word = []
        defer { lastWord = text }
        if beginsCommand, Self.commands.contains(text) { return text }
        if beginsCommand, text == "[" || text == "test" { isCondition = true }
        if isCondition, text == "==" { return text }
        if isRange(text) { return text }
        if beginsCommand { command = text } else if let option = option(text) { return option }
        beginsCommand = Self.openers.contains(text)
        return nil
    }

    /// Returns a word of a command that is also in other shells, and the words before it, if only Bash has it there.
    private func option(_ word: String) -> String? {
        switch command {
        case "set" where word == "pipefail": "set \(lastWord) pipefail"
        case "trap" where Self.traps.contains(word): "trap … \(word)"
        case "read" where lastWord == command && word.hasPrefix("-") && word.contains { "adeinNstu".contains($0) }:
            "read \(word)"
        case lastWord where ["echo -e", "printf -v"].contains("\(command) \(word)"): "\(command) \(word)"
        default: nil
        }
    }

    /// Returns the expansion after `$` if only Bash has it, such as `${x^^}`, `${x:0:1}`, `${x/a/b}` and `${x[0]}`.
    private func expansion() -> String? {
        let content = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }
        let name = content.prefix(while: \.isIdentifierContinuation)
        let after = content.dropFirst(name.count)
        let inner = content.dropFirst().first
        let isIndirect = content.first == UInt8(ascii: "!") && inner?.isIdentifierContinuation == true
        guard isIndirect || !name.isEmpty, let first = after.first else { return nil }
        let isSubstring =
            first == UInt8(ascii: ":") && after.dropFirst().first.map { !"-=?+".utf8.contains($0) } ?? false
        guard isIndirect || isSubstring || "^,/[@".utf8.contains(first) else { return nil }
        return "${\(String(decoding: content, as: UTF8.self))}"
    }

    private func isName(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(\.isIdentifierContinuation)
    }

    /// Returns a Boolean value that indicates whether a word is a range such as `{1..3}`.
    private func isRange(_ text: String) -> Bool {
        guard text.hasPrefix("{"), text.hasSuffix("}") else { return false }
        let ends = text.dropFirst().dropLast().split(separator: ".", omittingEmptySubsequences: false)
        return ends.count == 3 && ends[1].isEmpty && [ends[0], ends[2]].allSatisfy { Int($0) != nil }
    }

    private mutating func skip(to end: UInt8, keeping keepsEnd: Bool = false) {
        word.append(UInt8(ascii: "'"))
        if keepsEnd { word = [] }
        rest = rest.drop { $0 != end }
        if !keepsEnd { rest = rest.dropFirst() }
    }

    /// A Boolean value that indicates whether the parentheses that `rest` continues are `((…))`, and not two subshells.
    private var isArithmetic: Bool {
        var search = self
        search.rest = [UInt8(ascii: "(")] + rest
        return search.skipArithmetic()
    }

    /// Skips `((…))`. Returns `false` for other parentheses, which end one by one.
    private mutating func skipArithmetic() -> Bool {
        var depth = 0
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            if depth == 1, byte == UInt8(ascii: ")") { return rest.popFirst() == byte }
        }
        return false
    }

    private mutating func skipExpression() {
        word.append(UInt8(ascii: "$"))
        while !rest.isEmpty, !rest.starts(with: "}}".utf8) { rest.removeFirst() }
        rest = rest.dropFirst(2)
    }
}
