import Text

/// Descriptions of arrays, sets and dictionaries: `[1, 2]`, `Optional(["a": 1])`.
enum CollectionText {
    /// The elements of two collections.
    struct Elements: Equatable {
        let left: [[UInt8]]
        let right: [[UInt8]]
        /// A Boolean value that indicates whether all elements have keys.
        let haveKeys: Bool
        /// A Boolean value that indicates whether the descriptions name a type of sets.
        let areSets: Bool
    }

    /// Returns the elements of two collections of the same kind, or `nil` if a text is not that of a collection.
    static func elements(_ left: [UInt8], _ right: [UInt8]) -> Elements? {
        guard let (start, first) = parts(left), let (otherStart, second) = parts(right), start == otherStart,
            first.count + second.count > 0
        else { return nil }
        let all = first + second
        let name = String(decoding: start, as: UTF8.self)
        return Elements(
            left: first, right: second, haveKeys: all.allSatisfy { !key(of: $0).isEmpty },
            areSets: name.contains("Set(") && !name.contains("OrderedSet("))
    }

    /// Returns the text before the bracket, and the elements.
    private static func parts(_ text: [UInt8]) -> (start: ArraySlice<UInt8>, elements: [[UInt8]])? {
        guard let open = text.firstIndex(of: UInt8(ascii: "[")) else { return nil }
        let start = text[..<open]
        let depth = start.count { $0 == UInt8(ascii: "(") }
        let isName = start.allSatisfy { $0.isIdentifierContinuation || $0 == UInt8(ascii: "(") }
        guard isName, text.suffix(depth).allSatisfy({ $0 == UInt8(ascii: ")") }),
            text.dropLast(depth).last == UInt8(ascii: "]")
        else { return nil }
        guard let elements = split(text[(open + 1)..<(text.count - depth - 1)]) else { return nil }
        return (start, elements == [Array(":".utf8)] ? [] : elements)
    }

    /// Returns the texts between commas outside brackets and quotes, or `nil` if those are not balanced.
    private static func split(_ text: ArraySlice<UInt8>) -> [[UInt8]]? {
        var elements: [[UInt8]] = []
        var start = text.startIndex
        var scanner = NestingScanner()
        for index in text.indices where scanner.isOutside(after: text[index]) && text[index] == UInt8(ascii: ",") {
            elements.append(Array(text[start..<index]))
            start = index + 1
            if start < text.endIndex, text[start] == UInt8(ascii: " ") { start += 1 }
        }
        guard scanner.isBalanced else { return nil }
        return text.isEmpty ? [] : elements + [Array(text[min(start, text.endIndex)...])]
    }

    /// Returns the key of a dictionary's entry, or an empty text.
    static func key(of entry: [UInt8]) -> ArraySlice<UInt8> {
        var scanner = NestingScanner()
        for index in entry.indices where scanner.isOutside(after: entry[index]) {
            if entry[index...].starts(with: ": ".utf8) { return entry[..<index] }
        }
        return []
    }

    /// Returns the elements of each set that the other lacks. Returns `nil` if the equal elements have the same order,
    /// or if the collections differ only in their order, or have an element twice: those are no sets.
    static func differenceOfSets(
        _ left: [[UInt8]], _ right: [[UInt8]]
    ) -> (left: [[UInt8]], right: [[UInt8]])? {
        let (first, second) = (Set(left), Set(right))
        guard first.count == left.count, second.count == right.count, first != second else { return nil }
        guard left.filter(second.contains) != right.filter(first.contains) else { return nil }
        return (left.filter { !second.contains($0) }, right.filter { !first.contains($0) })
    }
}

/// The nesting of brackets and quotes in a description.
struct NestingScanner {
    private var depth = 0
    private var isQuoted = false
    private var isEscaped = false

    /// A Boolean value that indicates whether all brackets and quotes are closed.
    var isBalanced: Bool { depth == 0 && !isQuoted }

    /// Continues with a byte. Returns a Boolean value that indicates whether it is outside brackets and quotes.
    mutating func isOutside(after byte: UInt8) -> Bool {
        if isQuoted {
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted = false }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            return false
        }
        switch byte {
        case UInt8(ascii: "\""): isQuoted = true
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
        return depth == 0 && !isQuoted
    }
}
