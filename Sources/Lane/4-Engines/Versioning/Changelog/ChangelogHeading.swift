import Text

/// A heading of a changelog: `## [1.2.3] - 2026-11-21`, `### v1.2.3`, `## [1.2.3](https://…/releases/tag/1.2.3)`, or a
/// version underlined with `=` or `-`.
///
/// Headings of new versions copy its style.
struct ChangelogHeading {
    /// The heading level.
    let level: Int
    /// The name without markup: `1.2.3`, `Unreleased`.
    let name: String
    /// The underline of a setext heading.
    private let underline: String?
    private let isBracketed: Bool
    /// The `v` before the version.
    private let mark: String
    private let address: String?
    /// The text after the name, normally a date.
    private let rest: Substring

    var version: SemanticVersion? { SemanticVersion(name) }
    var isUnreleased: Bool { name.lowercased() == "unreleased" }
    /// A Boolean value that indicates whether the name is that of a branch, such as `main`. Depending on its position,
    /// the heading then means `Unreleased` or is a title.
    var isBranch: Bool {
        mark.isEmpty && rest.utf8.allSatisfy(\.isSpace)
            && ["main", "master", "next", "upcoming", "head"].contains(name.lowercased())
    }
    var lineCount: Int { underline == nil ? 1 : 2 }
    /// Returns a Boolean value that indicates whether this heading ends the section of another heading.
    func ends(_ other: ChangelogHeading) -> Bool { level <= other.level || version != nil || isUnreleased }

    /// The heading in the style of Keep a Changelog.
    static var usual: ChangelogHeading { ChangelogHeading(level: 2, underline: nil, title: "[Unreleased]") }

    /// Parses the heading at a line.
    init?(in lines: [ChangelogLine], at index: Int) {
        if lines[index].block != .text { return nil }
        let line = lines[index].text
        let marks = line.utf8.prefix { $0 == UInt8(ascii: "#") }.count
        if (1...4).contains(marks) {
            guard line.utf8.dropFirst(marks).first?.isBlank == true else { return nil }
            self.init(level: marks, underline: nil, title: line.dropFirst(marks).dropping(bytes: \.isBlank))
        } else {
            guard index + 1 < lines.count, let level = Self.level(ofUnderline: lines[index + 1].text) else {
                return nil
            }
            self.init(level: level, underline: lines[index + 1].text, title: line[...])
            // Other text may also be underlined.
            guard version != nil || isUnreleased || isBranch else { return nil }
        }
    }

    private init(level: Int, underline: String?, title: Substring) {
        (self.level, self.underline) = (level, underline)
        isBracketed = title.utf8.first == UInt8(ascii: "[")
        var word =
            isBracketed
            ? title.dropFirst().before("]") : title.prefix(ofBytes: { !$0.isSpace && $0 != UInt8(ascii: ":") })
        var rest = title[word.endIndex...].dropFirst(isBracketed ? 1 : 0)
        let close =
            rest.utf8.first == UInt8(ascii: "(") && isBracketed ? rest.utf8.firstIndex(of: UInt8(ascii: ")")) : nil
        address = close.map { String(rest[..<$0].dropFirst()) }
        if let close { rest = rest[close...].dropFirst() }
        mark = word.utf8.first == UInt8(ascii: "v") ? "v" : ""
        word = word.dropFirst(mark.utf8.count)
        (name, self.rest) = (String(word), rest)
    }

    private static func level(ofUnderline line: String) -> Int? {
        let text = line.utf8
        guard text.count >= 3, let mark = text.first, text.allSatisfy({ $0 == mark }) else { return nil }
        return mark == UInt8(ascii: "=") ? 1 : mark == UInt8(ascii: "-") ? 2 : nil
    }

    /// Returns the heading of a new version in the same style. Parts that cannot be copied use the style of Keep a
    /// Changelog.
    func next(
        _ version: SemanticVersion, level: Int, date: String, tag: String, previousTag: String?
    ) -> (lines: [String], wantsLink: Bool) {
        let address = address.flatMap { updated($0, version, tag: tag, previousTag: previousTag) }
        let tail = isUnreleased ? nil : updated(rest, date: date)
        let word = isBracketed ? "[\(mark)\(version)]" : "\(mark)\(version)"
        let title = word + (address.map { "(\($0))" } ?? "") + (tail ?? " - \(date)")
        let lines = underline.map { [title, $0] } ?? [String(repeating: "#", count: level) + " " + title]
        return (lines, isBracketed && address == nil)
    }

    /// Returns the URL for a new version, or `nil` if `address` contains no version.
    private func updated(
        _ address: String, _ version: SemanticVersion, tag: String, previousTag: String?
    ) -> String? {
        if let compare = address.range(of: "/compare/"), address.range(of: "...", after: compare.upperBound) != nil {
            return previousTag.map { "\(address[..<compare.upperBound])\($0)...\(tag)" }
        }
        return address.range(of: name) == nil ? nil : address.replacing(name, with: version.description)
    }

    /// Returns the text with another date, or `nil` if the text contains words, because they describe the old version.
    private func updated(_ rest: Substring, date: String) -> String? {
        let bytes = Array(rest.utf8)
        let isDate = bytes.indices.dropLast(9).first { start in
            zip("0000-00-00".utf8, bytes[start...]).allSatisfy { form, byte in
                form == UInt8(ascii: "-") ? byte == form : byte.isDigit
            }
        }
        let before = isDate.map { bytes[..<$0] } ?? bytes[...]
        let after = isDate.map { bytes[($0 + 10)...] } ?? []
        guard !(before + after).contains(where: \.isAlphanumeric) else { return nil }
        return String(decoding: before, as: UTF8.self) + (isDate == nil ? "" : date)
            + String(decoding: after, as: UTF8.self)
    }
}
