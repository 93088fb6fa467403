/// The text of a failure, which may go on over further lines.
struct XCTestMessage: Sendable {
    /// In bytes; what follows is taken for a print.
    static let longest = 1 << 20

    private var gathered: GatheredText
    /// How many values in quotes have begun and not ended, `("` and `")`; counted as they come, for there may be many lines.
    private var openValues = 0
    private var quotes = 0

    init(_ text: Bytes) {
        gathered = GatheredText(text)
        count(from: 0)
    }

    mutating func append(_ text: Bytes, onNewLine: Bool) {
        let end = gathered.bytes.count
        gathered.append(text, onNewLine: onNewLine)
        count(from: end)
    }

    private mutating func count(from start: Int) {
        let (values, quotes) = gathered.bytes.withUnsafeBytes { buffer in
            let bytes = Bytes(buffer)
            var (values, quotes) = (0, 0)
            for index in start..<bytes.count where bytes[index] == UInt8(ascii: "\"") {
                quotes += 1
                if bytes[index - 1] == UInt8(ascii: "(") { values += 1 }
                if bytes[index + 1] == UInt8(ascii: ")") { values -= 1 }
            }
            // The piece before may have been cut between the two.
            let isCut = start > 0 && bytes[start - 1] == UInt8(ascii: "\"") && bytes[start] == UInt8(ascii: ")")
            return (isCut ? values - 1 : values, quotes)
        }
        openValues += values
        self.quotes += quotes
    }

    /// As a person reads it, without what parts the assertion from a message that is empty.
    var text: String {
        let isWithoutMessage = hasKnownEnd && gathered.bytes.suffix(3).elementsEqual(" - ".utf8)
        return isWithoutMessage ? String(decoding: gathered.bytes.dropLast(3), as: UTF8.self) : gathered.string
    }

    /// It can't go on.
    var isComplete: Bool { gathered.bytes.count > Self.longest || hasKnownEnd }

    /// XCTest ends an assertion's text with its message, which may be of many lines; only where the message is empty,
    /// and the parentheses and quotes before it are closed, is the end known. What follows then is a print.
    private var hasKnownEnd: Bool {
        gathered.bytes.withUnsafeBytes { buffer in
            let bytes = Bytes(buffer)
            if bytes.hasPrefix("threw error \"") { return bytes.hasSuffix("\"") && quotes.isMultiple(of: 2) }
            return bytes.hasSuffix(" - ") && openValues == 0
        }
    }
}
