import Text

/// The difference of two values by their descriptions: elements of collections, lines of texts, or words of lines.
struct ValueDifference {
    /// The side of a row.
    enum Side { case both, left, right }

    /// A line of the difference.
    struct Row: Equatable {
        let side: Side
        /// The bytes of a line, an element or a part of them.
        var text: [UInt8]
        /// The ranges that differ from the other side, or none if all of the row does.
        var marks: [Range<Int>] = []
    }

    /// A part of the difference.
    enum Part: Equatable {
        case row(Row)
        /// Omitted equal lines or elements.
        case gap(Int)
    }

    /// The kind of the compared units: `line`, `element` or `word`.
    let unit: String
    private(set) var parts: [Part] = []
    /// The remark that explains a difference that the rows don't show.
    private(set) var note: String?

    /// The length up to which two values are readable side by side, and that of values that have no word in common.
    private static let (shortLength, unlikeLength) = (12, 60)
    /// The number of equal lines around a change.
    private static let context = 3

    /// Creates the difference of two descriptions. Returns `nil` if they are equal, or so short that they are readable
    /// side by side.
    ///
    /// - Parameter isOrdered: A Boolean value that indicates whether collections are known to have an order.
    init?(_ left: Substring, _ right: Substring, isOrdered: Bool = false) {
        var (left, right) = (Array(left.utf8), Array(right.utf8))
        let areTexts = [left, right].contains { $0.contains(UInt8(ascii: "\n")) }
        let areShort = max(left.count, right.count) <= Self.shortLength
        guard left != right, areTexts || !areShort else { return nil }
        if let elements = CollectionText.elements(left, right) {
            unit = "element"
            addElements(elements, isOrdered: isOrdered)
        } else if areTexts {
            unit = "line"
            if Self.areQuoted(left, right) {
                (left, right) = (Array(left.dropFirst().dropLast()), Array(right.dropFirst().dropLast()))
            }
            addLines(left, right)
        } else {
            unit = "word"
            let words = WordDifference(left, right)
            guard words.haveCommonWord || max(left.count, right.count) > Self.unlikeLength else { return nil }
            add(words.rows)
        }
    }

    private static func areQuoted(_ texts: [UInt8]...) -> Bool {
        texts.allSatisfy { $0.count > 1 && $0.first == UInt8(ascii: "\"") && $0.last == UInt8(ascii: "\"") }
    }

    private mutating func add(_ rows: [Row]) { parts += rows.map(Part.row) }

    /// Adds complete units of one side, or of both.
    private mutating func add(_ units: some Sequence<[UInt8]>, _ side: Side) {
        add(units.map { Row(side: side, text: WordDifference.bounded($0)) })
    }

    // MARK: Texts

    private mutating func addLines(_ left: [UInt8], _ right: [UInt8]) {
        let newline = UInt8(ascii: "\n")
        var lines = (left: Self.lines(left), right: Self.lines(right))
        let endings = (left: left.last == newline, right: right.last == newline)
        if endings.left { lines.left.removeLast() }
        if endings.right { lines.right.removeLast() }
        if endings.left != endings.right {
            note = "only the \(endings.left ? "left" : "right") text ends with a line break"
        }
        addChanges(lines.left, lines.right)
    }

    private static func lines(_ text: [UInt8]) -> [[UInt8]] {
        text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    }

    /// Adds the changes with equal units around them.
    private mutating func addChanges(_ left: [[UInt8]], _ right: [[UInt8]]) {
        var done = 0
        let changes = SequenceDifference(left, right).changes
        for (index, change) in changes.enumerated() {
            addEqual(left[done..<change.left.lowerBound], isFirst: index == 0, isLast: false)
            addReplacement(Array(left[change.left]), Array(right[change.right]))
            done = change.left.upperBound
        }
        if !changes.isEmpty { addEqual(left[done...], isFirst: false, isLast: true) }
    }

    /// Adds the first and last of equal units, and the number of those between them.
    private mutating func addEqual(_ units: ArraySlice<[UInt8]>, isFirst: Bool, isLast: Bool) {
        let (head, tail) = (isFirst ? 0 : Self.context, isLast ? 0 : Self.context)
        // A gap of one unit is no shorter than the unit.
        guard units.count > head + tail + 1 else { return add(units, .both) }
        add(units.prefix(head), .both)
        parts.append(.gap(units.count - head - tail))
        add(units.suffix(tail), .both)
    }

    /// Adds removed and added units, with their different words if there is one for each.
    private mutating func addReplacement(_ left: [[UInt8]], _ right: [[UInt8]]) {
        guard left.count == right.count else {
            add(left, .left)
            return add(right, .right)
        }
        for (left, right) in zip(left, right) { add(WordDifference(left, right).rows) }
    }

    // MARK: Collections

    private mutating func addElements(_ elements: CollectionText.Elements, isOrdered: Bool) {
        if elements.haveKeys { return addKeyed(elements.left, elements.right) }
        guard !isOrdered, let (left, right) = CollectionText.differenceOfSets(elements.left, elements.right) else {
            return addChanges(elements.left, elements.right)
        }
        note = elements.areSets ? nil : "equal elements have another order"
        let equal = elements.left.count - left.count
        if equal > 0 { parts.append(.gap(equal)) }
        add(left, .left)
        add(right, .right)
    }

    /// Adds the entries of dictionaries that differ, those with the same key next to each other.
    private mutating func addKeyed(_ left: [[UInt8]], _ right: [[UInt8]]) {
        let values = Dictionary(right.map { (CollectionText.key(of: $0), $0) }) { first, _ in first }
        let keys = Set(left.map(CollectionText.key))
        let changed = left.filter { values[CollectionText.key(of: $0)] != $0 }
        if changed.count < left.count { parts.append(.gap(left.count - changed.count)) }
        for entry in changed {
            if let other = values[CollectionText.key(of: entry)] {
                add(WordDifference(entry, other).rows)
            } else {
                add([entry], .left)
            }
        }
        add(right.filter { !keys.contains(CollectionText.key(of: $0)) }, .right)
    }
}
