/// What follows `recorded an issue`: `[ with <n> argument[s] <label> → <value>, …][ at <File.swift>:<line>:<col>]: <text>`
struct SwiftTestingIssueParts {
    private(set) var arguments: Bytes?
    /// `<File.swift>:<line>:<col>`
    private(set) var place: Bytes?
    let text: Bytes

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
    private static func startOfPlace(in text: Bytes, from index: Int) -> Int? {
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
