/// The difference between two texts in the format of `diff -u`.
package struct UnifiedDiff {
    private static let context = 3

    private enum Line {
        case same(Substring)
        case old(Substring)
        case new(Substring)

        var text: String {
            switch self {
            case .same(let text): " \(text)"
            case .old(let text): "-\(text)"
            case .new(let text): "+\(text)"
            }
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
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            Substring($0)
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
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
            output += hunk.map { $0.text + "\n" }.joined()
            oldNumber += oldCount
            newNumber += newCount
            index = hunk.endIndex
        }
        return output.isEmpty ? "" : "--- \(path)\n+++ \(path)\n" + output
    }

    /// Compares lines by the longest common subsequence, without the equal lines at the start and the end.
    private static func compare(_ old: [Substring], _ new: [Substring]) -> [Line] {
        var head = 0
        while head < min(old.count, new.count), old[head] == new[head] { head += 1 }
        var tail = 0
        while tail < min(old.count, new.count) - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
            tail += 1
        }
        let before = old[head..<old.count - tail]
        let after = new[head..<new.count - tail]
        var lengths = [[Int]](repeating: [Int](repeating: 0, count: after.count + 1), count: before.count + 1)
        for (row, left) in before.enumerated().reversed() {
            for (column, right) in after.enumerated().reversed() {
                lengths[row][column] =
                    left == right
                    ? lengths[row + 1][column + 1] + 1 : max(lengths[row + 1][column], lengths[row][column + 1])
            }
        }
        var lines: [Line] = old[..<head].map { .same($0) }
        var row = 0
        var column = 0
        while row < before.count || column < after.count {
            if row < before.count, column < after.count, before[head + row] == after[head + column] {
                lines.append(.same(before[head + row]))
                row += 1
                column += 1
            } else if row < before.count, column == after.count || lengths[row + 1][column] >= lengths[row][column + 1]
            {
                lines.append(.old(before[head + row]))
                row += 1
            } else {
                lines.append(.new(after[head + column]))
                column += 1
            }
        }
        return lines + old[(old.count - tail)...].map { .same($0) }
    }
}
