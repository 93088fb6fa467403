import Events
import Text

/// The text of an issue with the difference of the values that it compares, in place of the values.
struct IssueExplanation {
    /// A part of a row that is marked if it differs from the other side.
    typealias Segment = (text: String, isMarked: Bool)

    /// A line of the explanation.
    enum Line {
        case text(String)
        case row(ValueDifference.Side, [Segment])
    }

    /// The maximum number of rows of a difference.
    private static let rowLimit = 100

    private(set) var lines: [Line] = []
    /// A Boolean value that indicates whether the lines contain a difference in place of the values.
    private(set) var hasDifference = false

    init(_ text: String) {
        guard let comparison = Comparison(text),
            let difference = ValueDifference(comparison.left, comparison.right, isOrdered: comparison.isOrdered)
        else {
            add(text)
            return
        }
        hasDifference = true
        add(comparison.heading)
        for part in difference.parts.prefix(Self.rowLimit) {
            switch part {
            case .row(let row): lines.append(.row(row.side, Self.segments(of: row)))
            case .gap(let count): add("… \(grouped(count, "equal \(difference.unit)"))")
            }
        }
        let omitted = difference.parts.count - Self.rowLimit
        if omitted > 0 { add("… \(grouped(omitted, "more line")) of the difference") }
        if let note = difference.note { add("note: \(note)") }
        for note in comparison.notes { add(String(note)) }
    }

    private mutating func add(_ text: String) {
        lines += TerminalText.sanitized(text).split(separator: "\n", omittingEmptySubsequences: false)
            .map { .text(String($0)) }
    }

    private static func segments(of row: ValueDifference.Row) -> [Segment] {
        func text(_ range: Range<Int>) -> String { String(decoding: row.text[range], as: UTF8.self) }
        var segments: [Segment] = []
        var done = 0
        for mark in row.marks {
            segments.append((TerminalText.sanitized(text(done..<mark.lowerBound)), false))
            segments.append((visible(text(mark)), true))
            done = mark.upperBound
        }
        segments.append((TerminalText.sanitized(text(done..<row.text.count)), false))
        return segments.filter { !$0.text.isEmpty }
    }

    /// Returns a text with escapes such as `\t` in place of characters that are invisible or look like a space.
    private static func visible(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: result += scalar.escaped(asASCII: true)
            case .spaceSeparator where scalar != " ": result += scalar.escaped(asASCII: true)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The lines without colors. A line of `~` below a row marks its different words.
    func plainLines(marksWords: Bool = true) -> [String] {
        lines.flatMap { line -> [String] in
            guard case .row(let side, let segments) = line else {
                if case .text(let text) = line { return [text] }
                return []
            }
            let text = side.sign + segments.map(\.text).joined()
            guard marksWords, segments.contains(where: \.isMarked) else { return [text] }
            let marks = segments.map {
                String(repeating: $0.isMarked ? "~" : " ", count: TerminalText.columns($0.text))
            }
            return [text, "  " + marks.joined().trimmingSpaces()]
        }
    }

    /// The lines in a style.
    func lines(_ style: TextStyle) -> [String] {
        guard style.isColored else { return plainLines() }
        return lines.map { line in
            switch line {
            case .text(let text): return text
            case .row(.both, let segments): return "  " + segments.map(\.text).joined()
            case .row(let side, let segments):
                let color: TextStyle.Attribute = side == .left ? .red : .green
                return style.apply(color, to: side.sign)
                    + segments.map { style.apply(color, $0.isMarked ? .inverse : nil, to: $0.text) }.joined()
            }
        }
    }
}

extension ValueDifference.Side {
    /// The sign at the start of a row.
    var sign: String {
        switch self {
        case .both: "  "
        case .left: "- "
        case .right: "+ "
        }
    }
}

extension String {
    /// Returns the text without spaces at its end.
    fileprivate func trimmingSpaces() -> Substring {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return text
    }
}
