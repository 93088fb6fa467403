package import Text

/// A changelog in the format of Keep a Changelog 1.1.0 or similar: an optional `Unreleased` section, and a section for
/// each version, newest first.
package struct Changelog: Sendable, Equatable {
    private var lines: [ChangelogLine]
    /// The line break of added lines.
    private let lineEnd: String

    /// Parses a changelog. An empty text results in a new changelog without versions.
    package init(_ text: String) {
        lines = ChangelogLine.lines(of: text.utf8.allSatisfy(\.isSpace) ? Self.beginning : text)
        lineEnd = lines.first?.end ?? "\n"
        dropLastBlanks()
    }

    private static let beginning = """
        # Changelog

        All notable changes to this project are documented in this file. The format is based on
        [Keep a Changelog](https://keepachangelog.com/en/1.1.0/), and this project adheres to
        [Semantic Versioning](https://semver.org/spec/v2.0.0.html).

        ## [Unreleased]

        """

    /// The text with the original line breaks.
    package var text: String { lines.map { $0.text + $0.end }.joined() }

    /// The versions with a section, in the order of the text.
    package var versions: [SemanticVersion] {
        lines.indices.compactMap { heading(at: $0)?.version }
    }

    /// Returns the text of a version's section, or `nil` if there is no such section. The text contains neither the
    /// heading nor the blank lines and breaks around it.
    package func notes(for version: SemanticVersion) -> String? {
        section { $0.name == version.description }
            .map { trimmed($0.content).map(\.text).joined(separator: "\n") }
    }

    /// Returns the prereleases of a final version that have a section, oldest first.
    package func candidates(of version: SemanticVersion) -> [SemanticVersion] {
        guard !version.isPrerelease else { return [] }
        return versions.filter { $0.isPrerelease && $0.bumped(.release) == version }.sorted()
    }

    /// Creates the section of a version from the `Unreleased` section, or from `entries` if that contains no notes. The
    /// section of a final version also contains the notes of its prereleases.
    ///
    /// - Parameters:
    ///   - date: The date in ISO 8601: `2026-11-21`.
    ///   - tag: The tags of the version and of the previous version, for the links at the end.
    ///   - address: The URL of the repository, which adds a link even if the changelog has none.
    package mutating func release(
        _ version: SemanticVersion, date: String, entries: [CommitEntry], tag: String, previousTag: String?,
        address: String?
    ) {
        let unreleased = unreleased
        let newest = newestVersion
        let pattern = newest.flatMap(heading) ?? .usual
        // Some changelogs use a higher heading level for major releases.
        let level = leastVersionLevel ?? unreleased?.heading.level ?? pattern.level
        let (title, wantsLink) = pattern.next(version, level: level, date: date, tag: tag, previousTag: previousTag)
        let found = unreleased.map { trimmed($0.content) } ?? []
        // Placeholders for notes stay in the section.
        let isTemplate = found.allSatisfy(\.isPlaceholder)
        let template = isTemplate && !found.isEmpty ? found + new([""]) : []
        let written = isTemplate ? [] : found
        let (above, below) = breaks(below: unreleased?.content)
        let earlier = candidates(of: version).compactMap { candidate in
            self.section { $0.version?.description == candidate.description }.map { trimmed($0.content) }
        }
        var notes = written
        if written.isEmpty, earlier.isEmpty || !entries.isEmpty { notes = new(Self.render(entries, below: level)) }
        if !earlier.isEmpty { notes = ChangelogNotes(earlier + [notes]).merged(lineEnd: lineEnd) }
        let section = new(title + [""]) + notes + new([""]) + below
        if let unreleased {
            lines.replaceSubrange(unreleased.content, with: new([""]) + template + above + section)
        } else if let newest {
            lines.insert(contentsOf: section, at: newest)
        } else {
            lines.insert(contentsOf: new(["## [Unreleased]", ""]) + section, at: linkStart)
        }
        link(
            version, unreleased: unreleased?.heading.name ?? "Unreleased", tag: tag, previousTag: previousTag,
            address: wantsLink ? address : nil)
        dropLastBlanks()
    }

    private static func render(_ entries: [CommitEntry], below level: Int) -> [String] {
        guard !entries.isEmpty else { return [ChangelogNotes.none] }
        let marks = String(repeating: "#", count: level + 1)
        var lines: [String] = []
        for section in CommitEntry.Section.allCases {
            // Commits with the same text are one entry.
            var seen: Set<String> = []
            let texts = entries.filter { $0.section == section && seen.insert($0.text).inserted }.map(\.text)
            guard !texts.isEmpty else { continue }
            lines += (lines.isEmpty ? [] : [""]) + ["\(marks) \(section.rawValue)", ""] + texts.map { "- \($0)" }
        }
        return lines
    }

    private func new(_ texts: [String]) -> [ChangelogLine] { texts.map { ChangelogLine(text: $0, end: lineEnd) } }

    private mutating func dropLastBlanks() {
        while lines.last?.text.isEmpty == true { lines.removeLast() }
    }

    private func heading(at index: Int) -> ChangelogHeading? { ChangelogHeading(in: lines, at: index) }

    private var newestVersion: Int? { lines.indices.first { heading(at: $0)?.version != nil } }

    private var leastVersionLevel: Int? {
        lines.indices.compactMap { heading(at: $0) }.filter { $0.version != nil }.map(\.level).max()
    }

    /// The section `Unreleased`, or a section named like a branch. It must precede all versions on the same level,
    /// because the same word may also be a title or a heading in another section.
    private var unreleased: Section? {
        if let section = section(where: \.isUnreleased) { return section }
        let newest = newestVersion
        let levels = (newest.flatMap(heading)?.level == 1 ? 1 : 2)...(leastVersionLevel ?? 4)
        return section(before: newest) { $0.isBranch && levels.contains($0.level) }
    }

    /// Returns the breaks above and below a new section in the style of the file, each with a blank line.
    private func breaks(below unreleased: Range<Int>?) -> (above: [ChangelogLine], below: [ChangelogLine]) {
        let above = unreleased.flatMap(lastBreak).map { [$0] + new([""]) } ?? []
        guard let newest = section(where: { $0.version != nil }) else { return (above, []) }
        let between = lastBreak(in: newest.content).map { [$0] + new([""]) }
        return (above, between ?? (versions.count == 1 ? above : []))
    }

    private func lastBreak(in content: Range<Int>) -> ChangelogLine? {
        content.last { !lines[$0].isBlank }.flatMap { isBreak(at: $0, in: content) ? lines[$0] : nil }
    }

    /// Returns a Boolean value that indicates whether a line is a break. Dashes directly below text underline a
    /// heading.
    private func isBreak(at index: Int, in content: Range<Int>) -> Bool {
        guard lines[index].isThematicBreak else { return false }
        return index == content.lowerBound || lines[index - 1].isBlank || !lines[index].text.hasPrefix("---")
    }

    private typealias Section = (heading: ChangelogHeading, content: Range<Int>)

    /// Returns the heading and the lines of a section. The section ends before the next heading of the same level, the
    /// next version, or the links.
    private func section(before limit: Int? = nil, where matches: (ChangelogHeading) -> Bool) -> Section? {
        for index in lines[..<(limit ?? lines.count)].indices {
            guard let heading = heading(at: index), matches(heading) else { continue }
            let start = index + heading.lineCount
            let end = lines[start...].indices.first { self.heading(at: $0)?.ends(heading) ?? false }
            return (heading, start..<min(end ?? lines.count, max(linkStart, start)))
        }
        return nil
    }

    /// The start of the link definitions at the end of the text.
    private var linkStart: Int {
        var start = lines.count
        while start > 0, lines[start - 1].text.isEmpty || lines[start - 1].link != nil { start -= 1 }
        while start < lines.count, lines[start].text.isEmpty { start += 1 }
        return start
    }

    /// Updates the links at the end of the text.
    private mutating func link(
        _ version: SemanticVersion, unreleased: String, tag: String, previousTag: String?, address: String?
    ) {
        let index = lines.firstIndex { $0.link?.name.lowercased() == unreleased.lowercased() }
        let present = index.flatMap { lines[$0].link?.address }
        let written = present.flatMap { link in link.range(of: "/compare/").map { String(link[..<$0.lowerBound]) } }
        guard let base = written ?? address else { return }
        let released = previousTag.map { "\(base)/compare/\($0)...\(tag)" } ?? "\(base)/releases/tag/\(tag)"
        let links = new(["[\(unreleased)]: \(base)/compare/\(tag)...HEAD", "[\(version)]: \(released)"])
        if let index {
            lines.replaceSubrange(index...index, with: links)
        } else {
            let start = linkStart
            lines.insert(contentsOf: (start > 0 && !lines[start - 1].text.isEmpty ? new([""]) : []) + links, at: start)
        }
    }

    private func trimmed(_ content: Range<Int>) -> [ChangelogLine] {
        func isText(_ index: Int) -> Bool { !lines[index].isBlank && !isBreak(at: index, in: content) }
        guard let start = content.first(where: isText), let end = content.last(where: isText) else { return [] }
        return Array(lines[start...end])
    }
}
