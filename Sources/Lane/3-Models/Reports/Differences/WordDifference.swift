import Text

/// The different words of two lines.
struct WordDifference {
    private typealias Row = ValueDifference.Row

    /// The maximum length of equal text between changes that is shown completely, and of its remains on each side.
    private static let (equalLength, remainder) = (60, 24)
    /// The maximum length of a changed text, which is cut in the middle.
    private static let changedLength = 1000
    /// The minimum number of common bytes of two words for which only the others are marked.
    private static let leastCommon = 6

    private let left: [ArraySlice<UInt8>]
    private let right: [ArraySlice<UInt8>]

    init(_ left: [UInt8], _ right: [UInt8]) {
        (self.left, self.right) = (Self.words(left[...]), Self.words(right[...]))
    }

    /// Returns the words, runs of spaces, and other bytes of a text. A character outside ASCII is part of a word.
    static func words(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var words: [ArraySlice<UInt8>] = []
        var rest = text
        while let first = rest.first {
            let end: Int? =
                if isWord(first) {
                    rest.firstIndex { !isWord($0) }
                } else if first == UInt8(ascii: " ") {
                    rest.firstIndex { $0 != first }
                } else {
                    rest.startIndex + 1
                }
            words.append(rest[..<(end ?? rest.endIndex)])
            rest = rest[(end ?? rest.endIndex)...]
        }
        return words
    }

    private static func isWord(_ byte: UInt8) -> Bool { byte.isIdentifierContinuation || byte >= 0x80 }

    /// A Boolean value that indicates whether both lines have a word.
    var haveCommonWord: Bool {
        !Set(left.filter { $0.first.map(Self.isWord) == true }).isDisjoint(with: right)
    }

    /// The two lines, with shortened equal texts.
    var rows: [ValueDifference.Row] {
        var rows = (left: Row(side: .left, text: []), right: Row(side: .right, text: []))
        // The equal text since the last change.
        var equal: [UInt8] = []
        var done = 0
        for change in Self.joined(SequenceDifference(left, right).changes, left) {
            equal += left[done..<change.left.lowerBound].joined()
            done = change.left.upperBound
            let (old, new) = (Array(left[change.left].joined()), Array(right[change.right].joined()))
            let (start, end) = Self.common(old, new)
            Self.add(equal + old[..<start], to: &rows)
            Self.add(Array(old[start..<(old.count - end)]), to: &rows.left)
            Self.add(Array(new[start..<(new.count - end)]), to: &rows.right)
            equal = Array(old[(old.count - end)...])
        }
        Self.add(equal + left[done...].joined(), to: &rows, isLast: true)
        return [Self.simplified(rows.left), Self.simplified(rows.right)]
    }

    /// Returns the lengths of the common start and end of two changed texts, if they have most of their bytes in common.
    private static func common(_ old: [UInt8], _ new: [UInt8]) -> (start: Int, end: Int) {
        let shorter = min(old.count, new.count)
        var start = (0..<shorter).first { old[$0] != new[$0] } ?? shorter
        // A character is not divided.
        while start > 0, [old, new].contains(where: { start < $0.count && isContinuation($0[start]) }) { start -= 1 }
        let rest = shorter - start
        var end = (0..<rest).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] } ?? rest
        while end > 0, isContinuation(old[old.count - end]) { end -= 1 }
        return 2 * (start + end) >= max(old.count, new.count) && start + end >= leastCommon ? (start, end) : (0, 0)
    }

    /// Adds an equal text to both lines. Its middle, or its start or end in the line, is omitted if it is long.
    private static func add(
        _ equal: [UInt8], to rows: inout (left: ValueDifference.Row, right: ValueDifference.Row), isLast: Bool = false
    ) {
        let isFirst = rows.left.text.isEmpty && rows.right.text.isEmpty
        let shown =
            equal.count > equalLength
            ? cut(equal, head: isFirst ? 0 : remainder, tail: isLast ? 0 : remainder) : equal
        rows.left.text += shown
        rows.right.text += shown
    }

    /// Adds a changed text, which is cut in the middle.
    private static func add(_ text: [UInt8], to row: inout ValueDifference.Row) {
        guard !text.isEmpty else { return }
        let start = row.text.count
        row.text += bounded(text)
        row.marks.append(start..<row.text.count)
    }

    /// Returns a text whose middle is omitted if it is long.
    static func bounded(_ text: [UInt8]) -> [UInt8] {
        text.count <= changedLength ? text : cut(text, head: changedLength / 2, tail: changedLength / 2)
    }

    /// Removes the marks of a row that differs completely.
    private static func simplified(_ row: ValueDifference.Row) -> ValueDifference.Row {
        row.marks == [0..<row.text.count] ? Row(side: row.side, text: row.text) : row
    }

    /// Joins changes that only spaces separate.
    private static func joined(
        _ changes: [SequenceDifference.Change], _ left: [ArraySlice<UInt8>]
    ) -> [SequenceDifference.Change] {
        var joined: [SequenceDifference.Change] = []
        for change in changes {
            let between = joined.last.map { left[$0.left.upperBound..<change.left.lowerBound] }
            if let between, between.allSatisfy({ $0.first == UInt8(ascii: " ") }) {
                joined[joined.count - 1].left = joined[joined.count - 1].left.lowerBound..<change.left.upperBound
                joined[joined.count - 1].right = joined[joined.count - 1].right.lowerBound..<change.right.upperBound
            } else {
                joined.append(change)
            }
        }
        return joined
    }

    /// Returns the start and the end of a text with an ellipsis between them, without cutting characters.
    private static func cut(_ text: [UInt8], head: Int, tail: Int) -> [UInt8] {
        var (head, tail) = (head, text.count - tail)
        while head > 0, isContinuation(text[head]) { head -= 1 }
        while tail < text.count, isContinuation(text[tail]) { tail += 1 }
        return text[..<head] + Array("…".utf8) + text[tail...]
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
