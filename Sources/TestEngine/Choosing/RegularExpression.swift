#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A POSIX extended regular expression, found anywhere in a text. `\d` stands for a digit as in other dialects.
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

    private static func inPOSIX(_ pattern: String) -> String {
        var isEscaped = false
        var result = ""
        for character in pattern {
            if isEscaped, character == "d" {
                result.removeLast()
                result += "[0-9]"
            } else {
                result.append(character)
            }
            isEscaped = character == "\\" && !isEscaped
        }
        return result
    }
}
