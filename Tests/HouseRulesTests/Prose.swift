/// The mechanical part of the style in CONTRIBUTING.md.
enum Prose {
    /// The first words that a doc comment, or the description of a parameter or result, must not have.
    private static let openers: Set<Substring> = ["What", "Whether", "How", "Where", "Why", "Who", "When"]

    /// Returns a Boolean value that indicates whether a line starts a doc comment, or a description in one, with one of the
    /// `openers`.
    static func hasForbiddenOpener(_ line: SwiftLine) -> Bool {
        guard line.comment.hasPrefix("///") else { return false }
        let text = line.comment.dropFirst(3).drop(while: \.isWhitespace)
        if text.hasPrefix("- "), let colon = text.firstIndex(of: ":") {
            return startsWithOpener(text[text.index(after: colon)...])
        }
        return line.startsDocComment && startsWithOpener(text)
    }

    private static func startsWithOpener(_ text: Substring) -> Bool {
        openers.contains(text.drop(while: \.isWhitespace).prefix(while: \.isLetter))
    }

    /// The words and phrases in the left column of the table in CONTRIBUTING.md, in lowercase.
    static let avoidedWords = phrases(in: "CONTRIBUTING.md", below: "| instead of |", column: 0)
    private static let avoidedByFirstWord = Dictionary(grouping: avoidedWords) { $0.first ?? "" }

    /// The words and phrases that `docs/glossary.md` lists as wrong synonyms, in lowercase.
    static let synonyms = phrases(in: "docs/glossary.md", below: "| term |", column: 2)
    private static let synonymsByFirstWord = Dictionary(grouping: synonyms) { $0.first ?? "" }

    /// Returns a Boolean value that indicates whether a text contains one of the `avoidedWords`.
    static func containsAvoidedWord(_ text: some StringProtocol) -> Bool { contains(avoidedByFirstWord, in: text) }

    /// Returns a Boolean value that indicates whether a text contains one of the `synonyms`.
    static func containsSynonym(_ text: some StringProtocol) -> Bool { contains(synonymsByFirstWord, in: text) }

    /// Returns the phrases in a column of a Markdown table, which are separated by commas.
    private static func phrases(in path: String, below heading: String, column: Int) -> [[Substring]] {
        guard let document = try? Repository.text(path) else { return [] }
        let rows = document.split(separator: "\n").drop { !$0.hasPrefix(heading) }.dropFirst(2)
        return rows.prefix { $0.hasPrefix("|") }.flatMap { row in
            let cells = row.split(separator: "|")
            return cells.count > column ? cells[column].split(separator: ",").map(words).filter { !$0.isEmpty } : []
        }
    }

    private static func contains(_ phrases: [Substring: [[Substring]]], in text: some StringProtocol) -> Bool {
        guard !text.isEmpty else { return false }
        let words = words(text)
        return words.indices.contains { index in
            phrases[words[index]]?.contains { words[index...].starts(with: $0) } ?? false
        }
    }

    private static func words(_ text: some StringProtocol) -> [Substring] {
        let text = text.lowercased()
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.split { !$0.isLetter && $0 != "'" } }
        return text.utf8.split { !(0x61...0x7A ~= $0 || $0 == UInt8(ascii: "'")) }.map(Substring.init)
    }
}
