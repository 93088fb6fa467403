package import Text

extension Changelog {
    /// Creates the section of a version from the `Unreleased` section or one that is prepared for it, or from `entries` if
    /// that contains no notes. The section of a final version also contains the notes of its prereleases.
    ///
    /// - Parameters:
    ///   - date: The date in ISO 8601: `2026-11-21`.
    ///   - tag: The tags of the version and of the previous version, for the links at the end.
    ///   - address: The URL of the repository, which adds a link even if the changelog has none.
    /// - Throws: The reason why there is no place for the section.
    package mutating func release(
        _ version: SemanticVersion, date: String, entries: [CommitEntry], tag: String, previousTag: String?,
        address: String?
    ) throws(ChangelogProblem) {
        let newest = newestVersion
        let held = held(for: version)
        try check(newest: newest, held: held)
        if let held { try checkEncoding(of: held, for: version) }
        let old = self
        let pattern = newest.flatMap(heading) ?? .usual
        let level = level(of: version) ?? held?.heading.level ?? pattern.level
        let title = pattern.next(version, level: level, date: date, tag: tag, previousTag: previousTag)
        let found = held.map { trimmed($0.content) } ?? []
        // Placeholders for notes stay in the section.
        let isTemplate = found.allSatisfy(\.isPlaceholder)
        let written = isTemplate ? [] : found.map { ending($0, at: tag) }
        let earlier = candidates(of: version).compactMap { candidate in
            self.section(of: candidate).map { trimmed($0.content) }
        }
        var notes = written
        if written.isEmpty, earlier.isEmpty || !entries.isEmpty { notes = new(render(entries, below: pattern, level)) }
        if !earlier.isEmpty { notes = ChangelogNotes(earlier + [notes]).merged(lineEnd: lineEnd) }
        let section = new(title.lines + [""]) + notes
        if let held, held.heading.isPrepared {
            fill(held, with: notes, version, date)
        } else if let held {
            let (above, below) = breaks(below: held.content)
            if isTemplate {
                insert(section + new([""]) + below, at: held.content.upperBound)
            } else {
                let text = textRange(held.content)
                if notes != found { lines.replaceSubrange(text, with: notes) }
                insert(above + new(title.lines + [""]), at: text.lowerBound)
            }
        } else if let newest {
            insert(section + new([""]) + breaks(below: nil).below, at: start(ofSectionAt: newest))
        } else {
            insert(new(["## [Unreleased]", ""]) + section + new([""]), at: linkStart)
        }
        let links = ChangelogLinks(version: version, tag: tag, previousTag: previousTag, versions: old.versions)
        if let held, !held.heading.isPrepared, lines[held.start].text.contains("](") {
            replaceLine(held.start, with: links.unreleased(lines[held.start].text))
        }
        link(links, label: title.label, unreleased: held?.heading.title.label ?? "Unreleased", address: address)
        style = ChangelogStyle(lines)
        try checkEncoding(before: old)
    }

    private func render(_ entries: [CommitEntry], below heading: ChangelogHeading, _ level: Int) -> [String] {
        guard !entries.isEmpty else { return [ChangelogNotes.none] }
        let marks = String(repeating: "#", count: min(level + 1, 6))
        var rendered: [String] = []
        for section in CommitEntry.Section.allCases {
            // Commits with the same text are one entry.
            var seen: Set<String> = []
            let texts = entries.filter { $0.section == section && seen.insert($0.text).inserted }.map(\.text)
            guard !texts.isEmpty else { continue }
            if heading.hasSubheadings {
                rendered += (rendered.isEmpty ? [] : [""]) + ["\(marks) \(subheading(of: section))", ""]
            }
            rendered += texts.map { "\(bullet) \($0)" }
        }
        return rendered
    }

    /// Returns the heading of the notes of a kind, as released versions have it: `Features`, `Bug Fixes`, `Added`.
    private func subheading(of section: CommitEntry.Section) -> String {
        let released = lines.indices[(newestVersion ?? lines.count)...]
        let found = released.lazy.compactMap { self.heading(at: $0) }.first { heading in
            heading.version == nil && CommitEntry.Section(heading: heading.title) == section
        }
        return found?.title.text ?? section.rawValue
    }

    /// Returns a line with the comparison in a `Full Changelog` link ending at a tag instead of `HEAD`.
    private func ending(_ line: ChangelogLine, at tag: String) -> ChangelogLine {
        guard line.text.contains("Full Changelog") else { return line }
        return ChangelogLine(text: line.text.replacing("...HEAD", with: "...\(tag)"), end: line.end)
    }

    /// Returns the level of the heading of a version. In some changelogs, those of major or of patch versions have a
    /// level of their own.
    private func level(of version: SemanticVersion) -> Int? {
        func kind(_ version: SemanticVersion) -> [Bool] { [version.minor == .zero, version.patch == .zero] }
        let same = lines.indices.lazy.compactMap { self.heading(at: $0) }.first { heading in
            heading.version.map { kind($0) == kind(version) } ?? false
        }
        return same?.level ?? leastVersionLevel
    }

    /// The sign of list items in the newest section.
    private var bullet: Character {
        let content = section { $0.version != nil && !$0.isPrepared }?.content
        return content?.lazy.compactMap { self.lines[$0].bullet }.first ?? "-"
    }

    func new(_ texts: [String]) -> [ChangelogLine] { texts.map { ChangelogLine(text: $0, end: lineEnd) } }

    /// Inserts lines, with blank lines around them.
    mutating func insert(_ added: [ChangelogLine], at index: Int) {
        var added = added
        if index > 0, !lines[index - 1].isBlank { added = new([""]) + added }
        if index == lines.count {
            while added.last?.text.isEmpty == true { added.removeLast() }
            // The last line of the file keeps its missing line break.
            if let end = lines.last?.end, end.isEmpty, !added.isEmpty {
                lines[index - 1].end = lineEnd
                added[added.count - 1].end = ""
            }
        }
        lines.insert(contentsOf: added, at: index)
    }

    /// Writes version and date into a prepared heading, and the notes below it.
    private mutating func fill(_ held: Section, with notes: [ChangelogLine], _ version: SemanticVersion, _ date: String)
    {
        let text = textRange(held.content)
        if text.isEmpty {
            insert(notes + new([""]), at: held.content.upperBound)
        } else if Array(lines[text]) != notes {
            let end = lines[text.upperBound - 1].end
            lines.replaceSubrange(text, with: notes)
            lines[text.lowerBound + notes.count - 1].end = end
        }
        for (offset, text) in held.heading.prepared(for: version, date: date).enumerated() {
            replaceLine(held.start + offset, with: text)
        }
    }

    mutating func replaceLine(_ index: Int, with text: String?) {
        if let text { lines[index] = ChangelogLine(text: text, end: lines[index].end) }
    }

    // MARK: Checks

    private func check(newest: Int?, held: Section?) throws(ChangelogProblem) {
        if let line = lines.firstIndex(where: { $0.text.utf8.contains(0) }) {
            throw ChangelogProblem(
                line: line + 1, message: "expected UTF-8, found a byte 0, as in UTF-16\nhint: convert the file to UTF-8"
            )
        }
        if let newest {
            let ascends = versions.count > 1 && zip(versions, versions.dropFirst()).allSatisfy(<)
            guard !ascends, held.map({ $0.start < newest || $0.heading.version != nil }) ?? true else {
                throw ChangelogProblem(line: newest + 1, message: "expected the newest version first, found the oldest")
            }
        } else if held == nil {
            let note = lines.indices.first {
                heading(at: $0) != nil && $0 > 0 || lines[$0].bullet != nil || lines[$0].text.hasPrefix("|")
            }
            guard let note else { return }
            throw ChangelogProblem(
                line: note + 1,
                message: "expected a heading with a version, found '\(lines[note].text)'\n"
                    + "hint: add the heading '## [Unreleased]' above the notes of the next version")
        }
    }

    /// Throws if the file is not UTF-8 and a line was added that has another encoding.
    private func checkEncoding(before old: Changelog) throws(ChangelogProblem) {
        guard let invalid = old.lines.firstIndex(where: { EscapedUTF8.firstInvalidByte(in: $0.text) != nil }) else {
            return
        }
        // A file that is mostly UTF-8 stays UTF-8.
        let scalars = old.lines.flatMap { $0.text.unicodeScalars.filter { !$0.isASCII } }
        guard scalars.count(where: { EscapedUTF8.byte(of: $0) != nil }) * 2 >= scalars.count else { return }
        let known = Set(old.lines.map(\.text))
        let added = lines.first { line in
            !known.contains(line.text)
                && line.text.unicodeScalars.contains { !$0.isASCII && EscapedUTF8.byte(of: $0) == nil }
        }
        guard let added else { return }
        let effect = "'\(added.text)' cannot be added"
        if let problem = ChangelogProblem.encoding(of: old.lines[invalid], number: invalid + 1, effect: effect) {
            throw problem
        }
    }
}

/// The notes of several versions, oldest first.
struct ChangelogNotes {
    /// The text for a section without notes.
    static let none = "No changes for users."

    /// The paragraphs and list items below one heading, or before the first heading.
    private struct Part {
        let heading: ChangelogLine?
        var items: [[ChangelogLine]] = []
    }

    private var parts = [Part(heading: nil)]

    init(_ notes: [[ChangelogLine]]) {
        for lines in notes {
            var index = 0
            var isOpen = false
            for line in lines {
                if line.block == .text, line.text.hasPrefix("#") {
                    index = part(below: line)
                    isOpen = false
                } else if line.isBlank, line.block == .text {
                    isOpen = false
                } else if isOpen, line.bullet == nil, let last = parts[index].items.indices.last {
                    parts[index].items[last].append(line)
                } else {
                    parts[index].items.append([line])
                    isOpen = true
                }
            }
        }
    }

    private mutating func part(below heading: ChangelogLine) -> Int {
        if let index = parts.firstIndex(where: { $0.heading?.text == heading.text }) { return index }
        parts.append(Part(heading: heading))
        return parts.count - 1
    }

    /// Returns the merged notes. Each heading occurs once in the order of the versions, and each note once.
    func merged(lineEnd: String) -> [ChangelogLine] {
        let blank = ChangelogLine(text: "", end: lineEnd)
        var lines: [ChangelogLine] = []
        for part in parts {
            var seen: Set<[String]> = []
            var items = part.items.filter { seen.insert($0.map(\.text)).inserted }
            if parts.count > 1 || items.count > 1 { items.removeAll { $0.map(\.text) == [Self.none] } }
            guard part.heading != nil || !items.isEmpty else { continue }
            if !lines.isEmpty { lines.append(blank) }
            if let heading = part.heading { lines += [heading] + (items.isEmpty ? [] : [blank]) }
            for (index, item) in items.enumerated() {
                let isList = index > 0 && item[0].bullet != nil && items[index - 1][0].bullet != nil
                if index > 0, !isList { lines.append(blank) }
                lines += item
            }
        }
        return lines
    }
}

/// The form that the headings of versions have in a changelog.
struct ChangelogStyle: Sendable, Equatable {
    private let form: ChangelogHeading.Form?
    /// The words before all versions, and the level of their headings, if they have the form `.named`.
    private var name: [String] = []
    private var level = 0
    /// The level of headings with a whole version. `2.0` on a higher level is the title of several versions.
    private let leastLevel: Int

    init(_ lines: [ChangelogLine]) {
        let headings = lines.indices.compactMap { ChangelogHeading(in: lines, at: $0) }.filter { $0.version != nil }
        let form = headings.map(\.form).min()
        let named = headings.filter { $0.form == .named }
        let level = named.map(\.level).min() ?? 0
        let names = Set(named.filter { $0.level == level }.map(\.title.subject))
        leastLevel = headings.filter { $0.form == form && !$0.title.isPartial }.map(\.level).max() ?? 0
        if form == .named {
            (name, self.level) = (names.first ?? [], level)
            // Versions of several packages
            self.form = names.count == 1 ? form : nil
        } else {
            self.form = form
        }
    }

    /// Returns the heading at a line. Its version is `nil` if it has another form than the others.
    func heading(in lines: [ChangelogLine], at index: Int) -> ChangelogHeading? {
        guard let heading = ChangelogHeading(in: lines, at: index) else { return nil }
        if heading.version == nil {
            return heading.form < .bold || heading.form == form || form == nil ? heading : nil
        }
        let isOther =
            heading.form != form || heading.title.isPartial && heading.level < leastLevel
            || heading.form == .named && (heading.title.subject != name || heading.level != level)
        return isOther ? heading.withoutVersion() : heading
    }
}
