import SwiftPackages

/// The variable or function that gets the value of an expression.
struct DeclaredName {
    let text: String
    /// A Boolean value that indicates whether only the function around it sees the name.
    private(set) var isLocal = false
    /// A Boolean value that indicates whether other modules may see the name.
    private(set) var isExported = false

    private static let types: Set<String> = ["struct", "class", "enum", "extension", "actor", "protocol"]

    /// - Parameter index: The index of the expression.
    init?(_ tokens: [SwiftToken], at index: Int) {
        var place = index - 1
        while place >= 0, tokens[place] == .lineBreak { place -= 1 }
        guard place > 0 else { return nil }
        let keyword: Int?
        if tokens[place].is("=") {
            guard let (name, start) = Self.assigned(tokens, before: place) else { return nil }
            (text, keyword) = (name, start)
        } else {
            guard let start = Self.body(tokens, at: place), let name = tokens[start + 1].word else { return nil }
            (text, keyword) = (name, start)
        }
        // A property may be assigned in any function.
        guard let keyword else { return }
        isLocal = Self.isInFunction(tokens, at: keyword)
        let modifiers = tokens[..<keyword].reversed().prefix { token in
            token != .lineBreak && !token.is("{") && !token.is("}") && !token.is(";")
        }
        let isVisible = { (word: String?) in ["public", "package", "open"].contains(word) }
        isExported =
            modifiers.contains { isVisible($0.word) }
            || tokens.indices.dropLast().contains { isVisible(tokens[$0].word) && tokens[$0 + 1].word == "extension" }
    }

    /// Returns the name before an equals sign, and the index of its `let` or `var`, if any.
    private static func assigned(_ tokens: [SwiftToken], before index: Int) -> (name: String, keyword: Int?)? {
        var name: String?
        var depth = 0
        for place in stride(from: index - 1, through: 0, by: -1) {
            let token = tokens[place]
            if token == .lineBreak || token.is("{") || token.is(";") { break }
            if ["let", "var"].contains(token.word) { return name.map { ($0, place) } }
            if token.is(")") || token.is("]") { depth += 1 }
            if token.is("(") || token.is("[") { depth -= 1 }
            if token.is(","), depth == 0 { break }
            if let word = token.word, word != "self" { name = word }
        }
        return name.map { ($0, nil) }
    }

    /// Returns the index of the `func` or `var` whose body returns an expression after an index.
    private static func body(_ tokens: [SwiftToken], at index: Int) -> Int? {
        let isReturn = tokens[index].word == "return"
        guard isReturn || tokens[index].is("{") else { return nil }
        for place in stride(from: index - 1, through: 0, by: -1) {
            if !isReturn, tokens[place].is("}") || tokens[place].is("{") { return nil }
            if ["func", "var"].contains(tokens[place].word) { return place }
        }
        return nil
    }

    /// Returns a Boolean value that indicates whether braces that belong to no type surround an index.
    private static func isInFunction(_ tokens: [SwiftToken], at index: Int) -> Bool {
        var depth = 0
        var place = index - 1
        while place >= 0 {
            if tokens[place].is("}") { depth += 1 }
            if tokens[place].is("{") {
                if depth == 0 {
                    let head = tokens[..<place].reversed().prefix { !$0.is("{") && !$0.is("}") && !$0.is(";") }
                    if !head.contains(where: { $0.word.map(types.contains) ?? false }) { return true }
                } else {
                    depth -= 1
                }
            }
            place -= 1
        }
        return false
    }
}
