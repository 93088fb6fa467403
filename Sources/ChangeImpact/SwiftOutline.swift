import Text

/// The declarations of a Swift source without the bodies of functions, and these bodies.
///
/// A test that executes none of the bodies that differ between two sources with the same declarations has the same
/// result with both. Comments and indentation are part of neither.
struct SwiftOutline: Equatable {
    /// The body of a function, an initializer or an accessor, with all that is nested in it.
    struct Body: Equatable {
        let text: [UInt8]
        /// The lines from the opening to the closing brace.
        let lines: ClosedRange<Int>
    }

    /// A declaration that cannot change the meaning of code that does not contain its name.
    struct Declaration: Equatable {
        let name: String
        /// A Boolean value that indicates whether only code in the same file can use it.
        let isPrivate: Bool
    }

    /// The text of all declarations without bodies.
    private(set) var skeleton: [UInt8] = []
    private(set) var bodies: [Body] = []
    private(set) var declarations: [Declaration] = []
    /// The words outside comments and the text of string literals.
    let words: Set<String>

    /// A Boolean value that indicates whether the code depends on the numbers of its lines.
    var dependsOnLines: Bool { !words.isDisjoint(with: ["#line", "#column", "#sourceLocation"]) }

    /// Creates the outline, or returns `nil` if the brackets of a text do not match.
    ///
    /// - Parameters:
    ///   - omitted: The names of declarations that the outline does not contain.
    ///   - omitsImports: A Boolean value that indicates whether it contains no imports.
    init?(_ text: [UInt8], omitting omitted: Set<String> = [], omitsImports: Bool = false) {
        guard
            var reader = OutlineReader(SwiftSource(text), omitted: omitted, omitsImports: omitsImports),
            reader.read(in: reader.source.tokens.startIndex..<reader.source.tokens.endIndex, .types, depth: 0)
        else { return nil }
        var words: Set<String> = []
        for token in reader.source.tokens { Self.add(token, to: &words) }
        self.words = words
        (skeleton, bodies, declarations) = (reader.skeleton, reader.bodies, reader.declarations)
        if skeleton.last == UInt8(ascii: "\n") { skeleton.removeLast() }
    }

    /// Adds the words of a token, including those of interpolations.
    static func add(_ token: SwiftToken, to words: inout Set<String>) {
        switch token {
        case .word(let word): words.insert(word.filter { $0 != "`" })
        case .literal(let pieces):
            for case .code(let tokens) in pieces { for token in tokens { add(token, to: &words) } }
        default: break
        }
    }
}

/// A text with its tokens.
struct SwiftSource {
    let text: [UInt8]
    let tokens: [SwiftToken]
    let ranges: [Range<Int>]
    /// The numbers of the lines in which the tokens start.
    let lines: [Int]

    init(_ text: [UInt8]) {
        self.text = text
        (tokens, ranges) = SwiftScanner.placedTokens(of: text)
        var lines: [Int] = []
        var (line, place) = (1, 0)
        for range in ranges {
            line += text[place..<range.lowerBound].count { $0 == UInt8(ascii: "\n") }
            place = range.lowerBound
            lines.append(line)
        }
        self.lines = lines
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
