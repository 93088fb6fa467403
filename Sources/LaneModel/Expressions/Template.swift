package import Diagnostics
package import YAML

/// A text with expressions in it: `v${{ parameters.version }}`.
package struct Template: Sendable, Equatable {
    package enum Part: Sendable, Equatable {
        case text(String)
        case expression(Expression)
    }

    package let parts: [Part]
    package let span: Span?

    package init(parts: [Part], span: Span? = nil) {
        self.parts = parts
        self.span = span
    }

    /// A text without expressions.
    package init(_ text: String) {
        self.init(parts: [.text(text)])
    }

    /// Reads the text of a scalar; throws at the first expression that is wrong.
    package init(_ node: YAMLNode) throws(Diagnostic) {
        let text = node.scalar?.text ?? ""
        guard Self.isTemplate(text) else {
            self.init(parts: [.text(text)], span: node.span)
            return
        }
        let bytes = Array(text.utf8)
        let places = ScalarPlaces(node)
        do {
            self.init(parts: try Self.parts(of: bytes) { places?.span(of: $0) }, span: node.span)
        } catch {
            throw Diagnostic(.error, error.message, at: places?.span(of: error.range), hint: error.hint)
        }
    }

    /// Whether an expression is in a text; asked of every value, so in bytes.
    static func isTemplate(_ text: String) -> Bool {
        var isAfterDollar = false
        var isAfterBrace = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "{"), isAfterBrace { return true }
            isAfterBrace = byte == UInt8(ascii: "{") && isAfterDollar
            isAfterDollar = byte == UInt8(ascii: "$")
        }
        return false
    }

    private static func parts(
        of bytes: [UInt8], place: @escaping (Range<Int>) -> Span?
    ) throws(ExpressionLexer.Fault) -> [Part] {
        var parts: [Part] = []
        var textStart = 0
        while let opening = find("${{", in: bytes, from: textStart) {
            if opening > textStart { parts.append(.text(String(decoding: bytes[textStart..<opening], as: UTF8.self))) }
            guard let closing = closing(in: bytes, from: opening + 3) else {
                throw ExpressionLexer.Fault(message: "expected '}}' after '${{'", range: opening..<opening + 3)
            }
            let inner = opening + 3..<closing
            let root = try ExpressionParser.parse(bytes, in: inner, place: place)
            let text = String(decoding: bytes[inner], as: UTF8.self)
            parts.append(.expression(Expression(root: root, text: Self.trimmed(text))))
            textStart = closing + 2
        }
        if textStart < bytes.count || parts.isEmpty {
            parts.append(.text(String(decoding: bytes[textStart...], as: UTF8.self)))
        }
        return parts
    }

    private static func trimmed(_ text: String) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }

    private static func find(_ word: StaticString, in bytes: [UInt8], from start: Int) -> Int? {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes.count >= word.count else { return nil }
        return (start...max(start, bytes.count - word.count)).first { bytes[$0...].starts(with: word) }
    }

    /// The `}}` that ends an expression: the first that does not stand in quotes.
    private static func closing(in bytes: [UInt8], from start: Int) -> Int? {
        var isQuoted = false
        var index = start
        while index + 1 < bytes.count {
            if bytes[index] == UInt8(ascii: "'") { isQuoted.toggle() }
            if !isQuoted, bytes[index] == UInt8(ascii: "}"), bytes[index + 1] == UInt8(ascii: "}") { return index }
            index += 1
        }
        return nil
    }

    /// The text when no expression is in it.
    package var constant: String? {
        if parts.isEmpty { return "" }
        guard parts.count == 1, case .text(let text) = parts[0] else { return nil }
        return text
    }

    /// As written.
    package var text: String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .expression(let expression): "${{ \(expression.text) }}"
            }
        }.joined()
    }

    package var expressions: [Expression] {
        parts.compactMap { part in
            if case .expression(let expression) = part { expression } else { nil }
        }
    }

    /// A lone expression keeps its type; anything else becomes a string.
    package func evaluate(in context: EvaluationContext) throws(Diagnostic) -> Value {
        if parts.count == 1, case .expression(let expression) = parts[0] { return try expression.evaluate(in: context) }
        var result = ""
        for part in parts {
            switch part {
            case .text(let text): result += text
            case .expression(let expression): result += try expression.text(in: context)
            }
        }
        return .string(result)
    }
}

extension Expression {
    /// Worked out to something that can stand in a text.
    func text(in context: EvaluationContext) throws(Diagnostic) -> String {
        let value = try evaluate(in: context)
        if let text = value.text { return text }
        guard value == .null else {
            throw Diagnostic(.error, "expected a single value in a text, found \(value.kind)", at: span)
        }
        throw Diagnostic(
            .error, "'\(text)' has no value", at: span, hint: "give one for this case: default(\(text), '…')")
    }
}
