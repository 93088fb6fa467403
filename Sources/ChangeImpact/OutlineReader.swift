/// A reader of the tokens of a source, which finds the declarations and the bodies of functions.
struct OutlineReader {
    let source: SwiftSource
    /// The index of the bracket that belongs to each bracket.
    let matches: [Int: Int]
    private(set) var declarations: [SwiftDeclaration] = []
    private var bodies: [Range<Int>] = []

    /// Creates a reader, or returns `nil` if the brackets do not match.
    init?(_ source: SwiftSource) {
        guard let matches = source.matches() else { return nil }
        self.source = source
        self.matches = matches
    }

    enum Scope { case types, accessors }

    /// The code around declarations.
    private struct Context {
        var containers: [SwiftDeclaration.Container] = []
        /// The text of all types and directives.
        var text: [UInt8] = []
        /// The words of extensions that are not their types.
        var words: Set<String> = []
        /// The conditions of the open `#if`.
        var conditions: [[UInt8]] = []
        /// The last declaration of a kind whose order matters.
        var last: [UInt8] = []
    }

    var tokens: [SwiftToken] { source.tokens }

    /// Reads all declarations. Returns `false` if they cannot be distinguished.
    mutating func read() -> Bool { read(in: tokens.startIndex..<tokens.endIndex, Context()) }

    private mutating func read(in range: Range<Int>, _ context: Context) -> Bool {
        guard let starts = starts(in: range) else { return false }
        var context = context
        addOther(range.lowerBound..<(starts.first?.first ?? range.upperBound), context)
        for (number, start) in starts.enumerated() {
            let end = number + 1 < starts.count ? starts[number + 1].first : range.upperBound
            let isRead =
                tokens[start.keyword].word?.hasPrefix("#") == true
                ? readDirective(start.first..<end, &context)
                : readDeclaration(start.first..<end, keyword: start.keyword, &context)
            guard isRead else { return false }
        }
        return context.conditions.isEmpty
    }

    /// Returns the indices of the first token and the keyword of each declaration or directive, or `nil` if it is unclear.
    private func starts(in range: Range<Int>) -> [(first: Int, keyword: Int)]? {
        var starts: [(first: Int, keyword: Int)] = []
        var index = range.lowerBound
        while index < range.upperBound {
            if let word = tokens[index].word, word.hasPrefix("#") {
                if isStart(index) { starts.append((index, index)) }
            } else if let word = tokens[index].word, isKeyword(word, at: index, in: .types) {
                if let first = head(of: index), first >= range.lowerBound {
                    starts.append((first, index))
                } else if isStart(index) {
                    return nil
                }
            }
            index = matches[index].map { max($0, index) + 1 } ?? index + 1
        }
        return starts
    }

    /// Adds code that is no declaration of a known form, unless it is empty.
    private mutating func addOther(_ range: Range<Int>, _ context: Context) {
        guard tokens[range].contains(where: { $0 != .lineBreak && !$0.is(";") }) else { return }
        declarations.append(declaration(.other, names: [], in: [range], context))
    }

    private mutating func readDirective(_ range: Range<Int>, _ context: inout Context) -> Bool {
        let end = tokens[range].firstIndex(of: .lineBreak) ?? range.upperBound
        var text: [UInt8] = []
        source.append(range.lowerBound..<end, to: &text)
        switch tokens[range.lowerBound].word {
        case "#if": context.conditions.append(text)
        case "#elseif", "#else":
            guard let last = context.conditions.popLast() else { return false }
            context.conditions.append(last + text)
        case "#endif": guard context.conditions.popLast() != nil else { return false }
        case "#error", "#warning": break
        default:
            addOther(range, context)
            return true
        }
        addOther(end..<range.upperBound, context)
        return true
    }

    private mutating func readDeclaration(_ range: Range<Int>, keyword: Int, _ context: inout Context) -> Bool {
        var brace = keyword
        while brace < range.upperBound, !tokens[brace].is("{") {
            brace = max(matches[brace] ?? brace, brace) + 1
        }
        guard brace < range.upperBound, let close = matches[brace] else {
            add(range, keyword, in: [range], isComputed: false, &context)
            return true
        }
        switch kind(of: keyword, opening: brace, in: .types) {
        case .other:
            add(range, keyword, in: [range], isComputed: false, &context)
            addBody(brace..<brace, upTo: close)
        case .body:
            add(
                range, keyword, in: [range.lowerBound..<brace + 1, close..<range.upperBound], isComputed: true, &context
            )
            addBody(brace + 1..<close, upTo: close)
        case .scope(.accessors):
            var (parts, bodies, isComputed) = accessors(in: brace + 1..<close)
            parts = [range.lowerBound..<brace + 1] + parts + [close..<range.upperBound]
            add(range, keyword, in: parts, isComputed: isComputed, &context)
            for body in bodies { addBody(body, upTo: body.upperBound) }
        case .scope(.types):
            let header = range.lowerBound..<brace
            add(header, keyword, in: [header], isComputed: false, &context)
            guard read(in: brace + 1..<close, inside(declarations[declarations.count - 1], keyword, context)) else {
                return false
            }
            addOther(close + 1..<range.upperBound, context)
        }
        return true
    }

    /// Returns the context of the members of a type or an extension.
    private func inside(
        _ type: SwiftDeclaration, _ keyword: Int, _ context: Context
    ) -> Context {
        let name = typePath(after: keyword).last.flatMap { tokens[$0].word } ?? ""
        let isExtension = tokens[keyword].word == "extension"
        var inner = context
        (inner.conditions, inner.last) = ([], [])
        inner.containers.append(.init(name: name.filter { $0 != "`" }, isExtension: isExtension))
        inner.text = isExtension ? type.key : contextText(context) + Array("\(name){".utf8)
        if isExtension { inner.words.formUnion(type.words) }
        return inner
    }

    /// Returns the indices of the words of the name after a keyword, such as `Outer.Inner`.
    func typePath(after keyword: Int) -> [Int] {
        var path: [Int] = []
        var index = keyword + 1
        while index < tokens.count, tokens[index].word != nil {
            path.append(index)
            guard index + 2 < tokens.count, tokens[index + 1].is(".") else { break }
            index += 2
        }
        return path
    }

    private func contextText(_ context: Context) -> [UInt8] {
        context.text + context.conditions.joined(separator: [UInt8(ascii: "\n")]) + [UInt8(ascii: "\n")]
    }

    /// Returns the parts of accessors that are not bodies, and the bodies.
    private func accessors(in range: Range<Int>) -> (parts: [Range<Int>], bodies: [Range<Int>], isComputed: Bool) {
        var (parts, bodies): ([Range<Int>], [Range<Int>]) = ([], [])
        var (index, pending) = (range.lowerBound, range.lowerBound)
        var keyword: Int?
        var isComputed = true
        while index < range.upperBound {
            if let word = tokens[index].word, isKeyword(word, at: index, in: .accessors) {
                keyword = index
                if word == "willSet" || word == "didSet" { isComputed = false }
            }
            guard let close = matches[index], tokens[index].is("{") else {
                index = matches[index].map { max($0, index) + 1 } ?? index + 1
                continue
            }
            if case .body = kind(of: keyword, opening: index, in: .accessors) {
                parts.append(pending..<index + 1)
                bodies.append(index + 1..<close)
                pending = close
            }
            (index, keyword) = (close + 1, nil)
        }
        return (parts + [pending..<range.upperBound], bodies, isComputed)
    }

    /// Adds a body to the last declaration. It is empty if its text is a part of the declaration.
    private mutating func addBody(_ range: Range<Int>, upTo close: Int) {
        bodies.append(range)
        var text: [UInt8] = []
        let lines = source.lines[max(range.lowerBound - 1, 0)]...source.lines[close]
        if SwiftOutline.dependsOnLines(tokens[range]) {
            // The place of each line counts.
            text = Array("\(lines.lowerBound) ".utf8) + source.lines(from: max(range.lowerBound - 1, 0), upTo: close)
        } else {
            source.append(range, to: &text)
        }
        declarations[declarations.count - 1].bodies.append(
            SwiftOutline.Body(text: text, lines: lines, words: words(in: [range])))
    }

    var tokensOutsideBodies: [SwiftToken] {
        var result = tokens
        for body in bodies.sorted(by: { $0.lowerBound > $1.lowerBound }) { result.removeSubrange(body) }
        return result
    }

    func words(in parts: [Range<Int>]) -> Set<String> {
        var words: Set<String> = []
        for part in parts { for token in tokens[part] { SwiftOutline.add(token, to: &words) } }
        return words
    }
}

extension OutlineReader {
    /// Adds a declaration that consists of parts of a range.
    private mutating func add(
        _ range: Range<Int>, _ keyword: Int, in parts: [Range<Int>], isComputed: Bool, _ context: inout Context
    ) {
        let kind = kind(range, keyword, isComputed: isComputed, container: context.containers.last?.name)
        let names = kind == .other || kind == .import ? [] : names(range, keyword)
        var added = declaration(kind, names: names, in: parts, context)
        let modifiers = tokens[range.lowerBound..<keyword].indices
        added.isPrivate = modifiers.contains { tokens[$0].word == "private" && !tokens[$0 + 1].is("(") }
        if case .extension = kind {
            let name = typePath(after: keyword).last ?? keyword
            added.words = words(in: [range.lowerBound..<keyword, name + 1..<range.upperBound]).union(context.words)
        }
        if kind == .type { added.mayInherit = tokens[keyword..<range.upperBound].contains { $0.is(":") } }
        if kind == .part, ["let", "var", "case"].contains(tokens[keyword].word) {
            // The order of stored properties and cases is part of the type.
            let last = context.last
            context.last = added.key
            added.key += last
        }
        declarations.append(added)
    }

    private func declaration(
        _ kind: SwiftDeclaration.Kind, names: Set<String>, in parts: [Range<Int>], _ context: Context
    ) -> SwiftDeclaration {
        var key = contextText(context)
        for part in parts { source.append(part, to: &key) }
        while key.last == UInt8(ascii: "\n") { key.removeLast() }
        let attributes = parts.joined().compactMap { tokens[$0].word }.filter { $0.hasPrefix("@") }
        return SwiftDeclaration(
            kind: kind, names: names, containers: context.containers, key: key,
            words: words(in: parts).union(context.words),
            attributes: Set(attributes).subtracting(Self.usual))
    }
}
