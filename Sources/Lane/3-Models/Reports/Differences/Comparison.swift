import Text

/// Two values that a failed assertion compared, as its text contains them.
struct Comparison {
    /// The text before the values, such as `XCTAssertEqual failed`.
    let assertion: String
    /// The words between the values, such as `is not equal to` or `==`.
    let relation: String
    let left: Substring
    let right: Substring
    /// The expressions of the values, if they are short.
    var names: (left: String?, right: String?) = (nil, nil)
    /// The comment of the assertion.
    let comment: Substring
    /// A Boolean value that indicates whether the values are known to be ordered collections.
    var isOrdered = false

    /// Returns the comparison of an assertion of XCTest: `XCTAssertEqual failed: ("3") is not equal to ("4") - sum`.
    static func xctest(_ text: String, assertion: String, words: String) -> Comparison? {
        let (start, middle) = ("\(assertion) failed: (\"", "\") \(words) (\"")
        guard text.hasPrefix(start), let split = text.range(of: middle) else { return nil }
        let rest = text[split.upperBound...]
        guard let end = rest.range(of: "\") - ") ?? rest.lastRange(of: "\")") else { return nil }
        return Comparison(
            assertion: "\(assertion) failed", relation: words,
            left: text[..<split.lowerBound].dropFirst(start.count), right: rest[..<end.lowerBound],
            comment: rest[end.lowerBound...].dropFirst(2))
    }

    /// Returns the comparison of an expectation of Swift Testing: `Expectation failed: (a → 3) == (b → 4)`, followed by
    /// lines with a difference or a comment.
    static func expectation(_ text: String) -> Comparison? {
        let (start, relation) = ("Expectation failed: ", " == ")
        guard text.hasPrefix(start) else { return nil }
        let body = text.dropFirst(start.count)
        for offset in places(of: Array(relation.utf8), in: Array(body.utf8)) {
            let end = body.utf8.index(body.startIndex, offsetBy: offset)
            let next = body.utf8.index(end, offsetBy: relation.utf8.count)
            guard let left = Operand(body[..<end]), let (right, end) = rightOperand(body[next...]) else { continue }
            let comment = body[end...]
            return Comparison(
                assertion: "Expectation failed", relation: "==", left: left.value, right: right.value,
                names: (left.name, right.name), comment: comment, isOrdered: comment.range(of: "\n± ") != nil)
        }
        return nil
    }

    /// The number of places that are tried as the relation. Each takes a pass over the text.
    private static let maximumPlaces = 8

    /// Returns the offsets of a relation: first those outside brackets and quotes, because the values may contain it,
    /// and then the others, because the values may have unbalanced ones.
    private static func places(of relation: [UInt8], in bytes: [UInt8]) -> [Int] {
        var (outside, inside): ([Int], [Int]) = ([], [])
        var scanner = NestingScanner()
        for index in bytes.indices {
            let isOutside = scanner.isOutside(after: bytes[index])
            guard bytes[index] == relation[0], bytes[index...].starts(with: relation) else { continue }
            if isOutside { outside.append(index) } else { inside.append(index) }
        }
        return Array(outside.prefix(maximumPlaces) + inside.prefix(maximumPlaces))
    }

    /// Returns the operand at the start of a text, and its end. Only a value in parentheses has more than one line.
    private static func rightOperand(_ text: Substring) -> (Operand, Substring.Index)? {
        let line = text.range(of: "\n")?.lowerBound ?? text.endIndex
        if let operand = Operand(text[..<line]) { return (operand, line) }
        guard text.hasPrefix("(") else { return nil }
        if text.hasSuffix(")"), let operand = Operand(text) { return (operand, text.endIndex) }
        guard let end = text.lastRange(of: ")\n"), let operand = Operand(text[...end.lowerBound]) else { return nil }
        return (operand, text.index(after: end.lowerBound))
    }

    /// An operand: `(expression → value)` or a value.
    private struct Operand {
        private static let maximumNameLength = 40

        let name: String?
        let value: Substring

        init?(_ text: Substring) {
            guard text.hasPrefix("(") else {
                // A long value without its expression is the literal of a string.
                guard Self.isLiteral(text) else { return nil }
                (name, value) = (nil, text)
                return
            }
            guard text.hasSuffix(")"), let arrow = text.range(of: " → ") else { return nil }
            let expression = text[..<arrow.lowerBound].dropFirst()
            let isName = expression.utf8.first.map { $0.isIdentifierStart || $0 == UInt8(ascii: "(") } ?? false
            let isShort = expression.utf8.count <= Self.maximumNameLength && !expression.contains("\n")
            name = isName && isShort ? String(expression) : nil
            value = text[arrow.upperBound...].dropLast()
        }

        /// Returns a Boolean value that indicates whether a text is one literal of a string in quotes.
        private static func isLiteral(_ text: Substring) -> Bool {
            let quote = UInt8(ascii: "\"")
            guard text.utf8.count > 1, text.utf8.first == quote else { return false }
            var isEscaped = false
            for (offset, byte) in text.utf8.enumerated().dropFirst() {
                if byte == quote, !isEscaped { return offset == text.utf8.count - 1 }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            }
            return false
        }
    }
}

extension Comparison {
    /// The maximum length of a text that is searched for values.
    private static let maximumLength = 1 << 20

    /// Creates the comparison in the text of a failure, if two values should have been equal.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength,
            let comparison = Self.expectation(text)
                ?? Self.xctest(text, assertion: "XCTAssertEqual", words: "is not equal to")
        else { return nil }
        // Numbers with an accuracy: `("0.1") is not equal to ("0.2") +/- ("0.01")`.
        guard comparison.right.range(of: "\") +/- (\"") == nil else { return nil }
        self = comparison
    }

    /// The text without the values, which shows the side of each: `Expectation failed: a (-) == b (+)`.
    var heading: String {
        let line = comment.hasPrefix("\n") ? "" : comment
        return
            "\(assertion): \(names.left ?? "left") (-) \(relation) \(names.right ?? "right") (+)\(line == " - " ? "" : line)"
    }

    /// The lines of the comment below the heading, without a difference.
    var notes: [Substring] {
        guard comment.hasPrefix("\n") else { return [] }
        return comment.dropFirst().parts(separatedBy: "\n").filter { !$0.hasPrefix("± ") }
    }
}

extension Substring {
    /// Returns the last occurrence of a text.
    func lastRange(of other: String) -> Range<Index>? {
        var last: Range<Index>?
        while let next = range(of: other, after: last?.upperBound) { last = next }
        return last
    }
}
