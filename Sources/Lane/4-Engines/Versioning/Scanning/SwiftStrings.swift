import Text

/// A string literal in Swift code with its context.
struct SwiftString {
    /// The range between the quotes.
    let range: Range<Int>
    /// The label of the argument, such as `from` in `from: "1.2.3"`.
    let label: String?
    /// The constant or variable that the literal initializes.
    let declared: String?
    /// The operator before the literal, as in `"1.0.0"..<"2.0.0"`.
    let operation: String?
    /// The calls that contain the literal, innermost last. They are numbered in the order in which they start.
    let calls: [Call]

    struct Call: Equatable {
        let number: Int
        /// The name of the function, such as `package` in `.package(…)`.
        let name: String
    }
}

/// A scanner of string literals in Swift code outside comments.
struct SwiftStrings {
    private let bytes: ArraySlice<UInt8>
    private var index: Int
    /// The preceding words and signs.
    private var before: [String] = []
    /// The open brackets, with the call for the parentheses of a call.
    private var open: [SwiftString.Call?] = []
    private var callCount = 0
    private var found: [SwiftString] = []

    private init(_ bytes: ArraySlice<UInt8>) {
        (self.bytes, index) = (bytes, bytes.startIndex)
    }

    /// Returns the literals of code, in order.
    static func all(in bytes: ArraySlice<UInt8>) -> [SwiftString] {
        var scanner = SwiftStrings(bytes)
        while scanner.index < bytes.endIndex { scanner.step() }
        return scanner.found
    }

    /// Returns the literals of a call that starts at the beginning of the code, or an empty array if it is not
    /// terminated.
    static func ofCall(in bytes: ArraySlice<UInt8>) -> [SwiftString] {
        var scanner = SwiftStrings(bytes)
        while scanner.index < bytes.endIndex {
            scanner.step()
            if scanner.callCount > 0, scanner.open.isEmpty { return scanner.found }
        }
        return []
    }

    private func has(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    private mutating func step() {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "/") where has("//"): skip { $0 != UInt8(ascii: "\n") }
        case UInt8(ascii: "/") where has("/*"): skipComment()
        case UInt8(ascii: "\""): readString()
        case UInt8(ascii: "("):
            callCount += 1
            let isCall = before.last.map { $0.utf8.first.map(isOfIdentifier) ?? false } ?? false
            open.append(isCall ? before.last.map { .init(number: callCount, name: $0) } : nil)
            add("(")
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            open.append(nil)
            add(byte == UInt8(ascii: "{") ? "{" : "[")
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            _ = open.popLast()
            add(")")
        default:
            if byte.isSpace {
                index += 1
            } else if isOfIdentifier(byte) {
                readWord(while: isOfIdentifier)
            } else {
                let isOperator = Self.operators.contains(byte)
                readWord { isOperator && Self.operators.contains($0) }
            }
        }
    }

    private static let operators = Set(".<>=+-*&|!?~^%".utf8)

    private mutating func add(_ sign: String) {
        index += 1
        note(sign)
    }

    private mutating func note(_ word: String) {
        before.append(word)
        if before.count > 8 { before.removeFirst() }
    }

    /// Reads at least one byte.
    private mutating func readWord(while fits: (UInt8) -> Bool) {
        let start = index
        index += 1
        while index < bytes.endIndex, fits(bytes[index]) { index += 1 }
        note(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private mutating func skip(while fits: (UInt8) -> Bool) {
        index = bytes[index...].firstIndex { !fits($0) } ?? bytes.endIndex
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if has("/*") {
                depth += 1
                index += 2
            } else if has("*/") {
                depth -= 1
                index += 2
            } else {
                index += 1
            }
        } while depth > 0 && index < bytes.endIndex
    }

    private mutating func readString() {
        let quote = has("\"\"\"") ? "\"\"\"" : "\""
        index += quote.utf8.count
        let start = index
        while index < bytes.endIndex, !has(quote) {
            if bytes[index] == UInt8(ascii: "\n"), quote.utf8.count == 1 { return note("\"") }
            // An interpolation may contain quotes.
            if has("\\(") {
                index += 2
                skipInterpolation()
            } else {
                index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
        }
        index = min(index, bytes.endIndex)
        let range = start..<index
        index = min(index + quote.utf8.count, bytes.endIndex)
        found.append(
            SwiftString(
                range: range, label: label, declared: declared, operation: operation, calls: open.compactMap { $0 }))
        note("\"")
    }

    private mutating func skipInterpolation() {
        var depth = 1
        while index < bytes.endIndex, depth > 0, bytes[index] != UInt8(ascii: "\n") {
            if bytes[index] == UInt8(ascii: "(") { depth += 1 }
            if bytes[index] == UInt8(ascii: ")") { depth -= 1 }
            index += 1
        }
    }

    private func word(_ back: Int) -> String { back <= before.count ? before[before.count - back] : "" }

    private var label: String? { word(1) == ":" && word(2) != "\"" ? word(2) : nil }

    private var operation: String? { ["..<", "..."].contains(word(1)) ? word(1) : nil }

    /// The declared name in `let x = "…"`, `let x: String = "…"` and `var x: String { "…" }`, also with `return`.
    private var declared: String? {
        var back = 1
        if word(back) == "return" { back += 1 }
        guard word(back) == "=" || word(back) == "{" else { return nil }
        back += 1
        if word(back + 1) == ":" { back += 2 }
        return ["let", "var"].contains(word(back + 1)) ? word(back) : nil
    }
}

/// Returns a Boolean value that indicates whether a byte can be part of a Swift identifier. Accepts all bytes outside
/// ASCII.
func isOfIdentifier(_ byte: UInt8) -> Bool { byte.isIdentifierContinuation || byte >= 0x80 }
