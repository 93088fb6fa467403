import OperatingSystem
import SwiftPackages
import Text

/// The calls that follow a path in an expression, such as `.deletingLastPathComponent().appending(path: "Fixtures")`.
struct PathChain {
    /// The path after the calls that are understood.
    private(set) var value: String
    /// The index after the last of them.
    private(set) var end: Int
    /// A Boolean value that indicates whether it is a path for sure, and not what another function returned for one.
    private(set) var isCertain: Bool
    /// A Boolean value that indicates whether a call changes the variable itself.
    private(set) var isMutated = false

    /// The functions and methods for the directory above a path.
    static let directoriesAbove: Set<String> = [
        "deletingLastPathComponent", "deleteLastPathComponent", "removingLastComponent", "removeLastComponent",
        "parentDirectory", "dirname",
    ]
    /// The functions whose result is a path for the path that they are called with.
    static let conversions = directoriesAbove.union([
        "URL", "FilePath", "String", "NSString", "resolvedPath", "absolutePath", "init",
    ])
    private static let mutating: Set<String> = ["deleteLastPathComponent", "removeLastComponent", "removeLast"]
    private static let appending: Set<String> = [
        "appendingPathComponent", "appending", "appendingPathComponents", "appendPathComponent", "append",
    ]
    /// The members that are the same path in another form.
    private static let neutral: Set<String> = [
        "path", "string", "standardized", "standardizedFileURL", "absoluteURL", "absoluteString", "split", "joined",
        "resolvingSymlinksInPath", "map", "description", "pathComponents", "components",
    ]

    /// The members that are not paths.
    private static let harmless: Set<String> = [
        "isEmpty", "count", "lastPathComponent", "lastComponent", "pathExtension", "hasSuffix", "hasPrefix", "contains",
        "utf8", "last", "isFileURL",
    ]

    /// - Parameters:
    ///   - index: The index of the expression of the path.
    ///   - wrappers: The calls around it, innermost first.
    init(_ tokens: [SwiftToken], after index: Int, value: String, isCertain: Bool, wrappers: [String]) {
        self.value = value
        self.isCertain = isCertain
        end = index + 1
        var wrappers = wrappers[...]
        // The arguments of a function that was given a name for its result.
        skipGroup(tokens, "(", ")", after: index)
        while end < tokens.count {
            let next = (end..<tokens.count).first { tokens[$0] != .lineBreak } ?? tokens.count
            if next < tokens.count, tokens[next].is("."), next + 1 < tokens.count, let word = tokens[next + 1].word {
                guard follow(word, tokens, at: next + 1) else { return }
            } else if tokens[end].is(")"), let wrapper = wrappers.popFirst() {
                if Self.directoriesAbove.contains(wrapper) { climb(1) }
                if !Self.conversions.contains(wrapper) { self.isCertain = false }
                end += 1
            } else if tokens[end].is("+"), end + 1 < tokens.count, case .literal(let pieces, _) = tokens[end + 1] {
                self.value = PathUses.appending(pieces[...], to: self.value)
                end += 2
            } else if tokens[end].is(","), !wrappers.isEmpty {
                end = Self.closing(tokens, after: end)
            } else if tokens[end].is("[") {
                // A part of the path may be a directory above.
                if self.isCertain { self.value = "" }
                return
            } else if tokens[end].is("?") || tokens[end].is("!") {
                end += 1
            } else {
                return
            }
        }
    }

    /// Applies a member. Returns `false` if it is unknown.
    private mutating func follow(_ word: String, _ tokens: [SwiftToken], at index: Int) -> Bool {
        let arguments = end
        end = index + 1
        skipGroup(tokens, "(", ")", after: index)
        let group = tokens[(index + 1)..<end]
        // A function may have returned the lines of a file, which is not a path without its last component.
        if Self.mutating.contains(word), isCertain || word != "removeLast" {
            isMutated = true
            return false
        }
        if Self.directoriesAbove.contains(word) {
            climb(1)
        } else if word == "dropLast" {
            climb(group.compactMap { $0.word.flatMap { Int($0) } }.first ?? 1)
        } else if Self.appending.contains(word) {
            guard case .literal(let pieces, _)? = group.first(where: { if case .literal = $0 { true } else { false } })
            else { return true }
            var slashed = pieces
            if case .text(let text) = pieces[0] { slashed[0] = .text("/" + text) }
            value = PathUses.appending(slashed[...], to: value)
        } else if Self.neutral.contains(word) {
            if end < tokens.count, tokens[end].is("{") { skipGroup(tokens, "{", "}", after: end - 1) }
        } else {
            end = arguments
            if isCertain, !Self.harmless.contains(word) { value = "" }
            return false
        }
        return true
    }

    private mutating func climb(_ count: Int) {
        for _ in 0..<count { value = value.contains("/") ? parentDirectory(value) : "" }
    }

    private mutating func skipGroup(
        _ tokens: [SwiftToken], _ opening: Unicode.Scalar, _ closing: Unicode.Scalar, after index: Int
    ) {
        guard index + 1 < tokens.count, tokens[index + 1].is(opening) else { return }
        var depth = 0
        for place in (index + 1)..<tokens.count {
            if tokens[place].is(opening) { depth += 1 }
            if tokens[place].is(closing) { depth -= 1 }
            if depth == 0 {
                end = place + 1
                return
            }
        }
    }

    /// Returns the index of the parenthesis that closes the arguments at an index, or the end.
    private static func closing(_ tokens: [SwiftToken], after index: Int) -> Int {
        var depth = 0
        for place in index..<tokens.count {
            if tokens[place].is("(") { depth += 1 }
            if tokens[place].is(")") {
                if depth == 0 { return place }
                depth -= 1
            }
        }
        return tokens.count
    }

    /// Returns a Boolean value that indicates whether nothing of the statement follows the chain.
    func endsStatement(_ tokens: [SwiftToken]) -> Bool {
        end >= tokens.count || tokens[end] == .lineBreak || tokens[end].is("}") || tokens[end].is(";")
            || tokens[end].is(",")
            || tokens[end].word == "else"
    }
}
