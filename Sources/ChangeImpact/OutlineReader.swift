/// A reader of the tokens of a source, which finds the bodies of functions.
struct OutlineReader {
    let source: SwiftSource
    private let matches: [Int: Int]
    private let omitted: Set<String>
    private let omitsImports: Bool
    private(set) var skeleton: [UInt8] = []
    private(set) var bodies: [SwiftOutline.Body] = []
    private(set) var declarations: [SwiftOutline.Declaration] = []

    /// Creates a reader, or returns `nil` if the brackets do not match.
    init?(_ source: SwiftSource, omitted: Set<String>, omitsImports: Bool) {
        guard let matches = source.matches() else { return nil }
        self.source = source
        self.matches = matches
        self.omitted = omitted
        self.omitsImports = omitsImports
    }

    enum Scope { case types, accessors }

    private var tokens: [SwiftToken] { source.tokens }

    /// Reads the declarations of a scope.
    mutating func read(in range: Range<Int>, _ scope: Scope, depth: Int) -> Bool {
        var index = range.lowerBound
        /// The first token that is not in the skeleton yet.
        var pending = index
        /// The keyword of the current declaration.
        var keyword: Int?
        while index < range.upperBound {
            if let word = tokens[index].word, isKeyword(word, at: index, in: scope) { keyword = index }
            if omitsImports, depth == 0, tokens[index].word == "import", let first = head(of: index) {
                append(pending..<first)
                index = tokens[index...].firstIndex(of: .lineBreak) ?? range.upperBound
                (pending, keyword) = (index, nil)
                continue
            }
            guard let close = matches[index], tokens[index].is("{") else {
                index = matches[index].map { max($0, index) + 1 } ?? index + 1
                continue
            }
            if let keyword, let first = head(of: keyword),
                let declaration = declaration(at: keyword, first, opening: index, close, depth: depth)
            {
                declarations.append(declaration)
                if omitted.contains(declaration.name) {
                    append(pending..<first)
                    (index, pending) = (close + 1, close + 1)
                    continue
                }
            }
            append(pending..<index + 1)
            let inner = index + 1..<close
            switch kind(of: keyword, opening: index, in: scope) {
            case .scope(let scope): guard read(in: inner, scope, depth: depth + 1) else { return false }
            case .body: addBody(inner)
            case .other: append(inner)
            }
            (index, pending, keyword) = (close + 1, close, nil)
        }
        append(pending..<range.upperBound)
        return true
    }

    private mutating func append(_ range: Range<Int>) { source.append(range, to: &skeleton) }

    private mutating func addBody(_ range: Range<Int>) {
        var body: [UInt8] = []
        source.append(range, to: &body)
        bodies.append(
            SwiftOutline.Body(text: body, lines: source.lines[range.lowerBound - 1]...source.lines[range.upperBound]))
    }
}

extension OutlineReader {
    private static let types: Set<String> = ["struct", "class", "enum", "actor", "extension"]
    private static let functions: Set<String> = ["func", "init", "deinit", "subscript", "var"]
    /// Words that begin something else.
    private static let others: Set<String> = [
        "let", "protocol", "macro", "case", "if", "for", "while", "do", "switch", "guard", "defer", "repeat", "catch",
        "else", "precedencegroup", "operator", "typealias", "associatedtype", "import",
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

    /// Attributes of declarations that can be omitted. Others may be macros, which add declarations.
    private static let usual: Set<String> = [
        "@Suite", "@Test", "@available", "@frozen", "@usableFromInline", "@inlinable", "@inline", "@Sendable",
        "@discardableResult", "@MainActor", "@unchecked", "@escaping", "@autoclosure", "@_spi",
    ]

    private func isKeyword(_ word: String, at index: Int, in scope: Scope) -> Bool {
        // A member after a dot is none.
        if index > 0, tokens[index - 1].is(".") { return false }
        if scope == .accessors { return Self.accessors.contains(word) }
        // `class func` and `class var`.
        let next = index + 1 < tokens.count ? tokens[index + 1].word : nil
        if word == "class", let next, Self.functions.contains(next) || Self.modifiers.contains(next) { return false }
        if word.hasPrefix("#") { return !["#if", "#elseif", "#else", "#endif"].contains(word) }
        return Self.types.contains(word) || Self.functions.contains(word) || Self.others.contains(word)
    }

    enum Kind { case scope(Scope), body, other }

    /// Returns the kind of a brace by the keyword of its declaration.
    private func kind(of keyword: Int?, opening brace: Int, in scope: Scope) -> Kind {
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
    private func head(of keyword: Int) -> Int? {
        var first = keyword
        var index = keyword - 1
        while index >= 0 {
            if tokens[index] == .lineBreak {
                index -= 1
            } else if let word = tokens[index].word, Self.modifiers.contains(word) || word.hasPrefix("@") {
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
        // The declaration starts in its line, or after a brace.
        let isStart =
            first == 0
            || [.lineBreak, .symbol(UInt8(ascii: "{")), .symbol(UInt8(ascii: "}"))].contains(tokens[first - 1])
        return isStart || tokens[first - 1].is(";") ? first : nil
    }

    /// Returns a declaration that can be omitted where its name is not used, or `nil`.
    private func declaration(
        at keyword: Int, _ first: Int, opening brace: Int, _ close: Int, depth: Int
    ) -> SwiftOutline.Declaration? {
        guard let word = tokens[keyword].word, keyword + 1 < brace, let name = tokens[keyword + 1].word else {
            return nil
        }
        let modifiers = tokens[first..<keyword].compactMap(\.word)
        let attributes = tokens[first..<brace].compactMap(\.word).filter { $0.hasPrefix("@") }
        guard attributes.allSatisfy(Self.usual.contains), !modifiers.contains("override") else { return nil }
        if word == "func" {
            let isPrivate = modifiers.contains("private") || modifiers.contains("fileprivate")
            let isTest = modifiers.contains("@Test") || (name.hasPrefix("test") && !modifiers.contains("static"))
            // Others may satisfy the requirement of a protocol of another package.
            guard isPrivate || isTest || depth == 0 else { return nil }
            return SwiftOutline.Declaration(name: name, isPrivate: isPrivate)
        }
        guard word == "protocol" || Self.types.contains(word), word != "extension", !name.hasSuffix("LiteralType")
        else {
            return nil
        }
        // Operators compete with all others of their name.
        let members = tokens[brace..<close]
        let hasOperator = members.indices.contains { members[$0].word == "func" && tokens[$0 + 1].word == nil }
        return hasOperator || members.contains { $0.word == "macro" }
            ? nil : SwiftOutline.Declaration(name: name, isPrivate: false)
    }
}
