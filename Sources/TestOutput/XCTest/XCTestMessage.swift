/// The text of a failure, which may go on over further lines.
struct XCTestMessage: Sendable {
    /// In bytes; what follows is taken for a print.
    static let longest = 1 << 20

    private var gathered: GatheredText

    init(_ text: Bytes) { gathered = GatheredText(text) }

    mutating func append(_ text: Bytes, onNewLine: Bool) { gathered.append(text, onNewLine: onNewLine) }

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
            if bytes.hasPrefix("threw error \"") {
                return bytes.hasSuffix("\"") && buffer.count { $0 == UInt8(ascii: "\"") }.isMultiple(of: 2)
            }
            guard bytes.hasSuffix(" - ") else { return false }
            var (opened, closed) = (0, 0)
            for index in 0..<bytes.count {
                if bytes.matches("(\"", at: index) { opened += 1 }
                if bytes.matches("\")", at: index) { closed += 1 }
            }
            return opened == closed
        }
    }
}
