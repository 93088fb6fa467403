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
