package import Diagnostics

import ASCII

/// Reads dotenv files: one `NAME=value` a line.
///
/// `export ` before the name is passed over, `#` begins a comment at the start of a line or after white space. Single
/// quotes take everything as it is; double quotes know `\n`, `\t`, `\r`, `\"`, `\\` and `\$`; both may go over several
/// lines. A `$` stands for itself: nothing is looked up and nothing is run.
package enum DotEnv {
    /// One variable of a file.
    package struct Variable: Sendable, Equatable {
        /// What stands before the sign, without `export`.
        package let name: String
        /// Without its quotes, escapes resolved.
        package let value: String
        /// Where the name stands.
        let span: Span
    }

    /// The variables in the order of the file; a name given twice is an error.
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
        while index < bytes.count, bytes[index].isOfName {
            index += 1
        }
        return start..<index
    }

    /// A whole `NAME=value`; `false` after a report, somewhere in the line.
    private mutating func line() -> Bool {
        var name = word()
        if file.text(in: name) == "export", index < bytes.count, bytes[index] == 0x20 {
            skipBlanks()
            name = word()
        }
        guard let first = name.first, bytes[first].beginsName else {
            let end = min(max(name.upperBound, name.lowerBound + 1), bytes.count)
            diagnostics.error("expected the name of a variable", at: span(name.lowerBound..<end))
            return false
        }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
            diagnostics.error(
                "expected '=' right after the name '\(file.text(in: name))'",
                at: span(index..<min(index + 1, bytes.count)))
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

    private mutating func add(_ name: String, _ value: String, at span: Span) {
        if let first = firstSpans[name] {
            diagnostics.add(
                Diagnostic(
                    .error, "'\(name)' is given twice", at: span,
                    notes: [Diagnostic.Note("first given here", at: first)]))
            return
        }
        firstSpans[name] = span
        variables.append(DotEnv.Variable(name: name, value: value, span: span))
    }

    private mutating func value() -> String? {
        guard !isAtLineEnd else { return "" }
        switch bytes[index] {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return quoted(bytes[index])
        default: return plain()
        }
    }

    /// Up to the end of the line or a comment, without the white space before it.
    private mutating func plain() -> String? {
        let start = index
        var end = index
        while !isAtLineEnd {
            if bytes[index] == UInt8(ascii: "#"), index == start || bytes[index - 1].isBlank {
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
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), index + 1 < bytes.count {
                value += Self.unescaped(bytes[index + 1])
                index += 2
            } else {
                value.append(byte)
                index += 1
            }
        }
        diagnostics.error("the quote that opens here is never closed", at: span(start..<start + 1))
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
