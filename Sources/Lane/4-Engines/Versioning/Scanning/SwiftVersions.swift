import SwiftPackages
import Text

/// Versions in Swift code: constants for the package's version, the version of a command, and requirements of this
/// package.
enum SwiftVersions {
    static func occurrences(_ source: VersionSource) -> [VersionOccurrence] {
        let strings = SwiftStrings.all(in: source.bytes[...])
        let stem = source.name.dropLast(".swift".count)
        let isVersionFile = source.names.isVersion(stem)
        return strings.compactMap { string in
            if let name = string.declared {
                let isOwn = source.names.isVersion(name)
                // In a file named after the version, the constant normally has another name.
                let isValue = isVersionFile && ["current", "string", "value", "number", "text"].contains(name)
                guard isOwn || isValue else { return nil }
                return source.occurrence(string.range, isVersionFile ? .certain : .likely)
            }
            guard string.label == "version", string.calls.last?.name == "CommandConfiguration" else { return nil }
            return source.occurrence(string.range, .expected)
        } + requirements(strings, source)
    }

    /// Returns the versions in calls of `.package(` for this package.
    static func requirements(_ strings: [SwiftString], _ source: VersionSource) -> [VersionOccurrence] {
        strings.filter { string in
            guard string.calls.last?.name == "package" else { return false }
            let text = source.text(string.range)
            // In a registry, the package of the scope `example` is `example.shape`.
            return string.label == "url" && source.names.isAddress(text)
                || string.label == "id" && source.names.isPackage(text.split(separator: ".").last ?? "")
        }
        .flatMap { url in
            let inside = strings.filter { string in url.calls.last.map(string.calls.contains) ?? false }
            return requirement(inside, source)
        }
    }

    /// Returns the versions in `from:` and `exact:` arguments, in calls of these names, and in half-open ranges.
    private static func requirement(_ strings: [SwiftString], _ source: VersionSource) -> [VersionOccurrence] {
        if let end = strings.firstIndex(where: { $0.operation != nil }) {
            guard end > 0, strings[end].operation == "..<" else { return [] }
            return range(from: strings[end - 1], to: strings[end], source)
        }
        return strings.compactMap { string in
            let isExact = string.label == nil && string.calls.last?.name == "exact"
            guard ["from", "exact"].contains(string.label) || isExact else { return nil }
            return source.occurrence(string.range, .possible)
        }
    }

    /// Returns both bounds. They change together, which keeps the width of the range.
    private static func range(from first: SwiftString, to last: SwiftString, _ source: VersionSource)
        -> [VersionOccurrence]
    {
        guard let start = source.occurrence(first.range, .possible) else { return [] }
        let bumps: [VersionBump] = [.patch, .minor, .major]
        let ends = bumps.compactMap { source.occurrence(last.range, .possible, .upperBound($0)) }
        return ends.first { $0.names(start.version) }.map { [start, $0] } ?? []
    }
}

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
    /// A Boolean value for each open bracket that indicates whether it is that of a call.
    private var open: [Bool] = []
    private var calls: [SwiftString.Call] = []
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
                    operation: operation(index), calls: calls))
        case .symbol(UInt8(ascii: "(")):
            callCount += 1
            let name = word(index - 1)
            if let name { calls.append(.init(number: callCount, name: name)) }
            open.append(name != nil)
        case .symbol(UInt8(ascii: "[")), .symbol(UInt8(ascii: "{")): open.append(false)
        case .symbol(UInt8(ascii: ")")), .symbol(UInt8(ascii: "]")), .symbol(UInt8(ascii: "}")):
            if open.popLast() == true { calls.removeLast() }
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
