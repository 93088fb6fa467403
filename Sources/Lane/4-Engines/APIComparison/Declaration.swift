import Text

/// The parts of a declaration in a symbol graph.
struct Declaration: Equatable {
    struct Parameter: Equatable {
        /// The label in a call, or `nil`.
        let label: String?
        /// The name in the body, or `nil`.
        let name: String?
        /// The type with attributes such as `@escaping`.
        let type: String
        let hasDefault: Bool
    }

    private(set) var attributes: [String] = []
    private(set) var modifiers: [String] = []
    private(set) var keyword = ""
    private(set) var name = ""
    /// The generic parameters with brackets, or an empty string.
    private(set) var generics = ""
    /// The parameters, or `nil` for a declaration without parentheses.
    private(set) var parameters: [Parameter]?
    /// The effects, such as `async throws`.
    private(set) var effects = ""
    /// The type of the result or of the property, or the right side of a type alias.
    private(set) var type: String?
    /// The generic constraints, from `where`, or an empty string.
    private(set) var constraints = ""
    /// The accessors of a property without braces, such as `get set`, or `nil`.
    private(set) var accessors: String?

    private static let keywords: Set = [
        "func", "init", "init?", "init!", "var", "let", "subscript", "case", "struct", "class", "actor", "enum",
        "protocol", "typealias", "associatedtype", "macro",
    ]

    init(_ text: String) {
        var rest = Substring(text)
        readPrefix(&rest)
        readName(&rest)
        if rest.first == "<" { generics = String(Self.bracketed(&rest)) }
        let isCallable = ["func", "init", "subscript", "case", "macro"].contains(keyword)
        if isCallable, rest.first == "(" {
            let inner = Self.bracketed(&rest).dropFirst().dropLast()
            parameters = Self.split(inner, at: ",").map { Self.parameter($0, hasOneName: keyword == "subscript") }
        }
        if let brace = Self.index(of: " {", in: rest) {
            accessors = Self.trim(rest[brace...].dropFirst(2).prefix { $0 != "}" })
            rest = rest[..<brace]
        }
        if let clause = Self.index(of: " where ", in: rest) {
            constraints = Self.trim(rest[clause...])
            rest = rest[..<clause]
        }
        let mark = isCallable ? "->" : keyword == "typealias" ? "=" : ":"
        if let start = Self.index(of: mark, in: rest) {
            type = Self.trim(rest[start...].dropFirst(mark.count))
            effects = Self.trim(rest[..<start])
        } else {
            effects = Self.trim(rest)
        }
    }

    private mutating func readPrefix(_ rest: inout Substring) {
        while let first = rest.first, keyword.isEmpty {
            if first == "@" {
                let start = rest
                rest = rest.drop { $0 != " " && $0 != "(" }
                if rest.first == "(" { _ = Self.bracketed(&rest) }
                attributes.append(String(start[..<rest.startIndex]))
            } else {
                let word = rest.prefix { $0 != " " && $0 != "(" && $0 != "<" }
                rest = rest[word.endIndex...]
                // `class func` and `class var` have a modifier.
                let next = rest.drop { $0 == " " }.prefix { $0 != " " }
                if Self.keywords.contains(String(word)), word != "class" || !Self.keywords.contains(String(next)) {
                    keyword = word.hasPrefix("init") ? "init" : String(word)
                    if word.last == "?" || word.last == "!" { type = String(word.suffix(1)) }
                } else if rest.first == "(" {
                    // `unowned(safe)`, `nonisolated(unsafe)`
                    modifiers.append(word + String(Self.bracketed(&rest)))
                } else {
                    modifiers.append(String(word))
                }
                if word.isEmpty, rest.first != " " { break }
            }
            rest = rest.drop { $0 == " " }
        }
    }

    private mutating func readName(_ rest: inout Substring) {
        guard keyword != "init", keyword != "subscript" else { return }
        let isOperator = rest.first.map { !$0.isLetter && $0 != "_" && $0 != "`" } ?? false
        let word = rest.prefix { $0 != " " && (isOperator || !"(<:".contains($0)) }
        name = String(word.filter { $0 != "`" })
        rest = rest[word.endIndex...]
        if isOperator { rest = rest.drop { $0 == " " } }
    }

    private static func parameter(_ text: Substring, hasOneName: Bool) -> Parameter {
        let start = index(of: "=", in: text)
        let head = text[..<(start ?? text.endIndex)]
        guard let colon = index(of: ":", in: head) else {
            return Parameter(label: nil, name: nil, type: trim(head), hasDefault: start != nil)
        }
        // A result builder may stand before the name.
        let words = head[..<colon].split(separator: " ")
        let names = words.filter { !$0.hasPrefix("@") }.map { String($0.filter { $0 != "`" }) }
        let attributes = words.filter { $0.hasPrefix("@") }.map { $0 + " " }.joined()
        // The single name of a subscript's parameter is no label.
        let label = hasOneName && names.count == 1 ? nil : names.first
        return Parameter(
            label: label.flatMap { $0 == "_" ? nil : $0 }, name: names.last.flatMap { $0 == "_" ? nil : $0 },
            type: attributes + trim(head[colon...].dropFirst()), hasDefault: start != nil)
    }

    // MARK: Text

    /// Removes a text in brackets from the start and returns it.
    private static func bracketed(_ rest: inout Substring) -> Substring {
        let start = rest
        var depth = 0
        var last: Character = " "
        while let character = rest.popFirst() {
            if "(<[{".contains(character) { depth += 1 }
            if ")]}".contains(character) || character == ">" && last != "-" { depth -= 1 }
            last = character
            if depth == 0 { break }
        }
        return start[..<rest.startIndex]
    }

    /// Returns the start of a text outside brackets.
    private static func index(of mark: String, in text: Substring) -> Substring.Index? {
        var depth = 0
        var last: Character = " "
        for index in text.indices {
            let character = text[index]
            if depth == 0, text[index...].hasPrefix(mark), mark != "=" || !"=!<>".contains(last) { return index }
            if "(<[{".contains(character) { depth += 1 }
            if ")]}".contains(character) || character == ">" && last != "-" { depth -= 1 }
            last = character
        }
        return nil
    }

    private static func split(_ text: Substring, at mark: String) -> [Substring] {
        var rest = text
        var parts: [Substring] = []
        while let index = index(of: mark, in: rest) {
            parts.append(rest[..<index])
            rest = rest[index...].dropFirst()
        }
        return trim(rest).isEmpty ? parts : parts + [rest]
    }

    private static func trim(_ text: Substring) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

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
        let parameters = generics.dropFirst().dropLast().split(separator: ",")
        return "<\(parameters.map(Self.name).joined(separator: ", "))>"
    }

    /// Returns the name in a generic parameter such as `each T: Equatable`.
    private static func name(ofGeneric parameter: Substring) -> Substring {
        let words = parameter.split(separator: " ")
        return words.first { $0 != "each" && $0 != "let" }?.prefix { $0 != ":" } ?? ""
    }

    /// The generic constraints after a space, or an empty string.
    var clause: String { constraints.isEmpty ? "" : " \(constraints)" }

    /// Returns the words before `func` of a private function in place of this declaration.
    func head(isStatic: Bool, isNonisolated: Bool) -> String {
        let kept = modifiers.filter { $0 == "mutating" || $0 == "consuming" || $0 == "nonisolated" }
        let words = isolation + (isNonisolated && !kept.contains("nonisolated") ? ["nonisolated"] : []) + ["private"]
        return (words + (isStatic ? ["static"] : []) + kept).joined(separator: " ") + " "
    }
}
