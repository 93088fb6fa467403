import CDemangle
import CLibrary
import Text

/// Readable names of functions.
enum FunctionName {
    /// Returns the qualified name of a function with its labels and without its types, such as
    /// `Bank.Account.transfer(_:to:)` or `closure #1 in Bank.run()`. Removes the library version from other symbols.
    static func readable(_ symbol: String) -> String {
        guard let name = demangled(symbol) else { return String(symbol[...].before("@")) }
        return simplified(name)
    }

    /// Returns the demangled name of a Swift symbol with its types, or `nil` for other symbols.
    static func demangled(_ symbol: String) -> String? {
        guard ["$s", "_$s", "$S"].contains(where: symbol.hasPrefix),
            let text = swift_demangle(symbol, symbol.utf8.count, nil, nil, 0)
        else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// Returns a demangled name without types, code attributes and file names.
    static func simplified(_ name: String) -> String {
        var rest = SimplifiedName(Array(name.utf8))
        return rest.text()
    }
}

/// A parser that simplifies a demangled name.
private struct SimplifiedName {
    private let bytes: [UInt8]
    private var next = 0
    private var kept: [UInt8] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private static let attributes = ["partial apply forwarder for ", "merged ", "static ", "@objc ", "@nonobjc "]
    private static let resumptions = [" suspend resume partial function for ", " await resume partial function for "]

    mutating func text() -> String {
        skipAttributes()
        while next < bytes.count {
            let byte = bytes[next]
            if starts(with: " with unmangled suffix ") { break }
            if starts(with: " in ") {
                keep(4)
                skipAttributes()
            } else if starts(with: "closure #") {
                keep(9)
                while next < bytes.count, bytes[next].isDigit { keep(1) }
                skipSignature()
            } else if starts(with: " : ") {
                skipSignature()
            } else if byte == UInt8(ascii: "("), let end = end(of: next) {
                takeParentheses(until: end)
            } else if byte == UInt8(ascii: "<"), kept.last?.isIdentifierContinuation == true, let end = end(of: next) {
                next = end + 1
            } else {
                keep(1)
            }
        }
        return String(decoding: kept, as: UTF8.self)
    }

    /// Handles a private name `(name in _8A4F)`, the mark of an extension, or the parameters of a function.
    private mutating func takeParentheses(until end: Int) {
        let content = String(decoding: bytes[(next + 1)..<end], as: UTF8.self)
        let isNested = kept.isEmpty || kept.last == UInt8(ascii: ".") || kept.last == UInt8(ascii: " ")
        if isNested, content.hasPrefix("extension in ") {
            next = end + 2
        } else if isNested, let mark = content.range(of: " in _") {
            kept += content[..<mark.lowerBound].utf8
            next = end + 1
        } else {
            kept += "(\(labels(from: next + 1, to: end)))".utf8
            next = end + 1
            skipSignature()
        }
    }

    /// Returns the labels of parameters, each with a colon.
    private func labels(from start: Int, to end: Int) -> String {
        guard start < end else { return "" }
        var labels = ""
        var first = start
        while first <= end {
            let comma = position(of: ",", from: first, to: end) ?? end
            let colon = position(of: ":", from: first, to: comma)
            let label = colon.map { String(decoding: bytes[first..<$0], as: UTF8.self) } ?? "_"
            labels += label.split(separator: " ").last.map { "\($0):" } ?? ""
            first = comma + 1
        }
        return labels
    }

    /// Skips to the next part of the name, after ` in `.
    private mutating func skipSignature() {
        while next < bytes.count, !starts(with: " in "), !starts(with: " with unmangled suffix ") {
            next = isOpening(bytes[next]) ? (end(of: next) ?? next) + 1 : next + 1
        }
    }

    private mutating func skipAttributes() {
        while true {
            if let attribute = Self.attributes.first(where: starts) {
                next += attribute.utf8.count
            } else if next < bytes.count, bytes[next] == UInt8(ascii: "("), let end = end(of: next),
                let words = Self.resumptions.first(where: { starts(with: $0, at: end + 1) })
            {
                next = end + 1 + words.utf8.count
            } else {
                return
            }
        }
    }

    private mutating func keep(_ count: Int) {
        kept += bytes[next..<min(next + count, bytes.count)]
        next = min(next + count, bytes.count)
    }

    private func starts(with text: String) -> Bool { starts(with: text, at: next) }

    private func starts(with text: String, at position: Int) -> Bool {
        position <= bytes.count && bytes[position...].starts(with: text.utf8)
    }

    private func isOpening(_ byte: UInt8) -> Bool {
        [UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<")].contains(byte)
    }

    /// Returns the position of the bracket that closes the bracket at `start`. Skips the `>` of arrows.
    private func end(of start: Int) -> Int? {
        var depth = 0
        for position in start..<bytes.count {
            let byte = bytes[position]
            if isOpening(byte) {
                depth += 1
            } else if [UInt8(ascii: ")"), UInt8(ascii: "]")].contains(byte)
                || (byte == UInt8(ascii: ">") && bytes[position - 1] != UInt8(ascii: "-"))
            {
                depth -= 1
                if depth == 0 { return position }
            }
        }
        return nil
    }

    /// Returns the position of a character outside brackets.
    private func position(of mark: Unicode.Scalar, from start: Int, to end: Int) -> Int? {
        var position = start
        while position < end {
            if bytes[position] == UInt8(ascii: mark) { return position }
            position = isOpening(bytes[position]) ? (self.end(of: position) ?? position) + 1 : position + 1
        }
        return nil
    }
}
