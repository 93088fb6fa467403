/// What follows `recorded an issue`: `[ with <n> argument[s] <label> → <value>, …][ at <File.swift>:<line>:<col>]: <text>`
struct SwiftTestingIssueParts {
    private(set) var arguments: Bytes?
    /// `<File.swift>:<line>:<col>`
    private(set) var place: Bytes?
    let text: Bytes

    /// How many lines below may be of a value that the text tells: none when its quotation marks are whole.
    var openLines: Int {
        text.hasPrefix("Expectation failed: ") && text.hasOpenQuotation ? SwiftTestingOpenArguments.mostLines : 0
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

    /// Where ` at <File.swift>:<line>:<col>: ` begins; an argument's value may hold ` at ` of its own.
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

/// What follows `recorded an issue` where a value among the arguments holds line breaks, up to the line with the place.
struct SwiftTestingOpenArguments: Sendable {
    /// Longer ones are nothing to read; what stands there is a print, as a rule.
    static let mostLines = 100

    private var bytes: [UInt8]
    private let start: Int
    private var left = mostLines
    private var isWhole = false

    /// `nil` where a quotation mark, or a text behind the arguments, tells that they are whole.
    init?(from first: Bytes) {
        guard first.hasOpenQuotation || first.firstIndex(of: ": ") == nil else { return nil }
        bytes = Array(first.buffer) + [0x0A]
        start = bytes.count
    }

    /// `nil` until the place has come.
    var whole: [UInt8]? { isWhole ? bytes : nil }
    /// The lines below the first.
    var lines: ArraySlice<UInt8> { bytes[start...] }

    /// Nothing more belongs to them.
    mutating func close() { left = 0 }

    /// Whether it can be one of them.
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
    /// A value begins in it that ends in another line, or the other way round.
    var hasOpenQuotation: Bool { buffer.count { $0 == UInt8(ascii: "\"") } % 2 == 1 }

    /// Told below an issue.
    var isDetail: Bool { hasPrefix("↳ ") || hasPrefix("± ") }
}
