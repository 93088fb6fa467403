import SwiftPackages
import Text

/// A string literal in Swift code with its context.
struct SwiftString: Equatable {
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

/// The string literals in Swift code outside comments and interpolations.
struct SwiftStrings {
    private let tokens: [SwiftToken]
    /// The open brackets, with the call for the parentheses of a call.
    private var open: [SwiftString.Call?] = []
    private var callCount = 0
    private var found: [SwiftString] = []

    private init(_ code: ArraySlice<UInt8>) { tokens = SwiftScanner.tokens(of: code).filter { $0 != .lineBreak } }

    /// Returns the literals of code, in order.
    static func all(in code: ArraySlice<UInt8>) -> [SwiftString] {
        var strings = SwiftStrings(code)
        for index in strings.tokens.indices { strings.add(index) }
        return strings.found
    }

    /// Returns the literals of a call that starts at the beginning of the code, or an empty array if it is not
    /// terminated.
    static func ofCall(in code: ArraySlice<UInt8>) -> [SwiftString] {
        var strings = SwiftStrings(code)
        for index in strings.tokens.indices {
            strings.add(index)
            if strings.callCount > 0, strings.open.isEmpty { return strings.found }
        }
        return []
    }

    private mutating func add(_ index: Int) {
        switch tokens[index] {
        case .literal(_, let range):
            found.append(
                SwiftString(
                    range: range, label: isSymbol(":", index - 1) ? word(index - 2) : nil, declared: declared(index),
                    operation: operation(index), calls: open.compactMap { $0 }))
        case .symbol(UInt8(ascii: "(")):
            callCount += 1
            open.append(word(index - 1).map { .init(number: callCount, name: $0) })
        case .symbol(UInt8(ascii: "[")), .symbol(UInt8(ascii: "{")): open.append(nil)
        case .symbol(UInt8(ascii: ")")), .symbol(UInt8(ascii: "]")), .symbol(UInt8(ascii: "}")): _ = open.popLast()
        default: break
        }
    }

    private func word(_ index: Int) -> String? { index >= 0 ? tokens[index].word : nil }

    private func isSymbol(_ symbol: Unicode.Scalar, _ index: Int) -> Bool { index >= 0 && tokens[index].is(symbol) }

    private func operation(_ index: Int) -> String? {
        guard isSymbol(".", index - 3), isSymbol(".", index - 2) else { return nil }
        return isSymbol("<", index - 1) ? "..<" : isSymbol(".", index - 1) ? "..." : nil
    }

    /// Returns the declared name in `let x = "…"`, `let x: String = "…"` and `var x: String { "…" }`, also with
    /// `return`.
    private func declared(_ index: Int) -> String? {
        var index = word(index - 1) == "return" ? index - 2 : index - 1
        guard isSymbol("=", index) || isSymbol("{", index) else { return nil }
        index -= isSymbol(":", index - 2) ? 3 : 1
        return ["let", "var"].contains(word(index - 1)) ? word(index) : nil
    }
}
