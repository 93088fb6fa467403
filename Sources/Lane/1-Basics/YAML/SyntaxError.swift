import CYaml
import Text

/// A syntax error from libyaml, converted to a diagnostic.
struct SyntaxError {
    let diagnostic: Diagnostic

    init(_ parser: yaml_parser_t, in file: SourceFile, _ offsets: CharacterOffsets) {
        let problem = parser.problem.map { String(cString: $0) } ?? "the text is not YAML"
        if parser.error == YAML_READER_ERROR {
            let offset = min(offsets.start + Int(parser.problem_offset), max(file.bytes.count - 1, 0))
            diagnostic = Diagnostic(
                .error, "control characters are not allowed in YAML",
                at: Span(file: file, range: offset..<min(offset + 1, file.bytes.count)),
                hint: "use an escape in double quotes")
            return
        }
        if problem == Self.unexpectedColon,
            let glued = Self.gluedColon(before: min(offsets.byte(of: parser.problem_mark), file.bytes.count), in: file)
        {
            diagnostic = glued
            return
        }
        let mark = offsets.byte(of: parser.problem_mark)
        let offset = min(mark, file.bytes.count)
        let context = offsets.byte(of: parser.context_mark)
        let byte = offset < file.bytes.count ? file.bytes[offset] : nil
        let (message, hint, isAtContext) = Self.wording(problem, byte: byte)
        let start = isAtContext && parser.context != nil ? min(context, file.bytes.count) : offset
        let end = start < file.bytes.count && file.bytes[start] != UInt8(ascii: "\n") ? start + 1 : start
        let isInFlow = problem.hasSuffix("',' or ']'") || problem.hasSuffix("',' or '}'")
        let opening = isInFlow && context < start ? Span(file: file, range: context..<context + 1) : nil
        let isExpression = isInFlow && file.bytes[..<start].last == UInt8(ascii: "$") && byte == UInt8(ascii: "{")
        diagnostic = Diagnostic(
            .error, message, at: Span(file: file, range: start..<end),
            hint: isExpression
                ? "quote a string that contains '${{'"
                : isInFlow && Self.commentHidesEnd(of: file.bytes[context..<start])
                    ? "put a value with '#' in quotes, because it starts a comment"
                    : Self.scriptHint(problem, file, at: start) ?? Self.blockHint(problem, file.bytes[..<start])
                        ?? hint,
            note: opening.map { .init("opened here", at: $0) })
    }

    private static let unexpectedColon = "mapping values are not allowed in this context"

    /// Returns the error for a line such as `summary:x` before another key. Without the space, both lines are one key.
    private static func gluedColon(before end: Int, in file: SourceFile) -> Diagnostic? {
        let lines = file.bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count > 1 else { return nil }
        let line = lines[lines.count - 2]
        let key = line.prefix { $0.isIdentifierContinuation || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: " ") }
        let depth = lines[lines.count - 1].prefix { $0 == UInt8(ascii: " ") }.count
        guard key.prefix(while: { $0 == UInt8(ascii: " ") }).count == depth, key.count > depth, key.endIndex + 1 < end,
            !key.dropFirst(depth).contains(UInt8(ascii: " ")),
            file.bytes[key.endIndex] == UInt8(ascii: ":"),
            !file.bytes[key.endIndex + 1].isBlank, ![0x0A, 0x0D].contains(file.bytes[key.endIndex + 1])
        else { return nil }
        let name = String(decoding: key.dropFirst(depth), as: UTF8.self)
        return Diagnostic(
            .error, "expected a space after ':'", at: Span(file: file, range: key.endIndex..<key.endIndex + 1),
            hint: "write '\(name): …'")
    }

    /// Returns a Boolean value that indicates whether a list or mapping in brackets has a comment after a value, as in
    /// `[#fff, #000]`, and the comment contains the closing bracket.
    private static func commentHidesEnd(of text: ArraySlice<UInt8>) -> Bool {
        text.split(separator: UInt8(ascii: "\n")).contains { line in
            var quote: UInt8?
            for index in line.indices {
                let byte = line[index]
                if let open = quote {
                    if byte == open { quote = nil }
                } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                    quote = byte
                } else if byte == UInt8(ascii: "#"), line[..<index].last == UInt8(ascii: " ") {
                    let end = line[index...]
                    let isAfterComma = line[..<index].last { $0 != UInt8(ascii: " ") } == UInt8(ascii: ",")
                    return !isAfterComma && end.contains { $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "}") }
                }
            }
            return false
        }
    }

    /// Returns the hint for a line that belongs to a text below `|`, or that follows a value in quotes.
    private static func scriptHint(_ problem: String, _ file: SourceFile, at start: Int) -> String? {
        let before = file.bytes[..<start].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard let own = before.last else { return nil }
        if problem == "did not find expected key", let last = own.last(where: { $0 != UInt8(ascii: " ") }),
            last == UInt8(ascii: "'") || last == UInt8(ascii: "\"")
        {
            return "quotes at the start of a value end it; write the value on the line below 'key: |'"
        }
        guard problem.contains("could not find expected ':'") || problem.contains("did not find expected"),
            own.allSatisfy({ $0 == UInt8(ascii: " ") })
        else { return nil }
        // The lines of the text are indented more than the line that starts it.
        for line in before.dropLast().reversed() where !line.allSatisfy({ $0 == UInt8(ascii: " ") }) {
            let depth = line.prefix { $0 == UInt8(ascii: " ") }.count
            let end = line.last { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }
            if end == UInt8(ascii: "|") || end == UInt8(ascii: ">") {
                return
                    "indent all lines below '\(end == UInt8(ascii: "|") ? "|" : ">")' the same, and more than its key"
            }
            if depth <= own.count { return nil }
        }
        return nil
    }

    /// Returns the hint for ': ' in a value that has quotes inside, such as a shell command. Quotes around it would need
    /// escapes.
    private static func blockHint(_ problem: String, _ text: ArraySlice<UInt8>) -> String? {
        guard problem == unexpectedColon,
            let line = String(decoding: text, as: UTF8.self).lines.last,
            line.contains("\"") || line.contains("'"), let key = Substring(line).before(":").split(separator: " ").last
        else { return nil }
        return "write the value on the line below '\(key): |'"
    }

    /// Returns the message and hint for a message of libyaml, and a Boolean value that indicates whether the diagnostic
    /// belongs at the start of the enclosing construct (libyaml's context mark).
    private static func wording(_ problem: String, byte: UInt8?) -> (String, String?, Bool) {
        switch problem {
        case "found character that cannot start any token":
            return byte == UInt8(ascii: "\t")
                ? ("tabs are not allowed as indentation", "use spaces", false)
                : ("a plain string cannot start with this character", "quote the string", false)
        case "found a tab character that violates indentation",
            "found a tab character where an indentation space is expected":
            return ("tabs are not allowed as indentation", "use spaces", false)
        case "mapping values are not allowed in this context":
            return ("unexpected ':'", "quote a string that contains ': ', or check the indentation", false)
        case "block sequence entries are not allowed in this context":
            return ("unexpected '-'", "start a list on a new line", false)
        case "could not find expected ':'":
            return ("expected ':' after this", "check the indentation and the quotes above", true)
        case "did not find expected key":
            return ("expected a key, as in the lines above", "check the indentation and the quotes", false)
        case "did not find expected '-' indicator":
            return ("expected '-', as in the lines above", "check the indentation", false)
        case "found unexpected end of stream": return ("the quote that opens here is never closed", nil, true)
        case "did not find expected ',' or ']'": return ("expected ',' or ']' in a list in brackets", nil, false)
        case "did not find expected ',' or '}'": return ("expected ',' or '}' in a mapping in braces", nil, false)
        case "found unknown escape character":
            return ("unknown escape in double quotes", "use single quotes for a string with backslashes", false)
        case "did not find expected hexdecimal number":
            return (
                "expected hexadecimal digits after the escape", "use single quotes for a string with backslashes", false
            )
        case "did not find expected alphabetic or numeric character":
            return ("expected the name of an anchor", "quote a string that starts with '*' or '&'", false)
        case "did not find expected <document start>":
            return ("expected the end of the file", "check the indentation", false)
        case "found unexpected document indicator": return ("the quote that opens here is never closed", nil, true)
        default: return (problem.hasPrefix("found ") ? "unexpected: " + problem.dropFirst(6) : problem, nil, false)
        }
    }
}
