/// A filter that removes comments from Swift source code. It recognizes string literals with interpolated code.
package struct CommentFilter {
    private let text: [UInt8]
    private var index = 0
    private var code: [UInt8] = []

    /// Returns the source code with a space in place of each comment, or `nil` if a comment or literal is not
    /// terminated.
    package static func code(of text: [UInt8]) -> [UInt8]? {
        var filter = CommentFilter(text)
        return filter.copyCode(isInterpolated: false) ? filter.code : nil
    }

    private init(_ text: [UInt8]) {
        self.text = text
        code.reserveCapacity(text.count)
    }

    /// Copies code up to the end of the text or of an interpolation.
    private mutating func copyCode(isInterpolated: Bool) -> Bool {
        var depth = 0
        while index < text.count {
            if isAt("//") {
                skipLine()
            } else if isAt("/*") {
                guard skipBlock() else { return false }
            } else if let hashes = hashesOfLiteral() {
                guard copyLiteral(hashes) else { return false }
            } else {
                switch text[index] {
                case UInt8(ascii: "("): depth += 1
                case UInt8(ascii: ")"): depth -= 1
                default: break
                }
                copy(1)
                if isInterpolated, depth == 0 { return true }
            }
        }
        return !isInterpolated
    }

    private mutating func skipLine() {
        while index < text.count, !isNewline { index += 1 }
    }

    private mutating func skipBlock() -> Bool {
        var depth = 0
        repeat {
            guard index < text.count else { return false }
            if isAt("/*") { depth += 1 } else if isAt("*/") { depth -= 1 }
            index += isAt("/*") || isAt("*/") ? 2 : 1
        } while depth > 0
        code.append(UInt8(ascii: " "))
        return true
    }

    /// Returns the number of `#` before the quote of a literal that starts here.
    private func hashesOfLiteral() -> Int? {
        let hashes = text[index...].prefix { $0 == UInt8(ascii: "#") }.count
        return index + hashes < text.count && text[index + hashes] == UInt8(ascii: "\"") ? hashes : nil
    }

    private mutating func copyLiteral(_ hashes: Int) -> Bool {
        let fence = String(repeating: "#", count: hashes)
        copy(hashes)
        let quotes = isAt("\"\"\"") ? "\"\"\"" : "\""
        copy(quotes.utf8.count)
        while index < text.count {
            if isAt("\\\(fence)(") {
                copy(1 + hashes)
                guard copyCode(isInterpolated: true) else { return false }
            } else if isAt("\\\(fence)") {
                copy(2 + hashes)
            } else if isAt(quotes + fence) {
                copy(quotes.utf8.count + hashes)
                return true
            } else if isNewline, quotes.utf8.count == 1 {
                return false
            } else {
                copy(1)
            }
        }
        return false
    }

    private var isNewline: Bool { text[index] == UInt8(ascii: "\n") || text[index] == UInt8(ascii: "\r") }

    private func isAt(_ word: String) -> Bool { text[index...].starts(with: word.utf8) }

    private mutating func copy(_ count: Int) {
        let end = min(index + count, text.count)
        code += text[index..<end]
        index = end
    }
}
