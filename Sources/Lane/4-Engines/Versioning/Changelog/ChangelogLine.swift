import Text

/// A line of a changelog with its role in Markdown.
struct ChangelogLine: Sendable, Equatable {
    let text: String
    /// The line break, `\n` or `\r\n`.
    let end: String
    /// The block that contains the line. Lines in code blocks and comments are neither headings nor links.
    private(set) var block = Block.text

    enum Block: Sendable { case text, code, comment }

    init(text: String, end: String) {
        self.text = text
        self.end = end
    }

    /// Splits text into lines. Adds a missing line break at the end.
    static func lines(of text: String) -> [ChangelogLine] {
        var parts = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true { parts.removeLast() }
        var lines = parts.map { part in
            let endsWithReturn = part.last == UInt8(ascii: "\r")
            return ChangelogLine(
                text: String(Substring(endsWithReturn ? part.dropLast() : part)), end: endsWithReturn ? "\r\n" : "\n")
        }
        markBlocks(in: &lines)
        return lines
    }

    /// Sets the blocks of lines. Ignores an unterminated block, because it would contain all following lines.
    private static func markBlocks(in lines: inout [ChangelogLine]) {
        var index = 0
        while index < lines.count {
            let start = index
            index += 1
            let end: Int?
            let block: Block
            if let fence = lines[start].fence {
                (block, end) = (.code, lines[index...].firstIndex { $0.closes(fence) })
            } else if lines[start].opensComment {
                (block, end) = (.comment, lines[start...].firstIndex { $0.text.range(of: "-->") != nil })
            } else {
                continue
            }
            guard let end else { continue }
            for line in start...end { lines[line].block = block }
            index = end + 1
        }
    }

    private var opensComment: Bool {
        text.utf8.drop { $0 == UInt8(ascii: " ") }.starts(with: "<!--".utf8)
    }

    var isBlank: Bool { text.utf8.allSatisfy(\.isSpace) }

    /// A Boolean value that indicates whether the line is a placeholder: a heading, a comment, or `* None.`
    var isPlaceholder: Bool {
        if isBlank || text.hasPrefix("#") || block == .comment { return true }
        let words = text.utf8.filter { !"*-+_.".utf8.contains($0) }.split(whereSeparator: \.isSpace)
        let plain = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ").lowercased()
        return ["none", "nothing", "nothing yet", "no changes", "no changes yet", "tbd", "n/a"].contains(plain)
    }

    /// A Boolean value that indicates whether the line is a thematic break.
    var isThematicBreak: Bool {
        let signs = text.utf8.filter { !$0.isSpace }
        guard block == .text, signs.count >= 3, let sign = signs.first, "-*_".utf8.contains(sign) else { return false }
        return signs.allSatisfy { $0 == sign }
    }

    /// The fence of a code block and the text after it.
    private var fence: (sign: UInt8, count: Int, rest: Substring.UTF8View)? {
        let code = text.utf8.drop(while: \.isSpace)
        guard let sign = code.first, "`~".utf8.contains(sign) else { return nil }
        let rest = code.drop { $0 == sign }
        let count = code.count - rest.count
        return count >= 3 && !(sign == UInt8(ascii: "`") && rest.contains(sign)) ? (sign, count, rest) : nil
    }

    private func closes(_ open: (sign: UInt8, count: Int, rest: Substring.UTF8View)) -> Bool {
        guard let fence else { return false }
        return fence.sign == open.sign && fence.count >= open.count && fence.rest.allSatisfy(\.isSpace)
    }

    /// The link definition `[name]: address`.
    var link: (name: String, address: String)? {
        guard block == .text, text.utf8.first == UInt8(ascii: "["), let close = text.range(of: "]: ") else {
            return nil
        }
        return (String(Substring(text[..<close.lowerBound].utf8.dropFirst())), String(text[close.upperBound...]))
    }
}
