extension OutlineReader {
    private static let types: Set<String> = ["struct", "class", "enum", "actor", "extension"]
    private static let functions: Set<String> = ["func", "init", "deinit", "subscript", "var"]
    private static let others: Set<String> = [
        "let", "protocol", "macro", "case", "precedencegroup", "operator", "typealias", "associatedtype", "import",
    ]
    private static let accessors: Set<String> = [
        "get", "set", "willSet", "didSet", "_read", "_modify", "read", "modify", "unsafeAddress",
        "unsafeMutableAddress",
    ]
    private static let modifiers: Set<String> = [
        "private", "fileprivate", "internal", "package", "public", "open", "static", "class", "final", "override",
        "mutating", "nonmutating", "borrowing", "consuming", "__consuming", "nonisolated", "isolated", "indirect",
        "required", "convenience", "lazy", "weak", "unowned", "dynamic", "distributed", "optional", "prefix",
        "postfix", "infix", "unsafe",
    ]

    /// Attributes of functions that are not only called.
    private static let unusual: Set<String> = [
        "@_transparent", "@_dynamicReplacement", "@_specialize", "@specialized", "@_silgen_name", "@_cdecl", "@_extern",
        "@_expose", "@_semantics", "@const", "@c", "@objc", "@implementation",
    ]

    /// Attributes that change only the declaration. Others may be macros, which add declarations.
    static let usual: Set<String> = [
        "@Suite", "@Test", "@available", "@frozen", "@usableFromInline", "@inlinable", "@inline", "@Sendable",
        "@discardableResult", "@MainActor", "@unchecked", "@escaping", "@autoclosure", "@_spi", "@convention",
        "@preconcurrency", "@_transparent", "@_disfavoredOverload", "@_alwaysEmitIntoClient", "@testable", "@_lifetime",
    ]

    /// Returns a Boolean value that indicates whether a word begins a declaration or an accessor.
    func isKeyword(_ word: String, at index: Int, in scope: Scope) -> Bool {
        // A member after a dot is none.
        if index > 0, tokens[index - 1].is(".") { return false }
        if scope == .accessors { return Self.accessors.contains(word) }
        // `class func` and `class var`.
        let next = index + 1 < tokens.count ? tokens[index + 1].word : nil
        if word == "class", let next, Self.functions.contains(next) || Self.modifiers.contains(next) { return false }
        return Self.types.contains(word) || Self.functions.contains(word) || Self.others.contains(word)
    }

    enum Kind { case scope(Scope), body, other }

    /// Returns the kind of a brace by the keyword of its declaration.
    func kind(of keyword: Int?, opening brace: Int, in scope: Scope) -> Kind {
        guard let keyword, let word = tokens[keyword].word, let first = head(of: keyword) else { return .other }
        let head = tokens[first..<brace]
        if scope == .types, Self.types.contains(word) { return .scope(.types) }
        guard scope == .accessors || Self.functions.contains(word) else { return .other }
        // The type of an opaque result is part of the declaration.
        guard !head.contains(where: { $0.word == "some" || Self.unusual.contains($0.word ?? "") }) else {
            return .other
        }
        guard scope == .types, word == "var" || word == "subscript" else { return .body }
        if word == "var", head.contains(where: { $0.is("=") }) { return .other }
        return startsAccessor(after: brace) ? .scope(.accessors) : .body
    }

    /// Returns a Boolean value that indicates whether accessors follow the brace of a property, and no statements.
    private func startsAccessor(after brace: Int) -> Bool {
        var index = brace + 1
        while index < tokens.count {
            if tokens[index].is("("), let close = matches[index], tokens[index - 1].word?.hasPrefix("@") == true {
                index = close + 1
            } else if tokens[index] == .lineBreak {
                index += 1
            } else if let word = tokens[index].word, word.hasPrefix("@") || Self.modifiers.contains(word) {
                index += 1
            } else {
                break
            }
        }
        return index < tokens.count && Self.accessors.contains(tokens[index].word ?? "")
    }

    /// Returns the first modifier or attribute before a keyword, or `nil` if something else precedes it.
    func head(of keyword: Int) -> Int? {
        var first = keyword
        var index = keyword - 1
        while index >= 0 {
            if tokens[index] == .lineBreak {
                index -= 1
            } else if let word = tokens[index].word, Self.modifiers.contains(word) || word.hasPrefix("@"),
                !isName(index)
            {
                first = index
                index -= 1
            } else if tokens[index].is(")"), let open = matches[index], open > 0, let word = tokens[open - 1].word,
                word.hasPrefix("@") || Self.modifiers.contains(word)
            {
                first = open - 1
                index = open - 2
            } else {
                break
            }
        }
        return isStart(first) ? first : nil
    }

    /// Returns a Boolean value that indicates whether a word that may be a modifier is a name, as in `.optional`.
    private func isName(_ index: Int) -> Bool {
        guard index > 0 else { return false }
        let previous = tokens[index - 1]
        return previous.is(".") || ["case", "let", "var", "func"].contains(previous.word)
    }

    /// Returns a Boolean value that indicates whether a token is the first of its line, or follows a brace or a semicolon.
    func isStart(_ index: Int) -> Bool {
        guard index > 0 else { return true }
        let previous = tokens[index - 1]
        return previous == .lineBreak || previous.is("{") || previous.is("}") || previous.is(";")
    }
}
