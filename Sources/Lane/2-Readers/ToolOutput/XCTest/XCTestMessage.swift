/// The text of a failure, which may have several lines.
struct XCTestMessage: Sendable {
    /// The maximum size in bytes. Further text counts as output.
    static let longest = 1 << 20

    private var gathered: GatheredText
    /// The number of open values in quotes (`("` and `")`). It is updated with each line, because there may be many
    /// lines.
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
            // The preceding text may end between the two characters.
            let isCut = start > 0 && bytes[start - 1] == UInt8(ascii: "\"") && bytes[start] == UInt8(ascii: ")")
            return (isCut ? values - 1 : values, quotes)
        }
        openValues += values
        self.quotes += quotes
    }

    /// The text without the separator before an empty message.
    var text: String {
        let isWithoutMessage = hasKnownEnd && gathered.bytes.suffix(3).elementsEqual(" - ".utf8)
        return isWithoutMessage ? String(decoding: gathered.bytes.dropLast(3), as: UTF8.self) : gathered.string
    }

    /// A Boolean value that indicates whether the text cannot continue.
    var isComplete: Bool { gathered.bytes.count > Self.longest || hasKnownEnd }

    /// A Boolean value that indicates whether the end of the text is certain.
    ///
    /// The text of an assertion ends with its message, which may have several lines. The end is certain only if the
    /// message is empty and all parentheses and quotes are closed. Text after that is output.
    private var hasKnownEnd: Bool {
        gathered.bytes.withUnsafeBytes { buffer in
            let bytes = Bytes(buffer)
            if bytes.hasPrefix("threw error \"") { return bytes.hasSuffix("\"") && quotes.isMultiple(of: 2) }
            return bytes.hasSuffix(" - ") && openValues == 0
        }
    }
}
