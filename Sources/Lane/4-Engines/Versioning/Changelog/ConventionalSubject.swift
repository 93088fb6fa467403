import Text

/// The first line of a Conventional Commits 1.0.0 message: `type(scope)!: description`.
///
/// A ticket, the number of a pull request, or an emoji may precede it: `[ABC-12] feat: corners`. The type may be in
/// brackets, or an emoji of gitmoji: `[feat] corners`.
struct ConventionalSubject: Equatable {
    /// The type in lowercase, or `nil` for an unknown word with `!`.
    let type: String?
    /// The word before the colon with its scope, as written.
    let head: String
    let scope: String?
    private(set) var isBreaking: Bool
    let description: String

    fileprivate static let types: Set = [
        "feat", "feature", "fix", "bugfix", "hotfix", "perf", "refactor", "change", "revert", "deprecate", "remove",
        "security", "docs", "doc", "test", "tests", "build", "ci", "chore", "style", "release", "deps",
    ]

    /// Parses a subject, or returns `nil` if it is not conventional. `Parser: read tabs` names a module and no type,
    /// but `Parser!: read tabs` is a breaking change.
    init?(_ subject: String) {
        if let parsed = Self(plain: Substring(subject)) {
            self = parsed
            return
        }
        var rest = Substring(subject)
        var isMarked = false
        var prefixType: String?
        while let prefix = SubjectPrefix(of: rest) {
            isMarked = isMarked || prefix.isBreaking
            prefixType = prefixType ?? prefix.type
            rest = prefix.rest
            guard var parsed = Self(plain: rest), parsed.type != nil else { continue }
            parsed.isBreaking = parsed.isBreaking || isMarked
            self = parsed
            return
        }
        guard let type = prefixType ?? (isMarked ? "change" : nil), !rest.isEmpty else { return nil }
        (self.type, head, scope, description) = (type, type, nil, String(rest))
        isBreaking = isMarked
    }

    private init?(plain line: Substring) {
        if let text = BreakingMark(line)?.text, !text.isEmpty {
            (type, head, scope, isBreaking, description) = ("change", "change", nil, true, String(text))
            return
        }
        func isWordByte(_ byte: UInt8) -> Bool {
            byte.isIdentifierContinuation || "-./".utf8.contains(byte) || byte >= 0x80
        }
        var word = line.prefix(ofBytes: isWordByte)
        if let colon = word.range(of: "：") { word = word[..<colon.lowerBound] }
        var rest = line[word.endIndex...]
        func skip(_ fits: (UInt8) -> Bool) -> Bool {
            let shorter = rest.dropping(bytes: fits)
            defer { rest = shorter }
            return shorter.startIndex != rest.startIndex
        }
        var hasBlanks = skip(\.isBlank)
        var isBreaking = skip { $0 == UInt8(ascii: "!") }
        var scope: String?
        if let close = Self.scopeEnd(rest) {
            scope = String(Substring(rest[..<close].utf8.dropFirst()))
            rest = Substring(rest[close...].utf8.dropFirst())
        }
        hasBlanks = skip(\.isBlank) || hasBlanks
        isBreaking = skip { $0 == UInt8(ascii: "!") } || isBreaking
        hasBlanks = skip(\.isBlank) || hasBlanks
        guard let colon = [":", "："].first(where: rest.hasPrefix), !word.isEmpty else { return nil }
        description = String(rest.dropFirst(colon.count).dropping(bytes: \.isSpace))
        head = word + (scope.map { "(\($0))" } ?? "")
        self.scope = scope
        self.isBreaking = isBreaking
        let name = word.lowercased()
        type = Self.types.contains(name) ? name : nil
        guard !description.isEmpty, type != nil || (isBreaking && !hasBlanks) else { return nil }
    }

    /// Returns the index of the bracket that closes a scope, or `nil` if no scope starts here.
    private static func scopeEnd(_ text: Substring) -> Substring.Index? {
        switch text.utf8.first {
        case UInt8(ascii: "("): text.utf8.firstIndex(of: UInt8(ascii: ")"))
        case UInt8(ascii: "["): text.utf8.firstIndex(of: UInt8(ascii: "]"))
        default: nil
        }
    }
}

/// A word before the conventional part of a subject: `[ABC-12]`, `Merged PR 12:`, `#12`, an emoji or its code.
private struct SubjectPrefix {
    let rest: Substring
    /// A Boolean value that indicates whether the word marks a breaking change: an emoji, or `[BREAKING]`.
    let isBreaking: Bool
    /// The type that the word stands for: an emoji of gitmoji that affects the version, or a type in brackets.
    let type: String?

    private static let words: Set = ["merge", "merged", "pull", "request", "pr", "mr", "draft", "wip", "from"]

    init?(of text: Substring) {
        let end = Self.end(of: text)
        let word = text[..<end]
        guard !word.isEmpty, Self.isPrefix(word) else { return nil }
        let bracketed = "[(".utf8.contains(word.utf8.first ?? 0) ? word.dropFirst().dropLast().lowercased() : ""
        isBreaking =
            Self.isAny(word, "💥", ":boom:")
            || ["breaking", "breaking change", "breaking changes", "breaking-change"].contains(bracketed)
        type =
            Self.isAny(word, "✨", ":sparkles:")
            ? "feat" : ConventionalSubject.types.contains(bracketed) ? bracketed : nil
        rest = text[end...].dropping { $0.isSpace || "-|:".utf8.contains($0) }
    }

    private static func end(of text: Substring) -> Substring.Index {
        let closes: [UInt8: UInt8] = [
            UInt8(ascii: "["): UInt8(ascii: "]"), UInt8(ascii: "("): UInt8(ascii: ")"),
            UInt8(ascii: ":"): UInt8(ascii: ":"),
        ]
        if let first = text.utf8.first, let close = closes[first],
            let end = text.utf8.dropFirst().firstIndex(of: close)
        {
            return text.utf8.index(after: end)
        }
        let emoji = text.unicodeScalars.prefix { !$0.isASCII && isSign($0) }
        return emoji.isEmpty ? text.prefix { $0 != " " && $0 != "|" }.endIndex : emoji.endIndex
    }

    private static func isPrefix(_ word: Substring) -> Bool {
        if word.unicodeScalars.allSatisfy(isSign) || word.hasPrefix("[") || word.hasPrefix("(") { return true }
        if word.hasPrefix(":"), word.hasSuffix(":"), word.count > 2 { return true }
        let plain = word.utf8.filter { $0.isAlphanumeric || "#!-_/.:".utf8.contains($0) }
        guard plain.count == word.utf8.count else { return false }
        let name = word.lowercased().utf8.filter { $0 != UInt8(ascii: ":") }
        return words.contains(String(decoding: name, as: UTF8.self)) || plain.contains(where: \.isDigit)
    }

    private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .otherSymbol, .modifierSymbol, .nonspacingMark, .format, .enclosingMark: !scalar.isASCII
        default: false
        }
    }

    private static func isAny(_ word: Substring, _ sign: Unicode.Scalar, _ code: String) -> Bool {
        word == code || word.unicodeScalars.contains(sign)
    }
}
