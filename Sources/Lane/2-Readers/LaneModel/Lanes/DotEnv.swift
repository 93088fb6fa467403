package import Text

/// A parser of dotenv files with one `NAME=value` per line.
///
/// The parser skips `export ` before a name. `#` starts a comment at the start of a line or after whitespace, as in a
/// shell. Text in single quotes is literal. In double quotes, `\n`, `\t`, `\r`, `\"`, `\\` and `\$` are escapes. Quoted
/// values may have several lines, which end in `\n` in every file. `$` has no special meaning, so passwords that contain
/// it stay as they are.
package enum DotEnv {
    /// A variable in a dotenv file.
    package struct Variable: Sendable, Equatable {
        /// The name, without `export`.
        package let name: String
        /// The value, without quotes and with escapes replaced.
        package let value: String
        /// The location of the name.
        let span: Span
    }

    /// Returns the variables in the order of the file. A repeated name is an error.
    package static func parse(_ file: SourceFile) -> (variables: [Variable], diagnostics: Diagnostics) {
        var reader = DotEnvReader(file)
        reader.read()
        return (reader.variables, reader.diagnostics)
    }
}

private struct DotEnvReader {
    private let file: SourceFile
    private let bytes: [UInt8]
    private var index = 0
    private(set) var variables: [DotEnv.Variable] = []
    private(set) var diagnostics = Diagnostics()
    private var firstSpans: [String: Span] = [:]

    init(_ file: SourceFile) {
        self.file = file
        bytes = file.bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    mutating func read() {
        if file.isUTF16 {
            diagnostics.error("expected UTF-8, found UTF-16", at: span(0..<1), hint: "save the file as UTF-8")
            return
        }
        while index < bytes.count {
            skipBlanks()
            if isAtLineEnd || bytes[index] == UInt8(ascii: "#") {
                skipLine()
            } else if !line() {
                skipLine()
            }
        }
    }

    private var isAtLineEnd: Bool {
        index >= bytes.count || bytes[index] == UInt8(ascii: "\n") || bytes[index] == UInt8(ascii: "\r")
    }

    private func span(_ range: Range<Int>) -> Span { Span(file: file, range: range) }

    private mutating func skipBlanks() {
        while index < bytes.count, bytes[index].isBlank { index += 1 }
    }

    private mutating func skipLine() {
        while !isAtLineEnd { index += 1 }
        let isPair = bytes[index...].starts(with: "\r\n".utf8)
        index += isPair ? 2 : 1
    }

    private mutating func word() -> Range<Int> {
        let start = index
        while index < bytes.count, bytes[index].isIdentifierContinuation {
            index += 1
        }
        return start..<index
    }

    /// Parses one `NAME=value`. Reports an error and returns `false` if the line is invalid.
    private mutating func line() -> Bool {
        var name = word()
        if file.text(in: name) == "export", index < bytes.count, bytes[index] == 0x20 {
            skipBlanks()
            name = word()
        }
        guard let first = name.first, bytes[first].isIdentifierStart else {
            let end = min(max(name.upperBound, name.lowerBound + 1), bytes.count)
            diagnostics.error("expected the name of a variable", at: span(name.lowerBound..<end))
            return false
        }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
            diagnostics.error(
                "expected '=' right after the name '\(file.text(in: name))'",
                at: span(index..<min(index + 1, bytes.count)), hint: hint(after: name))
            return false
        }
        index += 1
        skipBlanks()
        guard let value = value() else { return false }
        add(file.text(in: name), value, at: span(name))
        skipBlanks()
        if isAtLineEnd || bytes[index] == UInt8(ascii: "#") {
            skipLine()
            return true
        }
        diagnostics.error("expected the end of the line after the value", at: span(index..<index + 1))
        return false
    }

    /// Returns a hint for a name without `=`, which can be a command such as `set` or a part of the name.
    private mutating func hint(after name: Range<Int>) -> String? {
        let text = file.text(in: name)
        guard isAtLineEnd || bytes[index].isBlank || bytes[index] == UInt8(ascii: ":") else {
            return "a name has only letters, digits and '_'"
        }
        skipBlanks()
        let next = word()
        let isCommand = !next.isEmpty && index < bytes.count && bytes[index] == UInt8(ascii: "=")
        return isCommand ? "remove '\(text)'" : "write '\(text)=VALUE', without spaces around '='"
    }

    private mutating func add(_ name: String, _ value: String, at span: Span) {
        if let first = firstSpans[name] {
            diagnostics.error("'\(name)' is defined twice", at: span, note: .init("first defined here", at: first))
            return
        }
        firstSpans[name] = span
        variables.append(DotEnv.Variable(name: name, value: value, span: span))
    }

    private mutating func value() -> String? {
        guard !isAtLineEnd else { return "" }
        switch bytes[index] {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return joined()
        case UInt8(ascii: "`"):
            diagnostics.error(
                "a backtick does not quote a value", at: span(index..<index + 1),
                hint: "enclose the value in single or double quotes")
            // The lines up to the next backtick are probably a part of the value.
            index = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "`")) ?? index
            return nil
        default: return plain()
        }
    }

    /// Parses a value that starts with a quote. As in a shell, quoted and other text directly after it belongs to the
    /// value.
    private mutating func joined() -> String? {
        var value = ""
        while !isAtLineEnd, !bytes[index].isBlank {
            let start = index
            if Self.isQuote(bytes[index]) {
                guard let text = quoted(bytes[index]) else { return nil }
                value += text
                continue
            }
            while !isAtLineEnd, !bytes[index].isBlank, !Self.isQuote(bytes[index]) { index += 1 }
            guard let text = text(Array(bytes[start..<index]), start) else { return nil }
            value += text
        }
        return value
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") }

    /// Parses a value up to the end of the line or a comment, and trims whitespace. A comment follows whitespace.
    private mutating func plain() -> String? {
        let start = index
        var end = index
        while !isAtLineEnd {
            if bytes[index] == UInt8(ascii: "#"), bytes[index - 1].isBlank {
                break
            }
            index += 1
            if !bytes[index - 1].isBlank { end = index }
        }
        return text(Array(bytes[start..<end]), start)
    }

    private mutating func quoted(_ quote: UInt8) -> String? {
        let start = index
        index += 1
        var value: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            if byte == quote {
                index += 1
                return text(value, start)
            }
            if byte == UInt8(ascii: "\r") {
                value.append(UInt8(ascii: "\n"))
                index += bytes[index...].starts(with: "\r\n".utf8) ? 2 : 1
            } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), index + 1 < bytes.count,
                bytes[index + 1] != UInt8(ascii: "\r")
            {
                value += Self.unescaped(bytes[index + 1])
                index += 2
            } else {
                value.append(byte)
                index += 1
            }
        }
        let (mark, other) = quote == UInt8(ascii: "'") ? ("'", "double") : ("\"", "single")
        diagnostics.error(
            "unterminated quote", at: span(start..<start + 1),
            hint: "end the value with \(mark), or enclose it in \(other) quotes")
        return nil
    }

    private mutating func text(_ value: [UInt8], _ start: Int) -> String? {
        guard let text = String(validating: value, as: UTF8.self), !value.contains(0) else {
            diagnostics.error("expected UTF-8 without NUL", at: span(start..<start + 1), hint: "save the file as UTF-8")
            return nil
        }
        return text
    }

    private static func unescaped(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case UInt8(ascii: "n"): [0x0A]
        case UInt8(ascii: "t"): [0x09]
        case UInt8(ascii: "r"): [0x0D]
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"): [byte]
        default: [UInt8(ascii: "\\"), byte]
        }
    }
}
