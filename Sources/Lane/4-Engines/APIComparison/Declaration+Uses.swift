import Text

/// The parts of a declaration in a program that uses it.
extension Declaration {
    var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }

    /// The global actors. Other attributes start with a lowercase letter and do not affect a call.
    var isolation: [String] { attributes.filter { $0.dropFirst().first?.isUppercase ?? false } }

    /// The result, or `nil` if there is none.
    var result: String? { type == "()" || type == "Void" ? nil : type }

    /// The words of the accessors. Those of a stored property are not written.
    var accessorWords: [Substring] {
        (accessors ?? (keyword == "let" ? "get" : "get set")).split(separator: " ")
    }

    /// The words before an expression with these effects.
    var marks: String {
        (effectWords.contains { $0.contains("throws") } ? "try " : "") + (effectWords.contains("async") ? "await " : "")
    }

    private var effectWords: [Substring] {
        (effects + " " + (keyword == "subscript" ? accessors ?? "" : "")).split(separator: " ")
    }

    /// The effects of a function that uses the declaration.
    var callEffects: String {
        guard keyword == "subscript" else { return effects }
        return effectWords.filter { $0 == "async" || $0.hasPrefix("throws") }.joined(separator: " ")
    }

    var genericArguments: String {
        guard !generics.isEmpty else { return "" }
        let names = generics.dropFirst().dropLast().split(separator: ",").map { part in
            part.split(separator: " ").first { $0 != "each" && $0 != "let" }.map { $0.split(separator: ":")[0] } ?? ""
        }
        return "<\(names.joined(separator: ", "))>"
    }

    /// Returns the words before `func` of a private function in place of this declaration.
    func head(isStatic: Bool, isNonisolated: Bool) -> String {
        let kept = modifiers.filter { $0 == "mutating" || $0 == "consuming" || $0 == "nonisolated" }
        let words = isolation + (isNonisolated && !kept.contains("nonisolated") ? ["nonisolated"] : []) + ["private"]
        return (words + (isStatic ? ["static"] : []) + kept).joined(separator: " ") + " "
    }
}
