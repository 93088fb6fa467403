package import Text

/// A string that can contain expressions, such as `v${{ parameters.version }}`.
package struct Template: Sendable, Equatable {
    /// A piece of the text.
    package enum Part: Sendable, Equatable {
        case text(String)
        case expression(Expression)
    }

    /// The string if it contains no expression, which is the common case.
    private let plain: String?
    /// The parts if it contains expressions.
    private let mixed: [Part]
    /// The location of the string.
    package let span: Span?

    package init(parts: [Part], span: Span? = nil) {
        if parts.count == 1, case .text(let text) = parts[0] {
            (plain, mixed) = (text, [])
        } else {
            (plain, mixed) = (nil, parts)
        }
        self.span = span
    }

    /// Creates a template without expressions.
    package init(_ text: String, span: Span? = nil) {
        (plain, mixed, self.span) = (text, [], span)
    }

    /// The texts and expressions in the order of the source.
    package var parts: [Part] { plain.map { [.text($0)] } ?? mixed }

    /// Parses a text. Each invalid expression is added to `errors` and omitted.
    ///
    /// - Parameters:
    ///   - span: The location of the text.
    ///   - locate: Returns the location of a range of the text's bytes.
    package init(
        _ text: String, at span: Span?, locate: @escaping (Range<Int>) -> Span?, errors: inout [Diagnostic]
    ) {
        guard Self.isTemplate(text) else {
            self.init(text, span: span)
            return
        }
        var reader = TemplateReader(Array(text.utf8))
        reader.read(locate)
        errors += reader.errors
        self.init(parts: reader.parts, span: span)
    }

    /// Returns a Boolean value that indicates whether a text contains an expression.
    package static func isTemplate(_ text: String) -> Bool {
        text.withBytes { bytes in
            guard bytes.count > 2 else { return false }
            for index in 2..<bytes.count where bytes[index] == UInt8(ascii: "{") {
                if bytes[index - 1] == UInt8(ascii: "{"), bytes[index - 2] == UInt8(ascii: "$") { return true }
            }
            return false
        }
    }

    /// The string if it contains no expression.
    package var constant: String? {
        plain ?? (mixed.isEmpty ? "" : nil)
    }

    /// The source text.
    package var text: String { text(replacing: \.source) }

    /// Returns the text with replacements for the expressions.
    package func text(replacing replacement: (Expression) -> String) -> String {
        if let plain { return plain }
        return mixed.map { part in
            switch part {
            case .text(let text): text
            case .expression(let expression): replacement(expression)
            }
        }.joined()
    }

    /// The expressions in the order of the source.
    package var expressions: [Expression] {
        mixed.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
    }

    /// Evaluates the template. The result is the value of the expression if the template is a single expression; otherwise, a
    /// string.
    package func evaluate(in context: EvaluationContext) throws(Diagnostic) -> Value {
        if let plain { return .string(plain) }
        if mixed.count == 1, case .expression(let expression) = mixed[0] {
            return try expression.gitChecked(expression.evaluate(in: context), in: context)
        }
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

/// Splits a text into its parts.
private struct TemplateReader {
    private let bytes: [UInt8]
    private(set) var parts: [Template.Part] = []
    private(set) var errors: [Diagnostic] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func read(_ locate: @escaping (Range<Int>) -> Span?) {
        var start = 0
        while let opening = find("${{", from: start) {
            text(start..<opening)
            guard let closing = closing(from: opening + 3) else {
                report(
                    ExpressionLexer.SyntaxError(message: "expected '}}' after '${{'", range: opening..<opening + 3),
                    locate)
                return
            }
            expression(opening + 3..<closing, locate)
            start = closing + 2
        }
        text(start..<bytes.count)
    }

    private mutating func text(_ range: Range<Int>) {
        if !range.isEmpty { parts.append(.text(String(decoding: bytes[range], as: UTF8.self))) }
    }

    private mutating func expression(_ range: Range<Int>, _ locate: @escaping (Range<Int>) -> Span?) {
        do {
            let root = try ExpressionParser.parse(bytes, in: range, span: locate)
            let text = String(String(decoding: bytes[range], as: UTF8.self).trimmed)
            parts.append(.expression(Expression(root: root, text: text)))
        } catch {
            report(error, locate)
        }
    }

    private mutating func report(_ error: ExpressionLexer.SyntaxError, _ locate: (Range<Int>) -> Span?) {
        errors.append(Diagnostic(.error, error.message, at: locate(error.range), hint: error.hint))
    }

    private func find(_ word: StaticString, from start: Int) -> Int? {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes.count - start >= word.count else { return nil }
        return (start...bytes.count - word.count).first { bytes[$0...].starts(with: word) }
    }

    /// Returns the offset of the `}}` that ends an expression: the first one outside quotes.
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
    /// Evaluates the expression to a single value, and returns the value as text.
    package func text(in context: EvaluationContext) throws(Diagnostic) -> String {
        let value = try gitChecked(evaluate(in: context), in: context)
        if let text = value.text { return text }
        guard value == .null else {
            let hint: String? = if case .list = value { joinHint } else { nil }
            throw Diagnostic(.error, "expected a single value in a string, found \(value.kind)", at: span, hint: hint)
        }
        throw Diagnostic(
            .error, "\(inQuotes(text)) has no value", at: span, hint: "give it a default value: default(\(text), '…')")
    }

    /// Returns the value, unless the expression is a value of git that is empty. A condition can compare such a value,
    /// but a string without it, such as the tag of an image, is an error.
    func gitChecked(_ value: Value, in context: EvaluationContext) throws(Diagnostic) -> Value {
        guard value == .string(""), ["git.branch", "git.commit", "git.tag"].contains(text) else { return value }
        // The reason may have a hint.
        let reason = context.git.all[EvaluationContext.gitReason]?.text?.parts(separatedBy: "\nhint: ") ?? []
        throw Diagnostic(
            .error, "\(inQuotes(text)) has no value\(reason.first.map { ": \($0)" } ?? "")", at: span,
            hint: reason.dropFirst().first.map { String($0) } ?? "give it a default value: default(\(text), '…')")
    }

    /// Evaluates the expression, and returns the texts of a list's elements, or the text of a single value.
    package func texts(in context: EvaluationContext) throws(Diagnostic) -> [String] {
        guard case .list(let elements) = try evaluate(in: context) else { return [try text(in: context)] }
        var texts: [String] = []
        for element in elements {
            guard let text = element.text else {
                throw Diagnostic(.error, "expected a list of single values, found \(element.kind) in it", at: span)
            }
            texts.append(text)
        }
        return texts
    }
}
