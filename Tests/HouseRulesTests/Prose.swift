/// The mechanical part of the style in CONTRIBUTING.md.
enum Prose {
    /// The modules whose prose follows the style; a module is added when its comments and messages have been rewritten.
    static let modules = [
        "ASCII",
        "Archives",
        "Arguments",
        "CIConfig",
        "Dates",
        "Diagnostics",
        "Files",
        "JSON",
        "LaneCommands",
        "LaneEvents",
        "LaneModel",
        "LaneRun",
        "Processes",
        "Reports",
        "TestOutput",
        "Threads",
        "Tracer",
        "TracerCommands",
        "TracerPictures",
        "YAML",
    ]

    /// Returns a Boolean value that indicates whether a file belongs to one of the `modules` or to its tests.
    static func isRewritten(_ path: String) -> Bool {
        modules.contains { path.hasPrefix("Sources/\($0)/") || path.hasPrefix("Tests/\($0)Tests/") }
    }

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
    static let avoidedWords: [[Substring]] = {
        guard let document = try? Repository.text("CONTRIBUTING.md") else { return [] }
        let rows = document.split(separator: "\n").drop { !$0.hasPrefix("| instead of |") }.dropFirst(2)
        return rows.prefix { $0.hasPrefix("|") }.flatMap { row in
            (row.split(separator: "|").first ?? "").split(separator: ",").map(words)
        }
    }()

    /// Returns a Boolean value that indicates whether a text contains one of the `avoidedWords`.
    static func containsAvoidedWord(_ text: some StringProtocol) -> Bool {
        let words = words(text)
        guard !words.isEmpty else { return false }
        return avoidedWords.contains { phrase in
            words.indices.contains { words[$0...].starts(with: phrase) }
        }
    }

    private static func words(_ text: some StringProtocol) -> [Substring] {
        text.lowercased().split { !$0.isLetter && $0 != "'" }
    }
}
