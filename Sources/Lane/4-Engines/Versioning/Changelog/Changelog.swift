package import OperatingSystem
package import Text

/// A changelog in the format of Keep a Changelog 1.1.0 or similar: an optional `Unreleased` section, and a section for
/// each version, newest first.
///
/// Changes insert lines. All other bytes stay as they are, whatever their encoding.
package struct Changelog: Sendable, Equatable {
    var lines: [ChangelogLine]
    /// The byte order mark at the start, if any.
    private let byteOrderMark: String
    /// The line break of added lines.
    let lineEnd: String
    var style: ChangelogStyle

    /// Parses a changelog. An empty text results in a new changelog without versions.
    package init(_ text: String) { self.init(Array(text.utf8)) }

    package init(_ bytes: [UInt8]) {
        let text = EscapedUTF8.decode(bytes)
        byteOrderMark = text.utf8.starts(with: Self.mark.utf8) ? Self.mark : ""
        let rest = Substring(text.utf8.dropFirst(byteOrderMark.utf8.count))
        lines = ChangelogLine.lines(of: rest.utf8.allSatisfy(\.isSpace) ? Self.beginning : String(rest))
        lineEnd = lines.first.map { $0.end.isEmpty ? "\n" : $0.end } ?? "\n"
        style = ChangelogStyle(lines)
    }

    private static let mark = "\u{FEFF}"

    private static let beginning = """
        # Changelog

        All notable changes to this project are documented in this file. The format is based on
        [Keep a Changelog](https://keepachangelog.com/en/1.1.0/), and this project adheres to
        [Semantic Versioning](https://semver.org/spec/v2.0.0.html).

        ## [Unreleased]

        """

    package var bytes: [UInt8] { EscapedUTF8.encode(byteOrderMark + lines.map { $0.text + $0.end }.joined()) }

    /// The text with the original line breaks.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The versions with a section, in the order of the text.
    package var versions: [SemanticVersion] {
        lines.indices.compactMap { heading(at: $0)?.version }
    }

    /// Returns the text of a version's section, or `nil` if there is no such section. The text contains neither the
    /// heading nor the blank lines and breaks around it.
    package func notes(for version: SemanticVersion) -> String? {
        section(of: version).map { lines[textRange($0.content)].map(\.text).joined(separator: "\n") }
    }

    /// Returns the text of a version's section, or `nil` if there is no such section.
    ///
    /// - Throws: The location of a byte that is not UTF-8.
    func checkedNotes(for version: SemanticVersion) throws(ChangelogProblem) -> String? {
        guard let section = section(of: version) else { return nil }
        try checkEncoding(of: section, for: version)
        return notes(for: version)
    }

    /// Throws the location of the first byte in a section that is not UTF-8.
    func checkEncoding(of section: Section, for version: SemanticVersion) throws(ChangelogProblem) {
        let effect = "the notes of \(version) cannot be read"
        for index in textRange(section.content) {
            if let problem = ChangelogProblem.encoding(of: lines[index], number: index + 1, effect: effect) {
                throw problem
            }
        }
    }

    func section(of version: SemanticVersion) -> Section? {
        section { $0.version?.description == version.description }
    }

    /// Returns a Boolean value that indicates whether a version has a section that is not prepared for its release.
    package func isReleased(_ version: SemanticVersion) -> Bool { section(of: version)?.heading.isPrepared == false }

    /// Returns the prereleases of a final version that have a section, oldest first.
    func candidates(of version: SemanticVersion) -> [SemanticVersion] {
        guard !version.isPrerelease else { return [] }
        return versions.filter { $0.isPrerelease && $0.bumped(.release) == version }.sorted()
    }

    // MARK: Sections

    func heading(at index: Int) -> ChangelogHeading? { style.heading(in: lines, at: index) }

    /// The line of the newest version that is not prepared for a release.
    var newestVersion: Int? {
        lines.indices.first { heading(at: $0).map { $0.version != nil && !$0.isPrepared } ?? false }
    }

    var leastVersionLevel: Int? {
        lines.indices.compactMap { heading(at: $0) }.filter { $0.version != nil }.map(\.level).max()
    }

    /// Returns the section with the notes of a version before its release: the one prepared for it, `Unreleased`, or one
    /// prepared for another version.
    func held(for version: SemanticVersion) -> Section? {
        let prepared = section { $0.isPrepared && $0.version?.description == version.description }
        if let prepared { return prepared }
        let unreleased = unreleased
        if let unreleased, !trimmed(unreleased.content).allSatisfy(\.isPlaceholder) { return unreleased }
        return section(before: newestVersion, where: \.isPrepared) ?? unreleased
    }

    /// The section `Unreleased`, or a section named like a branch. It must precede all versions on the same level,
    /// because the same word may also be a title or a heading in another section.
    var unreleased: Section? {
        if let section = section(where: \.isUnreleased) { return section }
        let newest = newestVersion
        let levels = (newest.flatMap(heading)?.level == 1 ? 1 : 2)...(leastVersionLevel ?? 4)
        return section(before: newest) { $0.isBranch && levels.contains($0.level) }
    }

    /// Returns the breaks above and below a new section in the style of the file, each with a blank line.
    func breaks(below unreleased: Range<Int>?) -> (above: [ChangelogLine], below: [ChangelogLine]) {
        let above = unreleased.flatMap(lastBreak).map { new([$0.text, ""]) } ?? []
        guard let newest = section(where: { $0.version != nil }) else { return (above, []) }
        let between = lastBreak(in: newest.content).map { new([$0.text, ""]) }
        return (above, between ?? (versions.count == 1 ? above : []))
    }

    func lastBreak(in content: Range<Int>) -> ChangelogLine? {
        content.last { !lines[$0].isBlank }.flatMap { isBreak(at: $0, in: content) ? lines[$0] : nil }
    }

    /// Returns a Boolean value that indicates whether a line is a break. Dashes directly below text underline a
    /// heading.
    func isBreak(at index: Int, in content: Range<Int>) -> Bool {
        guard lines[index].isThematicBreak else { return false }
        return index == content.lowerBound || lines[index - 1].isBlank || !lines[index].text.hasPrefix("---")
    }

    typealias Section = (heading: ChangelogHeading, start: Int, content: Range<Int>)

    /// Returns the heading and the lines of a section. The section ends before the next heading of the same level, the
    /// next version, or the links.
    func section(before limit: Int? = nil, where matches: (ChangelogHeading) -> Bool) -> Section? {
        for index in lines[..<(limit ?? lines.count)].indices {
            guard let heading = heading(at: index), matches(heading) else { continue }
            let start = index + heading.lineCount
            let next = lines[start...].indices.first { self.heading(at: $0)?.ends(heading) ?? false }
            let end = next.map { max(self.start(ofSectionAt: $0), start) } ?? lines.count
            return (heading, index, start..<min(end, max(linkStart, start)))
        }
        return nil
    }

    /// Returns the start of the anchors directly above a heading, or the heading if there are none.
    func start(ofSectionAt heading: Int) -> Int {
        var start = heading
        while start > 0, lines[start - 1].isAnchor { start -= 1 }
        return start
    }

    /// The start of the link definitions at the end of the text, with the comments between them.
    var linkStart: Int {
        var start = lines.count
        var hasLinks = false
        while start > 0 {
            let line = lines[start - 1]
            guard line.isBlank || line.link != nil || hasLinks && line.block == .comment else { break }
            hasLinks = hasLinks || line.link != nil
            start -= 1
        }
        while start < lines.count, lines[start].isBlank { start += 1 }
        return start
    }

    func textRange(_ content: Range<Int>) -> Range<Int> {
        func isText(_ index: Int) -> Bool { !lines[index].isBlank && !isBreak(at: index, in: content) }
        guard let start = content.first(where: isText), let end = content.last(where: isText) else {
            return content.upperBound..<content.upperBound
        }
        return start..<(end + 1)
    }

    func trimmed(_ content: Range<Int>) -> [ChangelogLine] { Array(lines[textRange(content)]) }
}

/// A reason why a changelog cannot be changed, with its location.
package struct ChangelogProblem: Error, Equatable {
    /// The number of the line, starting at 1.
    let line: Int
    /// The number of the byte in the line, starting at 1, or `nil` for the whole line.
    private(set) var column: Int?
    let message: String

    /// Returns the refusal with the name of the file.
    package func refusal(in file: String) -> OperationFailure {
        .refused(["\(file):\(line):\(column.map { "\($0):" } ?? "") \(message)"])
    }

    /// Returns the problem of the first byte in a line that is not UTF-8, or `nil` if there is none.
    static func encoding(of line: ChangelogLine, number: Int, effect: String) -> ChangelogProblem? {
        guard let (byte, offset) = EscapedUTF8.firstInvalidByte(in: line.text) else { return nil }
        let found = "0x" + String(byte, radix: 16, uppercase: true)
        return ChangelogProblem(
            line: number, column: offset + 1,
            message: "expected UTF-8, found the byte \(found), so \(effect)\nhint: convert the file to UTF-8")
    }
}

/// The changelog in the directory of a package.
package enum ChangelogFile {
    static let name = "CHANGELOG.md"

    /// The other names of changelogs without their extensions.
    private static let stems = ["changelog", "changes", "history"]

    /// The names of files that are changelogs if their headings name versions, and often something else.
    private static let otherStems = ["news", "releases", "release-notes", "release_notes"]

    /// The extensions of files in Markdown and of plain text.
    private static let extensions: Set = ["", "md", "markdown", "mdown", "mkd", "txt"]

    /// Returns the file name of the changelog, or `nil` if there is none. The name may differ in case. A file such as
    /// `CHANGES.md` is accepted if it contains sections of versions.
    static func present(in directory: String, name: String = name) -> String? {
        if fileKind("\(directory)/\(name)") != nil { return name }
        let base = lastPathComponent(name)
        if let found = files(beside: "\(directory)/\(name)").first(where: { $0.lowercased() == base.lowercased() }) {
            return String(name.dropLast(base.count)) + found
        }
        guard name == Self.name else { return nil }
        let others =
            files(named: otherStems, in: directory) + files(named: stems, in: "\(directory)/docs").map { "docs/\($0)" }
        return (files(named: stems, in: directory) + others).first { hasVersions($0, in: directory) }
    }

    /// Returns a file that has the name of a changelog but no heading with a version, or `nil` if there is none.
    static func unrecognized(in directory: String, name: String) -> String? {
        name == Self.name && present(in: directory) == nil ? files(named: stems, in: directory).first : nil
    }

    private static func files(named stems: [String], in directory: String) -> [String] {
        let files = files(beside: "\(directory)/\(name)").filter { fileKind("\(directory)/\($0)") == .file }
        return stems.flatMap { stem in files.filter { $0.lowercased().prefix { $0 != "." } == stem } }
    }

    private static func hasVersions(_ file: String, in directory: String) -> Bool {
        let end = file.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).dropFirst().first
        guard extensions.contains(end.map { String(Substring($0)).lowercased() } ?? "") else { return false }
        return (try? readFile("\(directory)/\(file)")).map { !Changelog($0).versions.isEmpty } ?? false
    }

    private static func files(beside path: String) -> [String] {
        ((try? listDirectory(parentDirectory(path))) ?? []).sorted()
    }

    /// Returns the changelog, or `nil` if there is none.
    package static func read(in directory: String, name: String = name) throws(OperationFailure) -> Changelog? {
        do throws(FileError) {
            return Changelog(try readFile("\(directory)/\(present(in: directory, name: name) ?? name)"))
        } catch {
            // A file that cannot be read must not be replaced.
            guard error.isMissing else { throw OperationFailure(error) }
            return nil
        }
    }

    /// Returns the notes of a version, or `nil` if the changelog has no section for it.
    package static func notes(for version: SemanticVersion, in directory: String) throws(OperationFailure) -> String? {
        try notes(for: version, in: read(in: directory), named: present(in: directory) ?? name)
    }

    static func notes(
        for version: SemanticVersion, in changelog: Changelog?, named name: String
    ) throws(OperationFailure) -> String? {
        do throws(ChangelogProblem) { return try changelog?.checkedNotes(for: version) } catch {
            throw error.refusal(in: name)
        }
    }

    /// Returns the notes of a version as the text of its release, or `nil` if the changelog has no section for it.
    ///
    /// - Parameter pages: Returns the addresses of the tag's files for the name of the changelog.
    package static func releaseText(
        for version: SemanticVersion, in directory: String, _ pages: (String) -> TagPages
    ) throws(OperationFailure) -> String? {
        let name = present(in: directory) ?? name
        let changelog = try read(in: directory)
        do throws(ChangelogProblem) { return try changelog?.releaseText(for: version, pages(name)) } catch {
            throw error.refusal(in: name)
        }
    }
}
