package import Diagnostics
import YAML

/// A text with expressions in it: `v${{ parameters.version }}`.
package struct Template: Sendable, Equatable {
    /// A piece of the text.
    package enum Part: Sendable, Equatable {
        case text(String)
        case expression(Expression)
    }

    /// A text without expressions, as most are.
    private let plain: String?
    /// The parts of another.
    private let mixed: [Part]
    let span: Span?

    package init(parts: [Part], span: Span? = nil) {
        if parts.count == 1, case .text(let text) = parts[0] {
            (plain, mixed) = (text, [])
        } else {
            (plain, mixed) = (nil, parts)
        }
        self.span = span
    }

    /// A text without expressions.
    package init(_ text: String, span: Span? = nil) {
        (plain, mixed, self.span) = (text, [], span)
    }

    /// The text around its expressions, with a space in the place of each.
    var literalText: String {
        parts.map { part in
            if case .text(let text) = part { text } else { " " }
        }.joined()
    }

    var parts: [Part] { plain.map { [.text($0)] } ?? mixed }

    /// Reads the text of a scalar and reports every expression that is wrong, each at its place; such a one is left out.
    init(_ node: YAMLNode, faults: inout [Diagnostic]) {
        let text = node.scalar?.text ?? ""
        guard Self.isTemplate(text) else {
            self.init(text, span: node.span)
            return
        }
        var reader = TemplateReader(Array(text.utf8), ScalarSourceMap(node))
        reader.read()
        faults += reader.faults
        self.init(parts: reader.parts, span: node.span)
    }

    /// Whether an expression is in a text; asked of every value, so in bytes.
    static func isTemplate(_ text: String) -> Bool {
        text.withBytes { bytes in
            guard bytes.count > 2 else { return false }
            for index in 2..<bytes.count where bytes[index] == UInt8(ascii: "{") {
                if bytes[index - 1] == UInt8(ascii: "{"), bytes[index - 2] == UInt8(ascii: "$") { return true }
            }
            return false
        }
    }

    /// The text when no expression is in it.
    package var constant: String? {
        plain ?? (mixed.isEmpty ? "" : nil)
    }

    /// As written.
    package var text: String {
        if let plain { return plain }
        return mixed.map { part in
            switch part {
            case .text(let text): text
            case .expression(let expression): "${{ \(expression.text) }}"
            }
        }.joined()
    }

    func forEachExpression(_ body: (Expression) -> Void) {
        for case .expression(let expression) in mixed { body(expression) }
    }

    /// A lone expression keeps its type; anything else becomes a string.
    package func evaluate(in context: EvaluationContext) throws(Diagnostic) -> Value {
        if let plain { return .string(plain) }
        if mixed.count == 1, case .expression(let expression) = mixed[0] { return try expression.evaluate(in: context) }
        var result = ""
        for part in mixed {
            switch part {
            case .text(let text): result += text
            case .expression(let expression): result += try expression.text(in: context)
            }
        }
        return .string(result)
    }
}

/// Cuts a text into its parts.
private struct TemplateReader {
    private let bytes: [UInt8]
    private let places: ScalarSourceMap?
    private(set) var parts: [Template.Part] = []
    private(set) var faults: [Diagnostic] = []

    init(_ bytes: [UInt8], _ places: ScalarSourceMap?) {
        self.bytes = bytes
        self.places = places
    }

    mutating func read() {
        var start = 0
        while let opening = find("${{", from: start) {
            text(start..<opening)
            guard let closing = closing(from: opening + 3) else {
                fault(ExpressionLexer.Fault(message: "expected '}}' after '${{'", range: opening..<opening + 3))
                return
            }
            expression(opening + 3..<closing)
            start = closing + 2
        }
        text(start..<bytes.count)
    }

    private mutating func text(_ range: Range<Int>) {
        if !range.isEmpty { parts.append(.text(String(decoding: bytes[range], as: UTF8.self))) }
    }

    private mutating func expression(_ range: Range<Int>) {
        do {
            let places = places
            let root = try ExpressionParser.parse(bytes, in: range) { places?.span(of: $0) }
            let text = Self.trimmed(String(decoding: bytes[range], as: UTF8.self))
            parts.append(.expression(Expression(root: root, text: text)))
        } catch {
            fault(error)
        }
    }

    private mutating func fault(_ fault: ExpressionLexer.Fault) {
        faults.append(Diagnostic(.error, fault.message, at: places?.span(of: fault.range), hint: fault.hint))
    }

    private static func trimmed(_ text: String) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }

    private func find(_ word: StaticString, from start: Int) -> Int? {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes.count - start >= word.count else { return nil }
        return (start...bytes.count - word.count).first { bytes[$0...].starts(with: word) }
    }

    /// The `}}` that ends an expression: the first that does not stand in quotes.
    private func closing(from start: Int) -> Int? {
        var isQuoted = false
        var index = start
        while index + 1 < bytes.count {
            if bytes[index] == UInt8(ascii: "'") { isQuoted.toggle() }
            if !isQuoted, bytes[index] == UInt8(ascii: "}"), bytes[index + 1] == UInt8(ascii: "}") { return index }
            index += 1
        }
        return nil
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
