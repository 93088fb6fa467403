import Text

/// The declarations of a Swift source without the bodies of functions, and these bodies.
///
/// A test that executes none of the bodies that differ between two sources with the same declarations has the same
/// result with both. Comments and indentation are part of neither.
struct SwiftOutline {
    /// The body of a function, an initializer or an accessor, with all that is nested in it.
    struct Body {
        let text: [UInt8]
        /// The lines from the opening to the closing brace.
        let lines: ClosedRange<Int>
        /// The words outside comments and the text of string literals.
        let words: Set<String>
    }

    let declarations: [SwiftDeclaration]
    /// The modules that it imports.
    let imports: Set<String>
    /// A Boolean value that indicates whether code outside bodies depends on the numbers of its lines.
    let dependsOnLines: Bool
    /// A Boolean value that indicates whether code outside bodies contains the path of the file, except as a default
    /// argument, which is the path of the caller.
    let namesItsFile: Bool

    /// Creates the outline, or returns `nil` if the declarations of a text cannot be distinguished.
    ///
    /// - Parameter definitions: All names that may be defined for `#if`, or `nil` if they are unknown.
    init?(_ text: [UInt8], definitions: Set<String>? = nil) {
        let source = SwiftSource(text, definitions: definitions)
        guard var reader = OutlineReader(source), reader.read() else { return nil }
        declarations = reader.declarations
        imports = SourceText(path: "", text: text).imports(definitions: definitions)
        let outside = reader.tokensOutsideBodies
        dependsOnLines =
            source.tokens.contains { $0.word == "#sourceLocation" } || Self.contains(["#line", "#column"], in: outside)
        namesItsFile = Self.contains(["#filePath", "#file"], in: outside)
    }

    /// Returns a Boolean value that indicates whether tokens contain the number of a line.
    static func dependsOnLines(_ tokens: ArraySlice<SwiftToken>) -> Bool {
        contains(["#line", "#column"], in: Array(tokens))
    }

    /// Returns a Boolean value that indicates whether tokens contain one of these words, except as a default argument,
    /// which belongs to the call.
    private static func contains(_ words: Set<String>, in tokens: [SwiftToken]) -> Bool {
        tokens.indices.contains { index in
            switch tokens[index] {
            case .word(let word): words.contains(word) && PathUses.parameter(tokens, at: index) == nil
            case .literal(let pieces):
                pieces.contains { if case .code(let tokens) = $0 { contains(words, in: tokens) } else { false } }
            default: false
            }
        }
    }

    /// The lines of the bodies that contain the path of the file.
    var bodiesWithItsPath: [ClosedRange<Int>] {
        declarations.flatMap { $0.bodies.filter { !$0.words.isDisjoint(with: ["#filePath", "#file"]) }.map(\.lines) }
    }

    /// The names of its types.
    var types: Set<String> {
        declarations.reduce(into: []) { if $1.kind == .type { $0.formUnion($1.names) } }
    }

    /// Adds the words of a token, including those of interpolations. An attribute is the word after its `@`.
    static func add(_ token: SwiftToken, to words: inout Set<String>) {
        switch token {
        case .word(let word): words.insert(word.filter { $0 != "`" && $0 != "@" })
        case .literal(let pieces):
            for case .code(let tokens) in pieces { for token in tokens { add(token, to: &words) } }
        default: break
        }
    }
}

/// A text with its tokens, except those in branches of `#if` that are not compiled for sure.
struct SwiftSource {
    let text: [UInt8]
    let tokens: [SwiftToken]
    let ranges: [Range<Int>]
    /// The numbers of the lines in which the tokens start.
    let lines: [Int]

    init(_ text: [UInt8], definitions: Set<String>?) {
        self.text = text
        let placed = SwiftScanner.placedTokens(of: text)
        let compiled = Self.compiled(placed.tokens, placed.ranges, text, definitions)
        (tokens, ranges) = (compiled.map { placed.tokens[$0] }, compiled.map { placed.ranges[$0] })
        var lines: [Int] = []
        var (line, place) = (1, 0)
        for range in ranges {
            line += text[place..<range.lowerBound].count { $0 == UInt8(ascii: "\n") }
            place = range.lowerBound
            lines.append(line)
        }
        self.lines = lines
    }

    /// Returns the indices of tokens that may be compiled, with all directives.
    private static func compiled(
        _ tokens: [SwiftToken], _ ranges: [Range<Int>], _ text: [UInt8], _ definitions: Set<String>?
    ) -> [Int] {
        var indices: [Int] = []
        var branches: [ConditionalBranch] = []
        var directiveEnd = 0
        for index in tokens.indices {
            let start = ranges[index].lowerBound
            if start >= directiveEnd, tokens[index].word?.hasPrefix("#") == true {
                let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
                if ConditionalBranch.read(text[start..<end], definitions, &branches) { directiveEnd = end }
            }
            if start < directiveEnd || tokens[index] == .lineBreak || branches.allSatisfy(\.mayBeCompiled) {
                indices.append(index)
            }
        }
        return indices
    }

    /// Returns the index of the bracket that belongs to each bracket, or `nil` if they do not match.
    func matches() -> [Int: Int]? {
        var result: [Int: Int] = [:]
        var open: [(index: Int, close: Unicode.Scalar)] = []
        for (index, token) in tokens.enumerated() {
            if token.is("(") { open.append((index, ")")) }
            if token.is("[") { open.append((index, "]")) }
            if token.is("{") { open.append((index, "}")) }
            guard token.is(")") || token.is("]") || token.is("}") else { continue }
            guard let last = open.popLast(), token.is(last.close) else { return nil }
            (result[last.index], result[index]) = (index, last.index)
        }
        return open.isEmpty ? result : nil
    }

    /// Returns the unchanged text from the line of a token to another token.
    func lines(from first: Int, upTo last: Int) -> ArraySlice<UInt8> {
        let start = text[..<ranges[first].lowerBound].lastIndex(of: UInt8(ascii: "\n")) ?? text.startIndex
        return text[start..<ranges[last].upperBound]
    }

    /// Appends the text of tokens. Comments and spaces become one space, and line breaks one line break.
    func append(_ indices: Range<Int>, to result: inout [UInt8]) {
        let lineBreak = UInt8(ascii: "\n")
        for index in indices {
            let isFirst = result.last ?? lineBreak == lineBreak
            if tokens[index] == .lineBreak {
                if !isFirst { result.append(lineBreak) }
                continue
            }
            if !isFirst, index > 0, ranges[index - 1].upperBound < ranges[index].lowerBound {
                result.append(UInt8(ascii: " "))
            }
            result += text[ranges[index]]
        }
    }
}
