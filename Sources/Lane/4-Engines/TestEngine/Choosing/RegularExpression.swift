import CLibrary

/// A POSIX extended regular expression that is searched in a text. It also supports `\d`, `\w` and `\s`, including in
/// brackets.
final class RegularExpression {
    struct Malformed: Error, Equatable {
        let reason: String
    }

    private var compiled = regex_t()

    init(_ pattern: String) throws(Malformed) {
        let code = regcomp(&compiled, Self.inPOSIX(pattern), REG_EXTENDED | REG_NOSUB)
        guard code == 0 else {
            var text = [CChar](repeating: 0, count: 256)
            regerror(code, &compiled, &text, text.count)
            throw Malformed(
                reason: String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
    }

    deinit { regfree(&compiled) }

    func matches(_ text: String) -> Bool { regexec(&compiled, text, 0, nil, 0) == 0 }

    /// The character classes without a POSIX equivalent, as the content of a bracket expression.
    private static let classes: [Unicode.Scalar: String] = ["d": "0-9", "w": "[:alnum:]_", "s": "[:space:]"]

    private static func inPOSIX(_ pattern: String) -> String {
        var result = String.UnicodeScalarView()
        var rest = pattern.unicodeScalars[...]
        // The number of scalars in the current brackets. A bracket in first position is literal.
        var inBrackets: Int?
        while let scalar = rest.popFirst() {
            if scalar == "\\", let next = rest.first, let members = classes[next] {
                rest.removeFirst()
                result.append(contentsOf: (inBrackets == nil ? "[\(members)]" : members).unicodeScalars)
            } else if scalar == "\\", inBrackets == nil, let next = rest.popFirst() {
                result.append(contentsOf: [scalar, next])
            } else if inBrackets != nil, scalar == "[", rest.first == ":",
                let end = rest.dropFirst().firstIndex(of: ":")
            {
                result.append(scalar)
                result.append(contentsOf: rest[...end])
                rest = rest[end...].dropFirst()
                if rest.first == "]", let bracket = rest.popFirst() { result.append(bracket) }
            } else {
                result.append(scalar)
                switch (scalar, inBrackets) {
                case ("[", nil): inBrackets = 0
                case ("]", let count?) where count > 0: inBrackets = nil
                case ("^", 0): break
                default: inBrackets = inBrackets.map { $0 + 1 }
                }
                continue
            }
            inBrackets = inBrackets.map { $0 + 1 }
        }
        return String(result)
    }
}
