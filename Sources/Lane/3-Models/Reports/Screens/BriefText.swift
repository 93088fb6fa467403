import Text

/// A shortened text of a failure, with the same names and values.
///
/// A comparison of XCTest is written as the expectation that does not hold, as Swift Testing writes it: `3 == 4 - sum`.
struct BriefText {
    let text: String

    init(_ text: String) {
        let lines = text == "failed" ? "" : Self.withoutRepetitions(text)
        let known =
            Self.comparison(lines) ?? Self.thrown(lines)
            ?? Self.replacements.lazy.compactMap { $0.applied(to: lines) }.first
        self.text = known ?? lines
    }

    /// Returns the result of a crashed test, or an empty string if its text already contains the result.
    static func crash(_ how: String, text: String) -> String {
        if text.hasPrefix("Fatal error: ") { return "" }
        if how.hasPrefix(processEnded) { return "crashed" + how.dropFirst(processEnded.count) }
        guard how.hasPrefix("signal "), let open = how.range(of: "(") else { return "crashed, \(how)" }
        return "crashed, \(how[open.upperBound...].before(")"))"
    }

    /// Returns the arguments of a test that a text does not contain, such as `s → "b c"` before `(n → 2) == 3`.
    static func arguments(_ arguments: String, besides text: String) -> String {
        var rest = arguments[...]
        var kept: [Substring] = []
        while !rest.isEmpty {
            let end = rest.range(of: ", ")
            let argument = rest[..<(end?.lowerBound ?? rest.endIndex)]
            if text.range(of: "(\(argument))") == nil { kept.append(argument) }
            rest = rest[(end?.upperBound ?? rest.endIndex)...]
        }
        return kept.joined(separator: ", ")
    }

    /// Returns the reason why a test did not run, to follow `not run`.
    static func reason(_ reason: String) -> String {
        reason == "its process had crashed before" ? " after a crash" : ", \(reason)"
    }

    private static let processEnded = "the process ended during the test"

    // MARK: Swift Testing

    /// Returns the lines of an issue without its kind, if a comment follows, and without values that its first line has.
    private static func withoutRepetitions(_ text: String) -> String {
        let expectation = "Expectation failed: "
        if text.hasPrefix("Issue recorded\n") { return String(text.dropFirst("Issue recorded\n".count)) }
        guard text.hasPrefix(expectation) else { return text }
        var lines = text.dropFirst(expectation.count).split(separator: "\n", omittingEmptySubsequences: false)
        let first = lines.removeFirst()
        lines.removeAll { isRepetition($0.drop { $0 == " " }, of: first) }
        return ([first] + lines).joined(separator: "\n")
    }

    /// The maximum length of two collections that are shown without their difference.
    private static let shortComparison = 120

    /// Returns a Boolean value that indicates whether a line is `n: Swift.Int → 2` below `(n → 2) == 3`, or the
    /// difference of two short values that are both shown.
    private static func isRepetition(_ line: Substring, of first: Substring) -> Bool {
        if line.hasPrefix("± ") {
            return first.utf8.count <= shortComparison && first.range(of: " → ") != first.lastRange(of: " → ")
        }
        guard let arrow = line.range(of: " → "), let colon = line[..<arrow.lowerBound].lastRange(of: ": ") else {
            return false
        }
        let (name, value) = (line[..<colon.lowerBound], line[arrow.upperBound...])
        return name == value || first.range(of: "\(name) → \(value)") != nil
    }

    // MARK: Comparisons of XCTest

    /// The expected relation of each assertion, and the words for its opposite.
    private static let comparisons: [(assertion: String, words: String, relation: String)] = [
        ("XCTAssertEqual", "is not equal to", "=="), ("XCTAssertNotEqual", "is equal to", "!="),
        ("XCTAssertGreaterThan", "is not greater than", ">"), ("XCTAssertLessThan", "is not less than", "<"),
        ("XCTAssertGreaterThanOrEqual", "is less than", ">="), ("XCTAssertLessThanOrEqual", "is greater than", "<="),
    ]

    /// Returns `3 == 4 - sum` for `XCTAssertEqual failed: ("3") is not equal to ("4") - sum`.
    private static func comparison(_ text: String) -> String? {
        for (assertion, words, relation) in comparisons {
            guard let found = Comparison.xctest(text, assertion: assertion, words: words) else { continue }
            return "\(quoted(found.left)) \(relation) \(quoted(found.right))\(found.comment)"
        }
        return nil
    }

    /// Returns a value in quotes, unless it is one word or a list.
    private static func quoted(_ value: Substring) -> String {
        let isList = value.hasPrefix("[") && value.hasSuffix("]")
        let needsQuotes = value.isEmpty || value.contains { $0 == "\"" || $0.isWhitespace && !($0 == " " && isList) }
        return needsQuotes ? "\"\(value)\"" : String(value)
    }

    /// Returns `threw boom` for `threw error "boom"`.
    private static func thrown(_ text: String) -> String? {
        let start = "threw error \""
        guard text.hasPrefix(start), text.hasSuffix("\""), text.utf8.count > start.utf8.count else { return nil }
        return "threw " + text.dropFirst(start.count).dropLast()
    }

    // MARK: Other texts

    /// A text with values between known words, and shorter words.
    private struct Replacement {
        let words: [String]
        let shorter: [String]

        /// Returns the text in the shorter words, or `nil` if it does not start with these words in this order.
        func applied(to text: String) -> String? {
            guard text.hasPrefix(words[0]) else { return nil }
            var (result, rest) = (shorter[0], text.dropFirst(words[0].count))
            for (word, short) in zip(words, shorter).dropFirst() {
                guard let range = rest.range(of: word) else { return nil }
                result += rest[..<range.lowerBound] + short
                rest = rest[range.upperBound...]
            }
            return result + rest
        }
    }

    private static let replacements = [
        Replacement(words: ["Caught error: "], shorter: ["threw "]),
        Replacement(
            words: ["XCTUnwrap failed: expected non-nil value of type \"", "\""], shorter: ["XCTUnwrap: ", ""]),
        Replacement(words: ["failed - "], shorter: [""]),
        Replacement(words: ["an error was expected but none was thrown"], shorter: ["threw no error"]),
        Replacement(words: ["Known issue was not recorded"], shorter: ["known issue not recorded"]),
        Replacement(
            words: ["Confirmation was confirmed ", ", but expected to be confirmed "],
            shorter: ["confirmed ", ", expected "]),
        Replacement(
            words: ["Asynchronous wait failed - Exceeded timeout of ", " seconds, with unfulfilled expectations: "],
            shorter: ["waited ", " s for "]),
        Replacement(
            words: ["Asynchronous wait failed: Exceeded timeout of ", " seconds, with unfulfilled expectations: "],
            shorter: ["waited ", " s for "]),
        Replacement(words: ["XCT", " failed"], shorter: ["XCT", ""]),
    ]
}
