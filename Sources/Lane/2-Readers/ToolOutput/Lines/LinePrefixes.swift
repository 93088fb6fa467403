import Text

/// The prefixes that CI services and container tools put before each line: timestamps, names of jobs and services,
/// numbers of steps, indentation.
///
/// The prefixes are learned from the log itself: they are the text before a line that only the known tools print. Lines
/// with an equal prefix, apart from the values of numbers, are then read without it.
struct LinePrefixes: Sendable {
    private enum State: Sendable {
        case searching(left: Int)
        /// The lines have no prefix.
        case none
        case known
    }

    /// The number of lines in which a prefix is searched.
    private static let maximumLines = 20_000
    private static let maximumPrefixes = 16
    private static let longestPrefix = 300

    private var state = State.searching(left: maximumLines)
    private var prefixes: [[UInt8]] = []

    /// The texts of lines that only the known tools print.
    private static let anchors: [StaticString] = [
        "Test Suite '", "Test Case '", "Test run started.", "Test run with ", "Building for debugging...",
        "Building for production...", "Planning build", "Build complete!", "Command line invocation:", "** TEST ",
        "** BUILD ", "error: Process '", "] Testing ",
    ]

    /// Returns the text of a line without its prefix.
    @inline(__always)
    mutating func strip(_ text: Bytes) -> Bytes {
        if case .none = state { return text }
        return search(text)
    }

    private mutating func search(_ text: Bytes) -> Bytes {
        for prefix in prefixes {
            if let end = Self.end(of: prefix, in: text) { return text.from(end) }
        }
        guard text.count <= 4096, let start = Self.startOfTool(in: text) else {
            if case .searching(let left) = state { state = left > 0 ? .searching(left: left - 1) : .none }
            return text
        }
        if start == 0 {
            if case .searching = state { state = .none }
            return text
        }
        guard Self.isPlausible(text.upTo(start)) else { return text }
        state = .known
        if prefixes.count < Self.maximumPrefixes { prefixes.append(Array(text.upTo(start).buffer)) }
        return text.from(start)
    }

    /// A prefix ends with a separator. Other text before a line is output without a line break.
    private static func isPlausible(_ prefix: Bytes) -> Bool {
        guard prefix.count <= longestPrefix else { return false }
        let separators: [UInt8] = [0x20, 0x09, UInt8(ascii: "|"), UInt8(ascii: "]"), UInt8(ascii: ">")]
        return separators.contains(prefix[prefix.count - 1])
    }

    /// Returns the start of a line that a tool prints, with its symbol or counter.
    private static func startOfTool(in text: Bytes) -> Int? {
        guard let anchor = anchors.lazy.compactMap({ text.firstIndex(of: $0) }).min() else { return nil }
        if text[anchor] == UInt8(ascii: "]") { return startOfCounter(in: text, before: anchor + 2) }
        return startOfSymbol(in: text, before: anchor) ?? startOfCounter(in: text, before: anchor) ?? anchor
    }

    private static func startOfSymbol(in text: Bytes, before anchor: Int) -> Int? {
        for length in 3...7 where anchor >= length {
            let start = anchor - length
            if text.symbol(at: start) == length { return start }
        }
        return nil
    }

    /// Returns the start of `[12/34] `.
    private static func startOfCounter(in text: Bytes, before anchor: Int) -> Int? {
        guard text[anchor - 2] == UInt8(ascii: "]"),
            let start = text.lastIndex(of: UInt8(ascii: "["), before: anchor), let done = text.number(at: start + 1),
            text[done.end] == UInt8(ascii: "/"), text.number(at: done.end + 1)?.end == anchor - 2
        else { return nil }
        return start
    }

    /// Returns the end of a prefix at the start of a line, or `nil`. Numbers may differ, and so may the marks of
    /// GitLab's streams (`00O `, `01E+`). A line without text may lack the blanks at the end.
    private static func end(of prefix: [UInt8], in text: Bytes) -> Int? {
        prefix.withUnsafeBufferPointer { buffer in
            let prefix = Bytes(buffer)
            var (index, position) = (0, 0)
            while position < prefix.count {
                let expected = prefix[position]
                if expected.isDigit {
                    guard text[index].isDigit else { return nil }
                    while prefix[position].isDigit { position += 1 }
                    while text[index].isDigit { index += 1 }
                    if let mark = prefix.streamMark(at: position), text.streamMark(at: index) != nil {
                        position += mark
                        index += mark
                    }
                    continue
                }
                if index == text.count, prefix.from(position).trimmed.isEmpty, position > 0 { return index }
                guard index < text.count, text[index] == expected else { return nil }
                position += 1
                index += 1
            }
            return index
        }
    }
}

extension Bytes {
    /// Returns the length of GitLab's mark of a stream after its number, or `nil` if there is none.
    fileprivate func streamMark(at index: Int) -> Int? {
        guard self[index] == UInt8(ascii: "O") || self[index] == UInt8(ascii: "E") else { return nil }
        return self[index + 1] == 0x20 || self[index + 1] == UInt8(ascii: "+") ? 2 : nil
    }
}
