import Git
import Text

/// The first line of a Conventional Commits 1.0.0 message: `type(scope)!: description`.
struct ConventionalSubject: Equatable {
    /// The type in lowercase, or `nil` for an unknown word with `!`.
    let type: String?
    /// The word before the colon with its scope, as written.
    let head: String
    let scope: String?
    let isBreaking: Bool
    let description: String

    private static let types: Set = [
        "feat", "feature", "fix", "bugfix", "hotfix", "perf", "refactor", "change", "revert", "deprecate", "remove",
        "security", "docs", "doc", "test", "tests", "build", "ci", "chore", "style", "release", "deps",
    ]

    /// Parses a subject, or returns `nil` if it is not conventional. `Parser: read tabs` names a module and no type,
    /// but `Parser!: read tabs` is a breaking change.
    init?(_ subject: String) {
        let line = Substring(subject)
        var word = line.before(":")
        guard word.endIndex < line.endIndex else { return nil }
        description = String(Substring(line[word.endIndex...].utf8.dropFirst()).dropping(bytes: \.isSpace))
        isBreaking = word.utf8.last == UInt8(ascii: "!")
        if isBreaking { word = Substring(word.utf8.dropLast()) }
        head = String(word)
        if word.utf8.last == UInt8(ascii: ")"), let open = word.utf8.firstIndex(of: UInt8(ascii: "(")) {
            scope = String(Substring(word.utf8[open...].dropFirst().dropLast()))
            word = word[..<open]
        } else {
            scope = nil
        }
        let name = word.lowercased()
        type = Self.types.contains(name) ? name : nil
        let isWord =
            !word.isEmpty
            && word.utf8.allSatisfy { $0.isIdentifierContinuation || "-./".utf8.contains($0) || $0 >= 0x80 }
        guard !description.isEmpty, type != nil || (isBreaking && isWord) else { return nil }
    }
}

extension GitCommit {
    /// The texts of `BREAKING CHANGE` footers, each joined to one line.
    var breakingNotes: [String] {
        var notes: [[Substring]] = []
        var isOpen = false
        // Text after a blank line is rarely part of the footer.
        for line in body.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
        {
            if let mark = ["BREAKING CHANGE:", "BREAKING-CHANGE:"].first(where: line.hasPrefix) {
                notes.append([line.dropFirst(mark.count)])
                isOpen = true
            } else if line.utf8.allSatisfy(\.isSpace) || Self.isFooter(line) {
                isOpen = false
            } else if isOpen {
                notes[notes.count - 1].append(line)
            }
        }
        return notes.map { lines in
            lines.flatMap { $0.utf8.split(whereSeparator: \.isSpace) }.map { String(Substring($0)) }
                .joined(separator: " ")
        }
    }

    /// Returns a Boolean value that indicates whether a line is a footer, such as `Signed-off-by: Ada` or `Refs #12`.
    private static func isFooter(_ line: Substring) -> Bool {
        let token = line.utf8.prefix { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
        let rest = line.utf8[token.endIndex...]
        return !token.isEmpty && (rest.starts(with: ": ".utf8) || rest.starts(with: " #".utf8))
    }
}
