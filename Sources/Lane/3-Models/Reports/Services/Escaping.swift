/// The escapes in commands of CI services.
enum Escaping {
    /// Escapes the text after `::`.
    static func githubData(_ text: String) -> String {
        replacing(text) { ["%": "%25", "\r": "%0D", "\n": "%0A"][$0] }
    }

    /// Escapes the value of a property before `::`.
    static func githubProperty(_ text: String) -> String {
        replacing(text) { ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"][$0] }
    }

    static func azureData(_ text: String) -> String {
        replacing(text) { ["%": "%AZP25", "\r": "%0D", "\n": "%0A"][$0] }
    }

    static func azureProperty(_ text: String) -> String {
        replacing(text) { ["%": "%AZP25", "\r": "%0D", "\n": "%0A", ";": "%3B", "]": "%5D"][$0] }
    }

    static func teamCity(_ text: String) -> String {
        replacing(text) { scalar in
            switch scalar {
            case "'", "|", "[", "]": return "|\(scalar)"
            case "\n": return "|n"
            case "\r": return "|r"
            default:
                guard !scalar.isASCII, scalar.value <= 0xFFFF else { return nil }
                let digits = String(scalar.value, radix: 16)
                return "|0x" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
    }

    private static func replacing(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let new = replacement(scalar) {
                result.append(contentsOf: new.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
