import Text

/// The link definitions of a changelog, `[1.2.3]: https://…/compare/1.2.2...1.2.3`. New ones copy the notation and the host
/// of those that exist.
struct ChangelogLinks {
    let version: SemanticVersion
    let tag: String
    let previousTag: String?
    /// The versions with a section, newest first.
    let versions: [SemanticVersion]

    /// The names of branches at the end of a comparison.
    private static let branches = ["HEAD", "main", "master", "develop", "development", "dev", "trunk", "next"]

    /// Returns the definition of `Unreleased` with the new tag as its start, or `nil` if it names no version.
    func unreleased(_ line: String) -> String? {
        guard let old = start(in: line) else { return nil }
        return VersionText.replacing(old.text, with: old.isTag ? tag : version.description, in: line[...])
    }

    /// Returns the text that names the version of the last release: its tag, or a version without prefix.
    private func start(in line: String) -> (text: String, isTag: Bool)? {
        if let previousTag, !VersionText.ranges(of: previousTag, in: line[...]).isEmpty { return (previousTag, true) }
        let version = versions.first { !VersionText.ranges(of: $0.description, in: line[...]).isEmpty }
        return version.map { ($0.description, false) }
    }

    /// Returns the definition of the new version from the one of `Unreleased`, in which a branch is the other end of the
    /// comparison.
    func released(from line: String, named name: String) -> String? {
        guard let target = ChangelogLine(text: line, end: "").link?.target, let old = start(in: line),
            let branch = Self.branches.compactMap({ Self.lastRange(of: $0, in: target) }).max(by: {
                $0.lowerBound < $1.lowerBound
            })
        else { return nil }
        var address = "\(target[..<branch.lowerBound])\(tag)\(target[branch.upperBound...])"
        // The section of a version that was left out may be missing.
        if let previousTag, !old.isTag, let previous = ReleaseTag(previousTag) {
            address = VersionText.replacing(old.text, with: previous.version.description, in: address[...])
        }
        return "[\(name)]:\(address)"
    }

    private static func lastRange(of branch: String, in target: String) -> Range<String.Index>? {
        var found: Range<String.Index>?
        var start = target.startIndex
        while let range = target.range(of: branch, after: start) {
            let (before, after) = (target[..<range.lowerBound], target[range.upperBound...])
            let isEnd = ["..", "%0D"].contains { before.hasSuffix($0) } && after.utf8.first?.isAlphanumeric != true
            let isStart = ["..", "%0D"].contains { after.hasPrefix($0) } && before.hasSuffix("/")
            if isStart || isEnd { found = range }
            start = range.upperBound
        }
        return found
    }

    /// Returns the definition of the new version from the one of an older version.
    func released(from line: String, of old: SemanticVersion) -> String? {
        guard let target = ChangelogLine(text: line, end: "").link?.target,
            !VersionText.ranges(of: old.description, in: target[...]).isEmpty
        else { return nil }
        let known = versions.first { $0 != old && !VersionText.ranges(of: $0.description, in: target[...]).isEmpty }
        let before = known ?? Self.start(ofComparison: target)
        let previous = previousTag.flatMap { ReleaseTag($0)?.version } ?? old
        // The new version may contain the text of the old one.
        var result = line
        if let before { result = VersionText.replacing(before.description, with: "\u{0}", in: result[...]) }
        result = VersionText.replacing(old.description, with: version.description, in: result[...])
        return result.replacing("\u{0}", with: previous.description)
    }

    /// Returns the version at the start of a comparison, such as `0.9.0` in `…/compare/v0.9.0...v1.0.0`. It may have no
    /// section.
    private static func start(ofComparison target: String) -> SemanticVersion? {
        guard let dots = target.range(of: ".."), let tag = target[..<dots.lowerBound].split(separator: "/").last else {
            return nil
        }
        return ReleaseTag(String(tag))?.version
    }
}

extension Changelog {
    /// Updates the link definitions at the end of the text.
    mutating func link(_ links: ChangelogLinks, label: String?, unreleased: String, address: String?) {
        let definitions = lines.indices.compactMap { index in lines[index].link.map { (index, name: $0.name) } }
        let held = definitions.first { $0.name.lowercased() == unreleased.lowercased() }?.0
        let versions = definitions.compactMap { index, name in Self.version(name).map { (index, version: $0, name) } }
        let older = versions.filter { $0.version < links.version }.max { $0.version < $1.version }
        let name = label ?? older.map { $0.2.replacing($0.1.description, with: links.version.description) }
        let line =
            held.flatMap { links.released(from: lines[$0].text, named: name ?? links.version.description) }
            ?? older.flatMap { links.released(from: lines[$0.0].text, of: $0.1) }
        if let held { replaceLine(held, with: links.unreleased(lines[held].text)) }
        if let present = versions.first(where: { $0.version == links.version }) {
            replaceLine(present.0, with: links.released(from: lines[present.0].text, named: present.2))
        } else if let line {
            let isLast =
                older.map { older in versions.contains { $0.0 < older.0 && $0.version < older.version } } ?? false
            insertLink(line, at: held.map { $0 + 1 } ?? older.map { $0.0 + (isLast ? 1 : 0) } ?? linkStart)
        } else if let address, let label {
            let released = links.previousTag.map { "compare/\($0)...\(links.tag)" } ?? "releases/tag/\(links.tag)"
            if held == nil { insertLink("[\(unreleased)]: \(address)/compare/\(links.tag)...HEAD", at: linkStart) }
            let end = lines.indices.last { lines[$0].link?.name == unreleased }
            insertLink("[\(label)]: \(address)/\(released)", at: end.map { $0 + 1 } ?? linkStart)
        }
    }

    /// Returns the version that a link definition is for.
    private static func version(_ name: String) -> SemanticVersion? {
        ReleaseTag(name).flatMap { ["", "v", "V"].contains($0.prefix) ? $0.version : nil }
    }

    private mutating func insertLink(_ text: String, at index: Int) {
        let follows = index > 0 && lines[index - 1].link != nil
        guard follows || index < lines.count else { return insert(new([text]), at: index) }
        var line = ChangelogLine(text: text, end: lineEnd)
        if follows, lines[index - 1].end.isEmpty {
            lines[index - 1].end = lineEnd
            line.end = ""
        }
        lines.insert(line, at: index)
    }
}
