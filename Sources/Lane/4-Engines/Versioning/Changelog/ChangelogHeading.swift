import Text

/// A heading of a changelog: `## [1.2.3] - 2026-11-21`, `### v1.2.3`, `## [1.2.3](https://…/releases/tag/1.2.3)`, a version
/// underlined with `=` or `-`, `**1.2.3**`, or a version on a line of its own.
///
/// Headings of new versions copy its style.
struct ChangelogHeading {
    /// The forms of headings of versions. A changelog has those of the first form that it contains.
    enum Form: Int, Comparable {
        /// A heading whose text is a version.
        case version
        /// A heading with the name of a package or other words before the version.
        case named
        /// A line in bold.
        case bold
        /// A line with a version and nothing else.
        case line

        static func < (one: Form, other: Form) -> Bool { one.rawValue < other.rawValue }
    }

    let form: Form
    /// The heading level. Lines without the mark of a heading have level 2.
    let level: Int
    /// The text before the title: `## `.
    private let mark: String
    let title: HeadingTitle
    /// The underline of a setext heading.
    private let underline: String?
    /// The version, or `nil` for other headings.
    private(set) var version: SemanticVersion?

    var isUnreleased: Bool {
        let words = title.words
        return words.first == "unreleased" || words.last == "unreleased" && words.count <= 3 && version == nil
            || words.suffix(2) == ["development", "version"] || Self.translations.contains(plainTitle)
    }

    /// `Unreleased` in other languages.
    private static let translations: Set = [
        "unveröffentlicht", "non publié", "à venir", "sin publicar", "no publicado", "não publicado", "não lançado",
        "non rilasciato", "non pubblicato", "niet uitgebracht", "nieopublikowane", "не выпущено", "未发布", "未發布",
        "未リリース", "미배포",
    ]

    private var plainTitle: String { title.text.filter { !"[]".contains($0) }.lowercased() }

    /// A Boolean value that indicates whether the title is that of a branch or similar, such as `main`. Depending on its
    /// position, the heading then means `Unreleased` or is a title.
    var isBranch: Bool { title.version == nil && Self.branches.contains(title.words.joined(separator: " ")) }

    private static let branches: Set = [
        "main", "master", "next", "upcoming", "head", "trunk", "develop", "dev", "vnext", "main branch",
        "master branch", "next version", "next release", "upcoming release", "upcoming version", "upcoming changes",
        "pending changes", "pending", "development", "in development", "under development", "in progress",
        "work in progress", "wip", "tbd", "tba", "to be released", "not released", "not yet released", "current",
        "coming soon", "coming next",
    ]

    var isPrepared: Bool { title.isPrepared && !isUnreleased }

    /// A Boolean value that indicates whether the notes below have headings of their own.
    var hasSubheadings: Bool { form < .bold }

    var lineCount: Int { underline == nil ? 1 : 2 }

    /// Returns a Boolean value that indicates whether this heading ends the section of another heading.
    func ends(_ other: ChangelogHeading) -> Bool {
        if version != nil || isUnreleased || isPrepared { return true }
        // standard-version writes patch versions and the headings of their notes with the same level.
        let isBelow = level == other.level && other.version != nil && CommitEntry.Section(heading: title) != nil
        return level <= other.level && !isBelow
    }

    /// The heading in the style of Keep a Changelog.
    static var usual: ChangelogHeading { ChangelogHeading(.version, level: 2, mark: "## ", "[0.0.0] - 2000-01-01") }

    /// Parses the heading at a line.
    init?(in lines: [ChangelogLine], at index: Int) {
        if lines[index].block != .text { return nil }
        let line = lines[index].text
        let lead = line[...].prefix(ofBytes: { $0 == UInt8(ascii: " ") })
        let marks = line[lead.endIndex...].prefix(ofBytes: { $0 == UInt8(ascii: "#") })
        let gap = line[marks.endIndex...].prefix(ofBytes: \.isBlank)
        let title = String(line[gap.endIndex...])
        if lead.utf8.count <= 3, (1...6).contains(marks.utf8.count) {
            self.init(.version, level: marks.utf8.count, mark: String(line[..<gap.endIndex]), title)
            // `#1` is a reference to an issue.
            if gap.isEmpty, version == nil || form == .named { return nil }
        } else if index + 1 < lines.count, lead.utf8.count <= 3,
            let level = Self.level(ofUnderline: lines[index + 1].text)
        {
            self.init(.version, level: level, mark: String(lead), title, underline: lines[index + 1].text)
            // Other text may also be underlined.
            guard version != nil || isUnreleased || isBranch || isPrepared else { return nil }
        } else if lead.isEmpty, index == 0 || lines[index - 1].isBlank {
            let isBold = line.hasPrefix("**") || line.hasPrefix("__")
            let isClosed = isBold && line.utf8.dropFirst(4).suffix(2).elementsEqual(line.utf8.prefix(2))
            self.init(isBold ? .bold : .line, level: 2, mark: "", line)
            guard isNotText(isClosed: isClosed), isBold || !Self.continues(lines, after: index) else { return nil }
        } else {
            return nil
        }
    }

    private init(_ form: Form, level: Int, mark: String, _ text: String, underline: String? = nil) {
        title = HeadingTitle(text)
        self.form = form == .version && title.version != nil && !title.subject.isEmpty ? .named : form
        (self.level, self.mark, self.underline) = (level, mark, underline)
        version = title.namesVersion ? title.version : nil
        if title.words.first == "unreleased" { version = nil }
    }

    /// Returns a Boolean value that indicates whether a line is like a heading, and does not begin a sentence.
    private func isNotText(isClosed: Bool) -> Bool {
        if isPrepared || version != nil {
            return title.subject.isEmpty && (isClosed || title.wordsAfter.isEmpty || isPrepared)
        }
        return isUnreleased && title.words.count == 1
    }

    /// Returns a Boolean value that indicates whether the line is part of a paragraph.
    private static func continues(_ lines: [ChangelogLine], after index: Int) -> Bool {
        guard index + 1 < lines.count, let next = lines[index + 1].text.utf8.first else { return false }
        return !next.isSpace && !"-*+".utf8.contains(next)
    }

    private static func level(ofUnderline line: String) -> Int? {
        let text = line.utf8
        guard text.count >= 3, let mark = text.first, text.allSatisfy({ $0 == mark }) else { return nil }
        return mark == UInt8(ascii: "=") ? 1 : mark == UInt8(ascii: "-") ? 2 : nil
    }

    /// Returns the heading without its version, which another form of the changelog's headings excludes.
    func withoutVersion() -> ChangelogHeading? {
        guard form < .bold, underline == nil else { return nil }
        var heading = self
        heading.version = nil
        return heading
    }

    /// Returns the lines of this heading for a version that it is prepared for.
    func prepared(for version: SemanticVersion, date: String) -> [String] {
        lines(title.prepared(for: version, date: date), mark: mark)
    }

    /// Returns the heading of a new version in the same style, and the text in its brackets if it needs a link
    /// definition.
    func next(
        _ version: SemanticVersion, level: Int, date: String, tag: String, previousTag: String?
    ) -> (lines: [String], label: String?) {
        let (text, needsLink) = title.next(version, date: date, tag: tag, previousTag: previousTag)
        let marks = mark.utf8.split(separator: UInt8(ascii: "#"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        let isMarked = marks.count > 1
        let lines = lines(
            text, mark: isMarked ? marks[0] + String(repeating: "#", count: level) + marks[marks.count - 1] : mark)
        return (lines, needsLink ? HeadingTitle(text).label : nil)
    }

    private func lines(_ text: String, mark: String) -> [String] {
        guard let underline, let sign = underline.first else { return [mark + text] }
        // An underline that was as long as its text remains so.
        let isExact = underline.utf8.count == title.text.unicodeScalars.count
        return [mark + text, isExact ? String(repeating: sign, count: text.unicodeScalars.count) : underline]
    }
}
