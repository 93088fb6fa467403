import Text

/// A recursive descent parser of expressions, with limits on depth and length.
///
///     or         = and { "||" and }
///     and        = comparison { "&&" comparison }
///     comparison = unary [ ("==" | "!=" | "<" | "<=" | ">" | ">=") unary ]
///     unary      = { "!" } postfix
///     postfix    = primary { "." name | "[" or "]" }
///     primary    = literal | context | function "(" [ or { "," or } ] ")" | "(" or ")"
struct ExpressionParser {
    typealias SyntaxError = ExpressionLexer.SyntaxError

    /// The maximum depth of nesting, and the maximum length of a chain of elements.
    static let maximumDepth = 32
    static let maximumTokens = 2000

    private var lexer: ExpressionLexer
    private let span: (Range<Int>) -> Span?
    private var current: (token: ExpressionLexer.Token, range: Range<Int>) = (.end, 0..<0)
    private var depth = 0
    private var tokens = 0
    /// The end of the last consumed token.
    private var lastEnd: Int

    private init(_ bytes: [UInt8], in range: Range<Int>, span: @escaping (Range<Int>) -> Span?) {
        lexer = ExpressionLexer(bytes, in: range)
        self.span = span
        lastEnd = range.lowerBound
    }

    /// Parses a range of `bytes`. `span` converts a range of bytes to a span of the file.
    static func parse(
        _ bytes: [UInt8], in range: Range<Int>, span: @escaping (Range<Int>) -> Span?
    ) throws(SyntaxError) -> ExpressionNode {
        var parser = ExpressionParser(bytes, in: range, span: span)
        try parser.advance()
        guard parser.current.token != .end else {
            throw SyntaxError(message: "expected an expression, found nothing", range: range)
        }
        let node = try parser.disjunction()
        guard parser.current.token == .end else {
            throw parser.unexpected("the end of the expression", hint: parser.operatorHint)
        }
        return node
    }

    private mutating func advance() throws(SyntaxError) {
        lastEnd = current.range.upperBound
        current = try lexer.next()
        tokens += 1
        if tokens > Self.maximumTokens {
            throw SyntaxError(
                message: "the expression has more than \(Self.maximumTokens) tokens", range: current.range)
        }
    }

    private func unexpected(_ expected: String, hint: String? = nil) -> SyntaxError {
        let found =
            switch current.token {
            case .word(let word): "'\(word)'"
            case .integer(let value): "'\(value)'"
            case .string(let text): "'\(text)'"
            case .symbol(let symbol): "'\(symbol)'"
            case .end: "the end"
            }
        return SyntaxError(message: "expected \(expected), found \(found)", range: current.range, hint: hint)
    }

    /// The hint on an operator of other languages.
    private var operatorHint: String? {
        guard case .word(let word) = current.token else { return nil }
        return ["and": "write '&&'", "or": "write '||'", "in": "write 'contains(list, value)'", "is": "write '=='"][
            word.lowercased()]
    }

    private mutating func accept(_ symbol: String) throws(SyntaxError) -> Bool {
        guard current.token == .symbol(symbol) else { return false }
        try advance()
        return true
    }

    private mutating func expect(_ symbol: String) throws(SyntaxError) {
        guard try accept(symbol) else { throw unexpected("'\(symbol)'") }
    }

    private func node(_ tree: ExpressionNode.Tree, from start: Int) -> ExpressionNode {
        ExpressionNode(tree: tree, span: span(start..<lastEnd))
    }

    private mutating func disjunction() throws(SyntaxError) -> ExpressionNode {
        depth += 1
        defer { depth -= 1 }
        if depth > Self.maximumDepth {
            throw SyntaxError(
                message: "the expression is nested more than \(Self.maximumDepth) levels deep", range: current.range)
        }
        let start = current.range.lowerBound
        var parts = [try conjunction()]
        while try accept("||") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : node(.any(parts), from: start)
    }

    private mutating func conjunction() throws(SyntaxError) -> ExpressionNode {
        let start = current.range.lowerBound
        var parts = [try comparison()]
        while try accept("&&") { parts.append(try comparison()) }
        return parts.count == 1 ? parts[0] : node(.all(parts), from: start)
    }

    private mutating func comparison() throws(SyntaxError) -> ExpressionNode {
        let start = current.range.lowerBound
        let left = try negation()
        guard let comparison = try acceptComparison() else { return left }
        let right = try negation()
        let result = node(.comparison(left, comparison, right), from: start)
        if case .symbol(let symbol) = current.token, Comparison(rawValue: symbol) != nil {
            throw unexpected("the end of the comparison", hint: "join comparisons with '&&'")
        }
        return result
    }

    private mutating func acceptComparison() throws(SyntaxError) -> Comparison? {
        guard case .symbol(let symbol) = current.token, let comparison = Comparison(rawValue: symbol) else {
            return nil
        }
        try advance()
        return comparison
    }

    private mutating func negation() throws(SyntaxError) -> ExpressionNode {
        let start = current.range.lowerBound
        var count = 0
        while try accept("!") { count += 1 }
        let operand = try postfix()
        guard count > 0 else { return operand }
        let once = node(.not(operand), from: start)
        return count % 2 == 1 ? once : node(.not(once), from: start)
    }

    private mutating func postfix() throws(SyntaxError) -> ExpressionNode {
        let start = current.range.lowerBound
        var base = try primary()
        var length = 0
        while true {
            let key: ExpressionNode
            if try accept(".") {
                guard case .word(let name) = current.token else { throw unexpected("a name after '.'") }
                let keyStart = current.range.lowerBound
                try advance()
                key = node(.literal(.string(name)), from: keyStart)
            } else if try accept("[") {
                key = try disjunction()
                try expect("]")
            } else {
                return base
            }
            length += 1
            if length > Self.maximumDepth {
                throw SyntaxError(
                    message: "the expression has more than \(Self.maximumDepth) nested elements", range: current.range)
            }
            base = node(.element(of: base, key), from: start)
        }
    }

    private mutating func primary() throws(SyntaxError) -> ExpressionNode {
        let start = current.range.lowerBound
        switch current.token {
        case .integer(let value):
            try advance()
            return node(.literal(.integer(value)), from: start)
        case .string(let text):
            try advance()
            return node(.literal(.string(text)), from: start)
        case .symbol("("):
            try advance()
            let inner = try disjunction()
            try expect(")")
            return ExpressionNode(tree: inner.tree, span: span(start..<lastEnd))
        case .word(let word):
            let range = current.range
            try advance()
            return try named(word, range)
        case .symbol, .end: throw unexpected("a value")
        }
    }

    private mutating func named(_ word: String, _ range: Range<Int>) throws(SyntaxError) -> ExpressionNode {
        if current.token == .symbol("(") {
            guard let function = ExpressionFunction(rawValue: word) else {
                let names = ExpressionFunction.allCases.map(\.rawValue)
                throw SyntaxError(
                    message: "there is no function '\(word)'", range: range,
                    hint: suggestion(for: word, among: names) ?? "the functions are \(list(names, joinedBy: "and"))")
            }
            return try call(function, range)
        }
        switch word {
        case "true": return node(.literal(.bool(true)), from: range.lowerBound)
        case "false": return node(.literal(.bool(false)), from: range.lowerBound)
        case "null": return node(.literal(.null), from: range.lowerBound)
        default:
            if let context = ContextName(rawValue: word) { return node(.context(context), from: range.lowerBound) }
            if let function = ExpressionFunction(rawValue: word) {
                throw SyntaxError(
                    message: "'\(word)' is a function", range: range, hint: "call it as \(function.usage.call)")
            }
            if word.lowercased() == "not" {
                throw SyntaxError(
                    message: "unknown name '\(word)'", range: range, hint: "write '!' before the condition")
            }
            let names = ContextName.allCases.map(\.rawValue)
            throw SyntaxError(
                message: "unknown name '\(word)'", range: range,
                hint: (Self.foreign[word] ?? nearest(to: word, among: names)).map { "did you mean '\($0)'?" }
                    ?? "a parameter is 'parameters.\(word)', and a string has single quotes; a name starts with \(list(names))"
            )
        }
    }

    /// The names of GitHub's expressions, and the names for the same values here.
    private static let foreign = [
        "secrets": "env", "vars": "env", "inputs": "parameters", "params": "parameters", "github": "git",
        "runner": "platform",
    ]

    private mutating func call(_ function: ExpressionFunction, _ range: Range<Int>) throws(SyntaxError)
        -> ExpressionNode
    {
        try advance()
        var arguments: [ExpressionNode] = []
        if current.token != .symbol(")") {
            repeat { arguments.append(try disjunction()) } while try accept(",")
        }
        try expect(")")
        guard function.arity.contains(arguments.count) else {
            let wanted = function.arity.count == 1 ? count(function.arity.lowerBound, "argument") : "other arguments"
            throw SyntaxError(
                message: "'\(function.rawValue)' takes \(wanted), found \(arguments.count)",
                range: range.lowerBound..<lastEnd, hint: "as in \(function.usage.call)")
        }
        return node(.call(function, arguments), from: range.lowerBound)
    }
}
