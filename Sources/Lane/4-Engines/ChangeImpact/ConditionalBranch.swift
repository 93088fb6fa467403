import Text

/// A branch of `#if`.
struct ConditionalBranch {
    /// A Boolean value that indicates whether the condition may be true, as far as it is known.
    private(set) var mayBeCompiled: Bool
    /// A Boolean value that indicates whether an earlier branch is compiled for sure.
    private var isDecided: Bool

    /// Updates the open branches if a line is a directive. Returns `false` for another line.
    ///
    /// - Parameter definitions: All names that may be defined, or `nil` if they are unknown.
    static func read(_ line: ArraySlice<UInt8>, _ definitions: Set<String>?, _ branches: inout [Self]) -> Bool {
        let line = line.drop(while: \.isSpace)
        guard line.first == UInt8(ascii: "#") else { return false }
        let rest = line.drop { !$0.isSpace && $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: "!") }
        switch String(decoding: line[..<rest.startIndex], as: UTF8.self) {
        case "#if":
            let value = Condition.value(of: rest, definitions)
            branches.append(Self(mayBeCompiled: value != false, isDecided: value == true))
        case "#elseif":
            guard let last = branches.popLast() else { return true }
            let value = last.isDecided ? false : Condition.value(of: rest, definitions)
            branches.append(Self(mayBeCompiled: value != false, isDecided: last.isDecided || value == true))
        case "#else":
            guard let last = branches.popLast() else { return true }
            branches.append(Self(mayBeCompiled: !last.isDecided, isDecided: true))
        case "#endif": _ = branches.popLast()
        default: return false
        }
        return true
    }
}

/// A parser of the condition of `#if`, of which only names are evaluated.
private struct Condition {
    private var tokens: ArraySlice<SwiftToken>
    private let definitions: Set<String>?

    #if os(Linux)
        private static let system = ["Linux"]
        private static let missingModules: Set<String> = [
            "Darwin", "ObjectiveC", "WinSDK", "Combine", "UIKit", "AppKit", "SwiftUI",
        ]
    #else
        private static let system = ["macOS", "OSX"]
        private static let missingModules: Set<String> = ["Glibc", "WinSDK"]
    #endif

    /// Returns the value of a condition, or `nil` if it is unknown.
    static func value(of text: ArraySlice<UInt8>, _ definitions: Set<String>?) -> Bool? {
        var parser = Self(
            tokens: SwiftScanner.tokens(of: Array(text)).filter { $0 != .lineBreak }[...], definitions: definitions)
        let value = parser.disjunction()
        return parser.tokens.isEmpty ? value : nil
    }

    private mutating func skip(_ symbol: Unicode.Scalar, times count: Int = 1) -> Bool {
        guard tokens.count >= count, tokens.prefix(count).allSatisfy({ $0.is(symbol) }) else { return false }
        tokens = tokens.dropFirst(count)
        return true
    }

    private mutating func disjunction() -> Bool? {
        var value = conjunction()
        while skip("|", times: 2) {
            let other = conjunction()
            value = value == true || other == true ? true : value == false && other == false ? false : nil
        }
        return value
    }

    private mutating func conjunction() -> Bool? {
        var value = term()
        while skip("&", times: 2) {
            let other = term()
            value = value == false || other == false ? false : value == true && other == true ? true : nil
        }
        return value
    }

    private mutating func term() -> Bool? {
        if skip("!") { return term().map { !$0 } }
        if skip("(") {
            let value = disjunction()
            return skip(")") ? value : nil
        }
        guard let word = tokens.popFirst()?.word else { return nil }
        if skip("(") {
            // A function. The tests run on the system of this process.
            let argument = tokens.first?.word
            var (depth, count) = (1, 0)
            while depth > 0, let token = tokens.popFirst() {
                depth += token.is("(") ? 1 : token.is(")") ? -1 : 0
                count += 1
            }
            guard let argument, count == 2 else { return nil }
            return switch word {
            case "os": Self.system.contains(argument)
            case "canImport": Self.missingModules.contains(argument) ? false : nil
            default: nil
            }
        }
        if word == "true" || word == "false" { return word == "true" }
        guard let definitions else { return nil }
        return definitions.contains(word) || word == "DEBUG" ? nil : false
    }
}
