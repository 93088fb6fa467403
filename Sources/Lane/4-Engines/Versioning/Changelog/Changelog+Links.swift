import Text

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
