/// The difference between two texts in the format of `diff -u`.
package struct UnifiedDiff {
    private static let context = 3

    /// A line with its line feed, which the last line of a text may lack.
    private enum Line {
        case same(Substring)
        case old(Substring)
        case new(Substring)

        var text: String {
            switch self {
            case .same(let text): " " + Self.ended(text)
            case .old(let text): "-" + Self.ended(text)
            case .new(let text): "+" + Self.ended(text)
            }
        }

        private static func ended(_ text: Substring) -> String {
            text.utf8.last == UInt8(ascii: "\n") ? String(text) : text + "\n\\ No newline at end of file\n"
        }

        var isSame: Bool { if case .same = self { true } else { false } }
        var isInOld: Bool { if case .new = self { false } else { true } }
        var isInNew: Bool { if case .old = self { false } else { true } }
    }

    private let lines: [Line]

    package init(from old: String, to new: String) {
        lines = Self.compare(Self.lines(of: old), Self.lines(of: new))
    }

    private static func lines(of text: String) -> [Substring] {
        var lines: [Substring] = []
        var rest = text[...]
        while let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")) {
            let next = rest.utf8.index(after: end)
            lines.append(rest[..<next])
            rest = rest[next...]
        }
        return rest.isEmpty ? lines : lines + [rest]
    }

    /// Returns the changes with three lines of context, or an empty string for equal texts.
    package func text(_ path: String) -> String {
        var output = ""
        var oldNumber = 1
        var newNumber = 1
        var index = 0
        while let first = lines[index...].firstIndex(where: { !$0.isSame }) {
            let start = max(index, first - Self.context)
            for line in lines[index..<start] {
                oldNumber += line.isInOld ? 1 : 0
                newNumber += line.isInNew ? 1 : 0
            }
            var end = first
            // Changes that are close together are one hunk.
            while let next = lines[end...].prefix(2 * Self.context + 1).lastIndex(where: { !$0.isSame }) {
                end = next + 1
            }
            let hunk = lines[start..<min(lines.count, end + Self.context)]
            let oldCount = hunk.count(where: \.isInOld)
            let newCount = hunk.count(where: \.isInNew)
            output += "@@ -\(oldCount == 0 ? oldNumber - 1 : oldNumber),\(oldCount)"
            output += " +\(newCount == 0 ? newNumber - 1 : newNumber),\(newCount) @@\n"
            output += hunk.map(\.text).joined()
            oldNumber += oldCount
            newNumber += newCount
            index = hunk.endIndex
        }
        return output.isEmpty ? "" : "--- \(path)\n+++ \(path)\n" + output
    }

    private static func compare(_ old: [Substring], _ new: [Substring]) -> [Line] {
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [Line] = []
        var row = 0
        var column = 0
        while row < old.count || column < new.count {
            if removed.contains(row) {
                lines.append(.old(old[row]))
                row += 1
            } else if inserted.contains(column) {
                lines.append(.new(new[column]))
                column += 1
            } else {
                lines.append(.same(old[row]))
                row += 1
                column += 1
            }
        }
        return lines
    }
}
