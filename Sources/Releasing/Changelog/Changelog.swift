import ASCII

/// A changelog in the form of Keep a Changelog 1.1.0, or near it: an `Unreleased` section perhaps, then one per version,
/// newest first.
package struct Changelog: Sendable, Equatable {
    private var lines: [ChangelogLine]
    /// That of lines that are added.
    private let lineEnd: String

    /// An empty text becomes a changelog with nothing in it.
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

    /// The whole file, every line with the end that it came with.
    package var text: String { lines.map { $0.text + $0.end }.joined() }

    /// The versions that have a section, in the order of the text.
    package var versions: [SemanticVersion] {
        lines.indices.compactMap { heading(at: $0)?.version }
    }

    /// What the section of a version says, without its heading and without blank lines around it; `nil` without a section.
    package func notes(for version: SemanticVersion) -> String? {
        section { $0.name == version.description }
            .map { trimmed(lines[$0.content]).map(\.text).joined(separator: "\n") }
    }

    /// Makes a section for a version out of what is written under `Unreleased`, or out of `entries` when that is empty.
    ///
    /// - Parameters:
    ///   - date: ISO 8601.
    ///   - tag: How the version is tagged, and how the one before it was, for the links at the end.
    ///   - address: The repository's page, when a link is wanted even where there is none yet.
    package mutating func release(
        _ version: SemanticVersion, date: String, entries: [CommitEntry], tag: String, previousTag: String?,
        address: String?
    ) {
        let unreleased = section(\.isUnreleased)
        let newest = lines.indices.first { heading(at: $0)?.version != nil }
        let pattern = newest.flatMap(heading) ?? .usual
        // Some give greater releases a heading of a higher level.
        let level =
            lines.indices.compactMap { heading(at: $0) }.filter { $0.version != nil }.map(\.level).max()
            ?? unreleased?.heading.level ?? pattern.level
        let (title, wantsLink) = pattern.next(version, level: level, date: date, tag: tag, previousTag: previousTag)
        let written = unreleased.map { trimmed(lines[$0.content]) } ?? []
        let section =
            new(title + [""]) + (written.isEmpty ? new(Self.render(entries, below: level)) : written) + new([""])
        if let unreleased {
            lines.replaceSubrange(unreleased.content, with: new([""]) + section)
        } else if let newest {
            lines.insert(contentsOf: section, at: newest)
        } else {
            lines.insert(contentsOf: new(["## [Unreleased]", ""]) + section, at: linkStart)
        }
        link(version, tag: tag, previousTag: previousTag, address: wantsLink ? address : nil)
        dropLastBlanks()
    }

    private static func render(_ entries: [CommitEntry], below level: Int) -> [String] {
        guard !entries.isEmpty else { return ["No changes for users."] }
        let marks = String(repeating: "#", count: level + 1)
        var lines: [String] = []
        for section in CommitEntry.Section.allCases {
            let texts = entries.filter { $0.section == section }.map(\.text)
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

    /// A section: its heading, and what follows up to the next one of its rank or of a version, or to the links.
    private func section(
        _ matches: (ChangelogHeading) -> Bool
    ) -> (heading: ChangelogHeading, content: Range<Int>)? {
        for index in lines.indices {
            guard let heading = heading(at: index), matches(heading) else { continue }
            let start = index + heading.lineCount
            let end = lines[start...].indices.first { self.heading(at: $0)?.ends(heading) ?? false }
            return (heading, start..<min(end ?? lines.count, max(linkStart, start)))
        }
        return nil
    }

    /// Where the link definitions at the end of the text begin.
    private var linkStart: Int {
        var start = lines.count
        while start > 0, lines[start - 1].text.isEmpty || lines[start - 1].link != nil { start -= 1 }
        while start < lines.count, lines[start].text.isEmpty { start += 1 }
        return start
    }

    private mutating func link(_ version: SemanticVersion, tag: String, previousTag: String?, address: String?) {
        let index = lines.firstIndex { $0.link?.name.lowercased() == "unreleased" }
        let present = index.flatMap { lines[$0].link?.address }
        let written = present.flatMap { link in link.range(of: "/compare/").map { String(link[..<$0.lowerBound]) } }
        guard let base = written ?? address else { return }
        let released = previousTag.map { "\(base)/compare/\($0)...\(tag)" } ?? "\(base)/releases/tag/\(tag)"
        let links = new(["[Unreleased]: \(base)/compare/\(tag)...HEAD", "[\(version)]: \(released)"])
        if let index {
            lines.replaceSubrange(index...index, with: links)
        } else {
            let start = linkStart
            lines.insert(contentsOf: (start > 0 && !lines[start - 1].text.isEmpty ? new([""]) : []) + links, at: start)
        }
    }

    private func trimmed(_ lines: ArraySlice<ChangelogLine>) -> [ChangelogLine] {
        let start = lines.firstIndex { !$0.isBlank } ?? lines.endIndex
        let end = lines.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? start
        return Array(lines[start..<end])
    }
}
