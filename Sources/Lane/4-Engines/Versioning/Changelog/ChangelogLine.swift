import Text

/// A line of a changelog with its role in Markdown.
struct ChangelogLine: Sendable, Equatable {
    let text: String
    /// The line break: `\n`, `\r\n`, `\r`, or nothing at the end of a file.
    var end: String
    /// The block that contains the line. Lines in code blocks and comments are neither headings nor links.
    private(set) var block = Block.text

    enum Block: Sendable { case text, code, comment }

    init(text: String, end: String) {
        self.text = text
        self.end = end
    }

    /// Splits text into lines.
    static func lines(of text: String) -> [ChangelogLine] {
        var lines: [ChangelogLine] = []
        var rest = text[...]
        while !rest.isEmpty {
            let line = rest.prefix(ofBytes: { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
            let breaks = rest[line.endIndex...]
            let end = ["\r\n", "\n", "\r"].first { breaks.utf8.starts(with: $0.utf8) } ?? ""
            lines.append(ChangelogLine(text: String(line), end: end))
            rest = Substring(breaks.utf8.dropFirst(end.utf8.count))
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
            if start == 0, lines[0].text == "---" {
                // The front matter of a page.
                (block, end) = (.comment, lines[1...].firstIndex { $0.text == "---" })
            } else if let fence = lines[start].fence {
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

    private static let placeholders: Set = [
        "none", "nothing", "nothing yet", "nothing changed yet", "no changes", "no changes yet",
        "no unreleased changes", "tbd", "tba", "n/a",
    ]

    /// A Boolean value that indicates whether the line is no note: a heading, a comment, a link definition, or `* None.`
    var isPlaceholder: Bool {
        if isBlank || text.hasPrefix("#") || block == .comment || link != nil { return true }
        let words = text.utf8.filter { !"*-+_.".utf8.contains($0) }.split(whereSeparator: \.isSpace)
        let plain = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ").lowercased()
        return Self.placeholders.contains(plain)
    }

    /// The sign of a list item that is not indented, or `nil` for other lines.
    var bullet: Character? {
        guard block == .text, let sign = text.utf8.first, "-*+".utf8.contains(sign) else { return nil }
        return text.utf8.dropFirst().first == UInt8(ascii: " ") && !isThematicBreak
            ? Character(Unicode.Scalar(sign)) : nil
    }

    /// A Boolean value that indicates whether the line is an anchor, which belongs to the heading below it.
    var isAnchor: Bool { block == .text && (text.hasPrefix("<a name=") || text.hasPrefix("<a id=")) }

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

    /// The name in the link definition `[name]: address`, and the text after the colon.
    var link: (name: String, target: String)? {
        let line = text[...].dropping(bytes: { $0 == UInt8(ascii: " ") })
        guard block == .text, line.utf8.first == UInt8(ascii: "["), let close = line.range(of: "]:") else { return nil }
        let target = line[close.upperBound...]
        guard target.utf8.contains(where: { !$0.isSpace }) else { return nil }
        return (String(Substring(line[..<close.lowerBound].utf8.dropFirst())), String(target))
    }
}
