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
