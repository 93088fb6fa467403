/// The text after `recorded an issue`: `[ with <n> argument[s] <label> → <value>, …][ at <File.swift>:<line>:<col>]:
/// <text>`
struct SwiftTestingIssueParts {
    private(set) var arguments: Bytes?
    /// The location `<File.swift>:<line>:<col>`.
    private(set) var place: Bytes?
    let text: Bytes

    /// The maximum number of following lines that may continue a value in the text, or 0 if the quotes are balanced.
    var openLines: Int {
        Self.isOpen(text) ? SwiftTestingOpenArguments.maximumLines : 0
    }

    /// Returns a Boolean value that indicates whether a text may continue in the next line: the description of an
    /// error, or an expectation with open quotes or parentheses.
    static func isOpen(_ text: Bytes) -> Bool {
        text.hasPrefix("Caught error: ")
            || text.hasPrefix("Expectation failed: ") && (text.hasOpenQuotation || text.hasOpenParentheses)
    }

    init(_ line: Bytes) {
        var rest = line
        if rest.hasPrefix(" with "), let count = rest.number(at: 6), rest.matches(" argument", at: count.end) {
            let start = count.end + (rest.matches(" arguments ", at: count.end) ? 11 : 10)
            let end = Self.startOfPlace(in: rest, from: start) ?? rest.firstIndex(of: ": ", from: start) ?? rest.count
            arguments = rest.between(start, end)
            rest = rest.from(end)
        }
        if Self.startOfPlace(in: rest, from: 0) == 0, let colon = rest.firstIndex(of: ": ", from: 4) {
            place = rest.between(4, colon)
            rest = rest.from(colon)
        }
        text = rest.hasPrefix(": ") ? rest.from(2) : rest
    }

    /// Returns the start index of ` at <File.swift>:<line>:<col>: `. A value may also contain ` at `.
    static func startOfPlace(in text: Bytes, from index: Int) -> Int? {
        var from = index
        while let start = text.firstIndex(of: " at ", from: from) {
            if let colon = text.firstIndex(of: UInt8(ascii: ":"), from: start),
                text.between(start + 4, colon).firstIndex(of: 0x20) == nil, let line = text.number(at: colon + 1),
                text[line.end] == UInt8(ascii: ":"), let column = text.number(at: line.end + 1),
                text.matches(": ", at: column.end)
            {
                return start
            }
            from = start + 1
        }
        return nil
    }
}

/// The text after `recorded an issue` if an argument contains line breaks, up to the line with the location.
struct SwiftTestingOpenArguments: Sendable {
    /// The maximum number of lines.
    static let maximumLines = 100

    private var bytes: [UInt8]
    private let start: Int
    private var left = maximumLines
    private var isWhole = false

    /// Creates arguments from the first line, or returns `nil` if the line contains them completely.
    init?(from first: Bytes) {
        guard first.hasOpenQuotation || first.firstIndex(of: ": ") == nil else { return nil }
        bytes = Array(first.buffer) + [0x0A]
        start = bytes.count
    }

    /// The complete text, or `nil` before the line with the location.
    var whole: [UInt8]? { isWhole ? bytes : nil }
    /// The lines after the first.
    var lines: ArraySlice<UInt8> { bytes[start...] }

    /// Ends the arguments.
    mutating func close() { left = 0 }

    /// Adds a line. Returns `false` if it cannot be part of the arguments.
    mutating func add(_ line: Line) -> Bool {
        let text = line.text
        guard left > 0 else { return false }
        left -= 1
        bytes.append(contentsOf: text.buffer)
        isWhole = SwiftTestingIssueParts.startOfPlace(in: text, from: 0) != nil
        if !isWhole, line.ending != .cut { bytes.append(0x0A) }
        return true
    }
}

extension Bytes {
    /// A Boolean value that indicates whether the number of quotes is odd. A value then continues in the next line.
    var hasOpenQuotation: Bool { buffer.count { $0 == UInt8(ascii: "\"") } % 2 == 1 }

    /// A Boolean value that indicates whether more parentheses, brackets and braces are opened than closed outside
    /// quotes.
    var hasOpenParentheses: Bool {
        var (depth, isQuoted, previous) = (0, false, UInt8(0))
        for byte in buffer {
            switch byte {
            case UInt8(ascii: "\"") where previous != UInt8(ascii: "\\"): isQuoted.toggle()
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): if !isQuoted { depth += 1 }
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): if !isQuoted { depth -= 1 }
            default: break
            }
            previous = byte
        }
        return depth > 0
    }

    /// A Boolean value that indicates whether the text is a detail of an issue. The arrow differs on Windows.
    var isDetail: Bool { hasPrefix("↳ ") || hasPrefix("± ") || hasPrefix("→ ") }

    /// A Boolean value that indicates whether the text belongs to the crash of a process.
    var isOfCrash: Bool {
        CrashedTests.isProcessEnd(self) || hasPrefix("*** ") || firstIndex(of: "Fatal error: ") != nil
    }
}

/// A search for bytes that may begin a symbol of Swift Testing. It passes over a text once, however many there are.
struct SymbolSearch {
    private let text: Bytes
    /// The next index of each possible byte.
    private var next: (Int, Int, Int)

    init(_ text: Bytes) {
        self.text = text
        next = (-1, -1, -1)
    }

    /// Returns the first index from `index` on. The index must not decrease.
    mutating func next(from index: Int) -> Int? {
        advance(&next.0, to: index, 0xE2)
        advance(&next.1, to: index, 0xC3)
        advance(&next.2, to: index, 0xF4)
        let nearest = min(next.0, next.1, next.2)
        return nearest < text.count ? nearest : nil
    }

    private func advance(_ place: inout Int, to index: Int, _ byte: UInt8) {
        if place < index { place = text.firstIndex(of: byte, from: index) ?? text.count }
    }
}
