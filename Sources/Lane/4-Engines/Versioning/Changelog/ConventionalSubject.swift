import Git
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

/// A filter for reverted commits.
enum Reverts {
    /// Returns the commits that are neither reverted nor reverts, newest first.
    ///
    /// A revert of a revert restores the original commit.
    static func remaining(of commits: [GitCommit]) -> [GitCommit] {
        var cancelled: Set<Int> = []
        for index in commits.indices where !cancelled.contains(index) {
            guard let revert = Revert(commits[index]) else { continue }
            let targets = revert.targets(in: commits, after: index, without: cancelled)
            guard !targets.isEmpty else { continue }
            cancelled.formUnion(targets)
            cancelled.insert(index)
        }
        return commits.indices.filter { !cancelled.contains($0) }.map { commits[$0] }
    }
}

/// A revert: `revert: feat: corners`, or `Revert "feat: corners"` as git writes it.
private struct Revert {
    /// The subject of the reverted commit.
    private let subject: String
    /// The hashes or abbreviated hashes in the message.
    private let hashes: [String]
    /// The parent to which a reverted merge returns.
    private let mainline: String?

    init?(_ commit: GitCommit) {
        if let conventional = ConventionalSubject(commit.subject), conventional.type == "revert" {
            subject = conventional.description
        } else if let quoted = Self.quoted(commit.subject) {
            subject = quoted
        } else {
            return nil
        }
        let marks = ["This reverts commit", "Refs:", "changes made to"]
        let marked = commit.body.lines.filter { line in marks.contains(where: line.hasPrefix) }
        let words = marked.flatMap { line in line.utf8.split { !$0.isIdentifierContinuation } }
        let named = words.filter { $0.count >= 7 && $0.allSatisfy(\.isHexDigit) }
            .map { String(Substring($0)).lowercased() }
        let isMerge = commit.body.range(of: "reversing") != nil && named.count == 2
        hashes = isMerge ? [named[0]] : named
        mainline = isMerge ? named[1] : nil
    }

    /// Returns the subject in `Revert "…"` or `Revert "…" (#12)`. `Reapply "…"` reverts a revert.
    private static func quoted(_ subject: String) -> String? {
        guard let open = subject.utf8.firstIndex(of: UInt8(ascii: "\"")),
            let close = subject.utf8.lastIndex(of: UInt8(ascii: "\"")), open < close
        else { return nil }
        let text = String(Substring(subject.utf8[open..<close].dropFirst()))
        switch subject[..<open] {
        case "Revert ": return text
        case "Reapply ": return "Revert \"\(text)\""
        default: return nil
        }
    }

    /// Returns the indices of the reverted commits: those named by hash, or the last older commit with the subject.
    func targets(in commits: [GitCommit], after index: Int, without cancelled: Set<Int>) -> Set<Int> {
        let older = commits.indices.dropFirst(index + 1)
        let named = older.filter { index in hashes.contains { commits[index].hash.hasPrefix($0) } }
        if let mainline, let merge = named.first { return merged(by: merge, into: mainline, commits) }
        if !named.isEmpty { return Set(named) }
        // A rebase changes the hashes.
        let alike = older.filter { commits[$0].subject == subject }
        let target = alike.first { !cancelled.contains($0) } ?? alike.first
        return Set(target.map { [$0] } ?? [])
    }

    /// Returns the indices of a merge and of the commits that it merged.
    private func merged(by merge: Int, into mainline: String, _ commits: [GitCommit]) -> Set<Int> {
        let indices = Dictionary(commits.indices.map { (commits[$0].hash, $0) }) { one, _ in one }
        func reachable(from hashes: [String]) -> Set<Int> {
            var found: Set<Int> = []
            var waiting = hashes
            while let hash = waiting.popLast() {
                guard let index = indices[hash], found.insert(index).inserted else { continue }
                waiting += commits[index].parents
            }
            return found
        }
        let main = commits[merge].parents.filter { $0.hasPrefix(mainline) }
        let others = commits[merge].parents.filter { !$0.hasPrefix(mainline) }
        return reachable(from: others).subtracting(reachable(from: main)).union([merge])
    }
}
