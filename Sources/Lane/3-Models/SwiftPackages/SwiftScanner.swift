import Text

/// A token of Swift source code. Comments are not tokens.
package indirect enum SwiftToken: Sendable, Equatable {
    /// An identifier, keyword, number, or a word with `#` or `@` such as `#filePath`.
    case word(String)
    /// A string literal, and the range between its quotes.
    case literal([Piece], range: Range<Int>)
    case symbol(UInt8)
    case lineBreak

    /// A part of a string literal.
    package enum Piece: Sendable, Equatable {
        case text(String)
        /// The tokens of an interpolation.
        case code([SwiftToken])
    }

    /// The text of a word.
    package var word: String? { if case .word(let text) = self { text } else { nil } }

    /// Returns a Boolean value that indicates whether the token is a symbol.
    package func `is`(_ symbol: Unicode.Scalar) -> Bool { self == .symbol(UInt8(ascii: symbol)) }
}

/// A scanner of Swift source code. Text that is not valid code is scanned to its end as well.
package struct SwiftScanner {
    /// The maximum nesting of interpolations, which prevents a stack overflow. Deeper ones count as text.
    static let maximumNesting = 64

    private let text: ArraySlice<UInt8>
    private var index: Int
    private var nesting = 0

    private init(_ text: ArraySlice<UInt8>) { (self.text, index) = (text, text.startIndex) }

    /// Returns the tokens of a source text.
    package static func tokens(of text: ArraySlice<UInt8>) -> [SwiftToken] {
        var scanner = SwiftScanner(text)
        return scanner.tokens(untilClosing: false)
    }

    private func byte(_ offset: Int = 0) -> UInt8 {
        index + offset < text.endIndex ? text[index + offset] : 0
    }

    private func starts(with word: StaticString, at offset: Int = 0) -> Bool {
        let count = word.utf8CodeUnitCount
        guard index + offset + count <= text.endIndex else { return false }
        return (0..<count).allSatisfy { text[index + offset + $0] == word.utf8Start[$0] }
    }

    /// Scans tokens up to the end, or past the parenthesis that closes an interpolation.
    private mutating func tokens(untilClosing: Bool) -> [SwiftToken] {
        var tokens: [SwiftToken] = []
        var depth = 0
        while index < text.endIndex {
            let next = byte()
            if starts(with: "//") {
                while index < text.endIndex, byte() != UInt8(ascii: "\n") { index += 1 }
            } else if starts(with: "/*") {
                skipComment()
            } else if let hashes = literalHashes() {
                tokens.append(literal(hashes))
            } else if next.isIdentifierStart || next.isDigit || next >= 0x80 || "#@".utf8.contains(next) {
                tokens.append(.word(word()))
            } else {
                index += 1
                if next == UInt8(ascii: "\n") { tokens.append(.lineBreak) }
                if next.isSpace { continue }
                if next == UInt8(ascii: "(") { depth += 1 }
                if next == UInt8(ascii: ")") {
                    if untilClosing, depth == 0 { return tokens }
                    depth -= 1
                }
                tokens.append(.symbol(next))
            }
        }
        return tokens
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                (depth, index) = (depth + 1, index + 2)
            } else if starts(with: "*/") {
                (depth, index) = (depth - 1, index + 2)
            } else {
                index += 1
            }
        } while depth > 0 && index < text.endIndex
    }

    /// Returns the number of `#` before a string literal that starts here, or `nil` if none does.
    private func literalHashes() -> Int? {
        var count = 0
        while byte(count) == UInt8(ascii: "#") { count += 1 }
        return byte(count) == UInt8(ascii: "\"") ? count : nil
    }

    private mutating func word() -> String {
        let start = index
        // Each `#` of several would be tried as the start of a literal.
        repeat { index += 1 } while text[start] == UInt8(ascii: "#") && byte() == UInt8(ascii: "#")
        while byte().isIdentifierContinuation || byte() >= 0x80 { index += 1 }
        return String(decoding: text[start..<index], as: UTF8.self)
    }

    private mutating func literal(_ hashes: Int) -> SwiftToken {
        index += hashes
        let isLong = starts(with: "\"\"\"")
        index += isLong ? 3 : 1
        let start = index
        var end: Int?
        var pieces: [SwiftToken.Piece] = []
        var current: [UInt8] = []
        func isHashed(from offset: Int) -> Bool { (0..<hashes).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") } }
        while index < text.endIndex {
            let next = byte()
            if next == UInt8(ascii: "\\"), isHashed(from: 1) {
                index += 1 + hashes
                guard byte() == UInt8(ascii: "("), nesting < Self.maximumNesting else {
                    // The character that is escaped separates words like a space.
                    current.append(byte() == UInt8(ascii: "/") ? byte() : UInt8(ascii: " "))
                    index += 1
                    continue
                }
                index += 1
                pieces.append(.text(String(decoding: current, as: UTF8.self)))
                current = []
                nesting += 1
                pieces.append(.code(tokens(untilClosing: true)))
                nesting -= 1
            } else if isLong
                ? starts(with: "\"\"\"") && isHashed(from: 3) : next == UInt8(ascii: "\"") && isHashed(from: 1)
            {
                end = index
                index += (isLong ? 3 : 1) + hashes
                break
            } else if next == UInt8(ascii: "\n"), !isLong {
                break
            } else {
                current.append(next)
                index += 1
            }
        }
        pieces.append(.text(String(decoding: current, as: UTF8.self)))
        return .literal(pieces, range: start..<min(end ?? index, text.endIndex))
    }
}

extension RandomAccessCollection<UInt8> {
    /// The identifiers, keywords and numbers of Swift source code. Characters outside ASCII count as letters.
    package var swiftWords: [SubSequence] { split { !$0.isIdentifierContinuation && $0 < 0x80 } }
}
