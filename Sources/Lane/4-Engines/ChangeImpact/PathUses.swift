import OperatingSystem
import SwiftPackages
import Text

/// The paths of the repository that Swift sources refer to: by `#filePath`, the working directory, and names for them.
///
/// A path stands for all files below it, so the empty path stands for the whole repository. The sources are not type
/// checked; where an expression is not understood, its path is the last directory that was.
struct PathUses {
    /// The directory of the package.
    let directory: String
    /// The names of functions that may return or read a directory above their argument.
    private var climbing: Set<String> = []
    /// The names of variables and functions, with the paths that they stand for.
    private var names: [String: Set<String>] = [:]
    /// The names inside functions, for each file.
    private var localNames: [String: [String: Set<String>]] = [:]
    /// The names that stand for paths for sure, and not for what a function returned for one.
    private var certain: Set<String> = ["#filePath", "#file", "currentDirectoryPath", "getcwd"]
    /// The names that other modules see.
    private var exported: Set<String> = []
    /// The paths that are read.
    private(set) var reads: Set<String> = []

    /// The path of a file that calls a function with `#filePath` as a default argument. It is in the caller's target.
    private static let caller = "\u{0}/caller"

    init(directory: String) { self.directory = directory }

    /// Adds the uses in the files of a target until no more names are found.
    ///
    /// - Parameter isLibrary: A Boolean value that indicates whether the next files are in another module.
    mutating func add(_ files: [(path: String, tokens: [SwiftToken])], isLibrary: Bool = false) {
        defer { if isLibrary { names = names.filter { exported.contains($0.key) } } }
        for file in files { climbing.formUnion(Self.climbingFunctions(in: file.tokens)) }
        for _ in 0..<Self.limit {
            let before = (names, localNames)
            for file in files where !reads.contains("") { scan(file.tokens, of: file.path) }
            if (names, localNames) == before { return }
            let all = [names] + localNames.values
            guard all.allSatisfy({ $0.allSatisfy { $0.value.count <= Self.limit } }) else { break }
        }
        reads.insert("")
    }

    /// The number of rounds, and of paths of a name, after which it may be any.
    private static let limit = 16

    private mutating func scan(_ tokens: [SwiftToken], of file: String) {
        for (index, token) in tokens.enumerated() {
            switch token {
            case .literal(let pieces, _):
                for (number, piece) in pieces.enumerated() {
                    guard case .code(let code) = piece else { continue }
                    let rest = pieces[(number + 1)...]
                    let (word, values) = wholeValues(of: code, in: file)
                    if values.isEmpty { scan(code, of: file) }
                    for value in values {
                        use(Self.appending(rest, to: value), of: word, tokens, at: index, in: file)
                    }
                }
            case .word(let word):
                for value in values(of: word, tokens, at: index, in: file) {
                    use(value, of: word, tokens, at: index, in: file)
                }
            default: break
            }
        }
    }

    /// Returns the paths that a word stands for.
    private mutating func values(
        of word: String, _ tokens: [SwiftToken], at index: Int, in file: String
    ) -> Set<String> {
        switch word {
        case "#filePath", "#file":
            guard let parameter = Self.parameter(tokens, at: index) else { return [file] }
            if parameter.type != "StaticString" {
                localNames[file, default: [:]][parameter.name, default: []].insert(Self.caller)
                certain.insert(parameter.name)
            }
            return []
        case "currentDirectoryPath", "getcwd": return [directory]
        default:
            let known = (names[word] ?? []).union(localNames[file]?[word] ?? [])
            let previous = index > 0 ? tokens[index - 1].word : nil
            let isDeclaration = ["let", "var", "func", "case"].contains(previous)
            let isLabel = index + 1 < tokens.count && tokens[index + 1].is(":")
            return isDeclaration || isLabel ? [] : known
        }
    }

    /// Returns the paths of code that is only one expression of them, as in `\(Self.root)`.
    private mutating func wholeValues(
        of code: [SwiftToken], in file: String
    ) -> (word: String, values: Set<String>) {
        var start = 0
        while start + 2 < code.count, code[start].word != nil, code[start + 1].is(".") { start += 2 }
        guard start < code.count, let word = code[start].word else { return ("", []) }
        var result: Set<String> = []
        for value in values(of: word, code, at: start, in: file) {
            let isCertain = certain.contains(word)
            let chain = PathChain(code, after: start, value: value, isCertain: isCertain, wrappers: [])
            if chain.end == code.count { result.insert(chain.value) }
        }
        return (word, result)
    }

    /// Records a use of a path: as the value of a name, or as a path that is read.
    private mutating func use(
        _ value: String, of word: String, _ tokens: [SwiftToken], at index: Int, in file: String
    ) {
        let (start, wrappers) = Self.wrappers(tokens, before: index)
        let callee = Self.enclosingCall(tokens, before: index)
        if (wrappers + [callee].compactMap(\.self)).contains(where: climbing.contains) {
            reads.insert("")
            return
        }
        let chain = PathChain(
            tokens, after: index, value: value, isCertain: certain.contains(word), wrappers: wrappers)
        guard !chain.isMutated else {
            reads.insert("")
            return
        }
        var isNamed = false
        if let name = DeclaredName(tokens, at: start), chain.endsStatement(tokens) {
            if name.isLocal {
                localNames[file, default: [:]][name.text, default: []].insert(chain.value)
            } else {
                names[name.text, default: []].insert(chain.value)
                if name.isExported { exported.insert(name.text) }
            }
            if chain.isCertain { certain.insert(name.text) }
            isNamed = wrappers.allSatisfy(PathChain.conversions.contains)
        }
        // The result of another function may be a path as well as the content of its file.
        if !isNamed, chain.value.utf8.first != 0 { reads.insert(chain.value) }
    }

    /// Returns a path with the pieces of a literal that follow it, up to the next interpolation.
    static func appending(_ pieces: ArraySlice<SwiftToken.Piece>, to value: String) -> String {
        guard case .text(let text)? = pieces.first, text.utf8.first == UInt8(ascii: "/") else { return value }
        let ends = text.utf8.firstIndex { $0.isSpace || ":;,'\"&|()<>".utf8.contains($0) }
        var path = Substring(text.utf8[..<(ends ?? text.endIndex)])
        if ends == nil, pieces.count > 1 {
            path = path[..<(path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)]
        }
        return joined(value, String(path))
    }

    /// Returns a directory joined with a relative path, in which `..` is resolved.
    static func joined(_ value: String, _ path: String) -> String {
        var components = value.pathComponents
        for component in path.pathComponents where component != "." {
            if component == ".." { _ = components.popLast() } else { components.append(component) }
        }
        return components.joined(separator: "/")
    }
}

extension PathUses {
    /// Returns the type and the name of the parameter whose default argument is at an index, or `nil` if none is.
    private static func parameter(_ tokens: [SwiftToken], at index: Int) -> (name: String, type: String)? {
        var index = index
        if index > 0, index + 1 < tokens.count, tokens[index - 1].is("("), tokens[index + 1].is(")") { index -= 1 }
        guard index >= 4, tokens[index - 1].is("="), let type = tokens[index - 2].word, tokens[index - 3].is(":"),
            let name = tokens[index - 4].word, index < 5 || !["let", "var"].contains(tokens[index - 5].word)
        else { return nil }
        return (name, type)
    }

    /// Returns the calls such as `URL(fileURLWithPath:` directly before an expression, innermost first, and the index of
    /// the first.
    private static func wrappers(_ tokens: [SwiftToken], before index: Int) -> (start: Int, names: [String]) {
        var start = index
        var names: [String] = []
        while start > 0 {
            if start > 1, tokens[start - 1].is("."), tokens[start - 2].word != nil {
                start -= 2
            } else if start > 2, tokens[start - 1].is(":"), tokens[start - 2].word != nil, tokens[start - 3].is("(") {
                start -= 2
            } else if start > 1, tokens[start - 1].is("("), let name = tokens[start - 2].word {
                names.append(name)
                start -= 2
            } else if start > 1, tokens[start - 1].is("+"), case .literal = tokens[start - 2] {
                start -= 2
            } else if start > 0, ["try", "await"].contains(tokens[start - 1].word) {
                start -= 1
            } else if start > 1, tokens[start - 1].is("?") || tokens[start - 1].is("!"),
                tokens[start - 2].word == "try"
            {
                start -= 2
            } else {
                break
            }
        }
        return (start, names)
    }

    /// Returns the function whose arguments contain an index.
    private static func enclosingCall(_ tokens: [SwiftToken], before index: Int) -> String? {
        var depth = 0
        for place in stride(from: index - 1, through: 0, by: -1) {
            if tokens[place].is(")") { depth += 1 }
            if tokens[place].is("{") || tokens[place].is("}") { return nil }
            guard tokens[place].is("(") else { continue }
            if depth == 0 { return place > 0 ? tokens[place - 1].word : nil }
            depth -= 1
        }
        return nil
    }

    /// Returns the functions that contain an expression for a directory above a path.
    private static func climbingFunctions(in tokens: [SwiftToken]) -> Set<String> {
        let starts = tokens.indices.filter { tokens[$0].word == "func" } + [tokens.count]
        var result: Set<String> = []
        for (start, end) in zip(starts, starts.dropFirst()) where start + 1 < end {
            let climbs = (start..<end).contains { index in
                switch tokens[index] {
                case .word(let word): PathChain.directoriesAbove.contains(word)
                // A comparison with `..` is none.
                case .literal(let pieces, _) where !tokens[index - 1].is("="):
                    pieces.contains { piece in
                        if case .text(let text) = piece { text.pathComponents.contains("..") } else { false }
                    }
                default: false
                }
            }
            if climbs, let name = tokens[start + 1].word { result.insert(name) }
        }
        return result
    }
}

/// The variable or function that gets the value of an expression.
struct DeclaredName {
    let text: String
    /// A Boolean value that indicates whether only the function around it sees the name.
    private(set) var isLocal = false
    /// A Boolean value that indicates whether other modules may see the name.
    private(set) var isExported = false

    private static let types: Set<String> = ["struct", "class", "enum", "extension", "actor", "protocol"]

    /// - Parameter index: The index of the expression.
    init?(_ tokens: [SwiftToken], at index: Int) {
        var place = index - 1
        while place >= 0, tokens[place] == .lineBreak { place -= 1 }
        guard place > 0 else { return nil }
        let keyword: Int?
        if tokens[place].is("=") {
            guard let (name, start) = Self.assigned(tokens, before: place) else { return nil }
            (text, keyword) = (name, start)
        } else {
            guard let start = Self.body(tokens, at: place), let name = tokens[start + 1].word else { return nil }
            (text, keyword) = (name, start)
        }
        // A property may be assigned in any function.
        guard let keyword else { return }
        isLocal = Self.isInFunction(tokens, at: keyword)
        let modifiers = tokens[..<keyword].reversed().prefix { token in
            token != .lineBreak && !token.is("{") && !token.is("}") && !token.is(";")
        }
        let isVisible = { (word: String?) in ["public", "package", "open"].contains(word) }
        isExported =
            modifiers.contains { isVisible($0.word) }
            || tokens.indices.dropLast().contains { isVisible(tokens[$0].word) && tokens[$0 + 1].word == "extension" }
    }

    /// Returns the name before an equals sign, and the index of its `let` or `var`, if any.
    private static func assigned(_ tokens: [SwiftToken], before index: Int) -> (name: String, keyword: Int?)? {
        var name: String?
        var depth = 0
        for place in stride(from: index - 1, through: 0, by: -1) {
            let token = tokens[place]
            if token == .lineBreak || token.is("{") || token.is(";") { break }
            if ["let", "var"].contains(token.word) { return name.map { ($0, place) } }
            if token.is(")") || token.is("]") { depth += 1 }
            if token.is("(") || token.is("[") { depth -= 1 }
            if token.is(","), depth == 0 { break }
            if let word = token.word, word != "self" { name = word }
        }
        return name.map { ($0, nil) }
    }

    /// Returns the index of the `func` or `var` whose body returns an expression after an index.
    private static func body(_ tokens: [SwiftToken], at index: Int) -> Int? {
        let isReturn = tokens[index].word == "return"
        guard isReturn || tokens[index].is("{") else { return nil }
        for place in stride(from: index - 1, through: 0, by: -1) {
            if !isReturn, tokens[place].is("}") || tokens[place].is("{") { return nil }
            if ["func", "var"].contains(tokens[place].word) { return place }
        }
        return nil
    }

    /// Returns a Boolean value that indicates whether braces that belong to no type surround an index.
    private static func isInFunction(_ tokens: [SwiftToken], at index: Int) -> Bool {
        var depth = 0
        var place = index - 1
        while place >= 0 {
            if tokens[place].is("}") { depth += 1 }
            if tokens[place].is("{") {
                if depth == 0 {
                    let head = tokens[..<place].reversed().prefix { !$0.is("{") && !$0.is("}") && !$0.is(";") }
                    if !head.contains(where: { $0.word.map(types.contains) ?? false }) { return true }
                } else {
                    depth -= 1
                }
            }
            place -= 1
        }
        return false
    }
}
