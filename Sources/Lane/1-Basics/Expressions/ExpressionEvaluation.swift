import Text

extension ExpressionNode {
    func evaluate(in context: EvaluationContext) throws(Diagnostic) -> Value {
        switch tree {
        case .literal(let value): return value
        case .context(let name): return context.whole(name)
        case .element(let base, let key): return try element(of: base, key, context)
        case .call(let function, let arguments): return try call(function, arguments, context)
        case .not(let operand): return .bool(try !operand.bool(in: context))
        case .all(let operands):
            for operand in operands where try !operand.bool(in: context) { return .bool(false) }
            return .bool(true)
        case .any(let operands):
            for operand in operands where try operand.bool(in: context) { return .bool(true) }
            return .bool(false)
        case .comparison(let left, let comparison, let right):
            return .bool(try compare(try left.evaluate(in: context), comparison, try right.evaluate(in: context)))
        }
    }

    private func wrong(_ expected: String, _ found: Value) -> Diagnostic {
        let hint = found == .null ? "give it a default value: default(…, …)" : nil
        return Diagnostic(.error, "expected \(expected), found \(found.kind)", at: span, hint: hint)
    }

    private func bool(in context: EvaluationContext) throws(Diagnostic) -> Bool {
        let value = try evaluate(in: context)
        guard case .bool(let result) = value else { throw wrong("a boolean", value) }
        return result
    }

    private func string(in context: EvaluationContext) throws(Diagnostic) -> String {
        let value = try evaluate(in: context)
        guard case .string(let text) = value else { throw wrong("a string", value) }
        return text
    }

    private func element(
        of base: ExpressionNode, _ key: ExpressionNode, _ context: EvaluationContext
    ) throws(Diagnostic) -> Value {
        if case .context(let name) = base.tree, name != .arguments {
            return context.member(try key.string(in: context), of: name) ?? .null
        }
        let container = try base.evaluate(in: context)
        switch (container, try key.evaluate(in: context)) {
        case (.map, .string(let name)): return container[name] ?? .null
        case (.list(let elements), .integer(let index)):
            return elements.indices.contains(index) ? elements[index] : .null
        case (.null, _): return .null
        case (.map, let key): throw wrong("a name in brackets", key)
        case (.list, let key): throw wrong("a number in brackets", key)
        case (let other, _): throw base.wrong("a mapping or a list", other)
        }
    }

    private func compare(_ left: Value, _ comparison: Comparison, _ right: Value) throws(Diagnostic) -> Bool {
        switch comparison {
        case .equal: return try areEqual(left, right)
        case .unequal: return try !areEqual(left, right)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: break
        }
        if let one = left.integer, let other = right.integer { return holds(one, comparison, other) }
        guard let one = left.number, let other = right.number else {
            throw Diagnostic(
                .error, "'\(comparison.rawValue)' compares numbers, found \(left.kind) and \(right.kind)", at: span)
        }
        return holds(one, comparison, other)
    }

    private func holds<Number: Comparable>(_ one: Number, _ comparison: Comparison, _ other: Number) -> Bool {
        switch comparison {
        case .less: one < other
        case .lessOrEqual: one <= other
        case .greater: one > other
        case .greaterOrEqual: one >= other
        case .equal: one == other
        case .unequal: one != other
        }
    }

    /// Compares two values, which must have the same type unless one is null. A string that contains a number, such as
    /// the output of a command, can be compared with a number.
    private func areEqual(_ left: Value, _ right: Value) throws(Diagnostic) -> Bool {
        if left == .null || right == .null { return left == right }
        switch (left, right) {
        case (.integer, .string), (.string, .integer):
            if let one = left.number, let other = right.number { return one == other }
        default: break
        }
        guard ExpressionType(left) == ExpressionType(right) else {
            throw Diagnostic(.error, "cannot compare \(left.kind) with \(right.kind)", at: span)
        }
        return left == right
    }
}

extension ExpressionNode {
    /// Calls a function.
    ///
    /// Searches compare characters, so canonically equivalent strings match. They also compare bytes, because `String`
    /// treats CR LF, or a base character and its combining mark, as one character.
    private func call(
        _ function: ExpressionFunction, _ arguments: [ExpressionNode], _ context: EvaluationContext
    ) throws(Diagnostic) -> Value {
        switch function {
        case .success: return .bool(!context.hasFailed)
        case .failure: return .bool(context.hasFailed)
        case .always: return .bool(true)
        case .startsWith:
            let (text, part) = (try arguments[0].string(in: context), try arguments[1].string(in: context))
            return .bool(text.hasPrefix(part) || text.utf8.starts(with: part.utf8))
        case .endsWith:
            let (text, part) = (try arguments[0].string(in: context), try arguments[1].string(in: context))
            return .bool(text.hasSuffix(part) || text.utf8.suffix(part.utf8.count).elementsEqual(part.utf8))
        case .contains: return .bool(try contains(arguments[0], arguments[1], context))
        case .join:
            let value = try arguments[0].evaluate(in: context)
            guard case .list(let elements) = value else { throw arguments[0].wrong("a list", value) }
            var texts: [String] = []
            for element in elements { texts.append(try arguments[0].text(of: element)) }
            return .string(texts.joined(separator: try arguments[1].string(in: context)))
        case .format:
            var texts: [String] = []
            for argument in arguments.dropFirst() {
                texts.append(try argument.text(of: try argument.evaluate(in: context)))
            }
            return .string(try arguments[0].fill(try arguments[0].string(in: context), with: texts))
        case .default:
            for argument in arguments.dropLast() {
                let value = try argument.evaluate(in: context)
                if value != .null, value != .string("") { return value }
            }
            return try arguments[arguments.count - 1].evaluate(in: context)
        }
    }

    private func text(of value: Value) throws(Diagnostic) -> String {
        guard let text = value.text else { throw wrong("a single value", value) }
        return text
    }

    private func contains(
        _ whole: ExpressionNode, _ part: ExpressionNode, _ context: EvaluationContext
    ) throws(Diagnostic) -> Bool {
        switch try whole.evaluate(in: context) {
        case .string(let text):
            let wanted = try part.string(in: context)
            return text.contains(wanted) || text.indices.contains { text[$0...].hasPrefix(wanted) }
        case .list(let elements): return elements.contains(try part.evaluate(in: context))
        case let other: throw whole.wrong("a string or a list", other)
        }
    }

    /// Replaces `{0}` with the first text, `{1}` with the second, and so on. `{{` and `}}` are literal braces.
    func fill(_ format: String, with texts: [String]) throws(Diagnostic) -> String {
        var result = ""
        var rest = format.unicodeScalars[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            result.unicodeScalars += rest[..<brace]
            let isDoubled = rest[brace...].dropFirst().first == rest[brace]
            if isDoubled {
                result.unicodeScalars.append(rest[brace])
                rest = rest[brace...].dropFirst(2)
                continue
            }
            guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}"),
                let index = Int(String(rest[rest.index(after: brace)..<end])), texts.indices.contains(index)
            else {
                throw Diagnostic(
                    .error, "expected placeholders from {0} to {\(max(texts.count - 1, 0))} in '\(format)'", at: span,
                    hint: "write '{{' or '}}' for a brace")
            }
            result += texts[index]
            rest = rest[end...].dropFirst()
        }
        return result + String(rest)
    }
}

extension Value {
    /// The whole number, or that in a string with optional spaces around it.
    fileprivate var integer: Int? {
        switch self {
        case .integer(let number): number
        case .string(let text): Int(text.trimmed)
        case .null, .bool, .list, .map: nil
        }
    }

    /// The number, or that in a string with optional spaces around it.
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .string(let text):
            // `Double` also reads `nan`, `inf` and hexadecimal digits.
            text.utf8.allSatisfy { $0.isDigit || " \t\r\n+-.eE".utf8.contains($0) } ? Double(text.trimmed) : nil
        case .null, .bool, .list, .map: nil
        }
    }
}
