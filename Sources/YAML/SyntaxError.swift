import CYaml
import Diagnostics

/// A fault of syntax as libyaml found it, told in our words.
struct SyntaxFault {
    let diagnostic: Diagnostic

    init(_ parser: yaml_parser_t, in file: SourceFile, _ offsets: CharacterOffsets) {
        let problem = parser.problem.map { String(cString: $0) } ?? "the text is not YAML"
        if parser.error == YAML_READER_ERROR {
            let offset = min(offsets.start + Int(parser.problem_offset), max(file.bytes.count - 1, 0))
            diagnostic = Diagnostic(
                .error, "a control character cannot stand in YAML",
                at: Span(file: file, range: offset..<min(offset + 1, file.bytes.count)),
                hint: "write it as an escape in double quotes")
            return
        }
        let mark = offsets.byte(of: parser.problem_mark)
        let offset = min(mark, file.bytes.count)
        let context = offsets.byte(of: parser.context_mark)
        let byte = offset < file.bytes.count ? file.bytes[offset] : nil
        let (message, hint, opensAtContext) = Self.wording(problem, byte: byte)
        let place = opensAtContext && parser.context != nil ? min(context, file.bytes.count) : offset
        let end = place < file.bytes.count && file.bytes[place] != UInt8(ascii: "\n") ? place + 1 : place
        var notes: [Diagnostic.Note] = []
        let isInFlow = problem.hasSuffix("',' or ']'") || problem.hasSuffix("',' or '}'")
        if isInFlow, context < place {
            notes.append(Diagnostic.Note("it opens here", at: Span(file: file, range: context..<context + 1)))
        }
        let isExpression = isInFlow && file.bytes[..<place].last == UInt8(ascii: "$") && byte == UInt8(ascii: "{")
        diagnostic = Diagnostic(
            .error, message, at: Span(file: file, range: place..<end),
            hint: isExpression ? "put a text that holds '${{' in quotes" : hint, notes: notes)
    }

    /// Our words for libyaml's; the last part says whether the place is where the faulty thing began.
    private static func wording(_ problem: String, byte: UInt8?) -> (String, String?, Bool) {
        switch problem {
        case "found character that cannot start any token":
            return byte == UInt8(ascii: "\t")
                ? ("a tab cannot indent YAML", "use spaces", false)
                : ("a text cannot begin with this character", "put the text in quotes", false)
        case "found a tab character that violates indentation",
            "found a tab character where an indentation space is expected":
            return ("a tab cannot indent YAML", "use spaces", false)
        case "mapping values are not allowed in this context":
            return ("unexpected ':'", "put a text that holds ': ' in quotes, or check the indentation", false)
        case "block sequence entries are not allowed in this context":
            return ("unexpected '-'", "a list begins on a line of its own", false)
        case "could not find expected ':'":
            return ("expected ':' after this", "check the indentation, and the quotes above", true)
        case "did not find expected key":
            return ("expected a key, as the lines above have", "check the indentation and the quotes", false)
        case "did not find expected '-' indicator":
            return ("expected '-', as the lines above have", "check the indentation", false)
        case "found unexpected end of stream": return ("the quote that opens here is never closed", nil, true)
        case "did not find expected ',' or ']'": return ("expected ',' or ']' in the list in brackets", nil, false)
        case "did not find expected ',' or '}'": return ("expected ',' or '}' in the mapping in braces", nil, false)
        case "found unknown escape character":
            return ("unknown escape in double quotes", "use single quotes for a text with backslashes", false)
        case "did not find expected hexdecimal number":
            return ("expected hexadecimal digits after the escape", nil, false)
        case "did not find expected <document start>":
            return ("expected the end of the file", "check the indentation", false)
        case "found unexpected document indicator": return ("the quote that opens here is never closed", nil, true)
        default: return (problem.hasPrefix("found ") ? "unexpected: " + problem.dropFirst(6) : problem, nil, false)
        }
    }
}
