package import Text

/// The names that an expression may use at its location in a lane file, with their types.
package struct ExpressionScope {
    /// The types of the lane's parameters.
    package var parameters: [String: ExpressionType] = [:]
    /// The values of the parameters that are enums.
    package var choices: [String: [String]] = [:]
    /// The values of the matrix axes that are strings in all combinations.
    package var axisValues: [String: [String]] = [:]
    /// The values of `item`, or `nil` if they are unknown before the run.
    package var itemValues: [String]?
    /// The types of the values of `let` in the lane.
    package var values: [String: ExpressionType] = [:]
    /// The IDs of the steps that finish before this location.
    package var steps: Set<String> = []
    /// The types of the outputs of these steps, by step ID and name. Steps with unknown outputs are missing.
    package var outputs: [String: [String: ExpressionType]] = [:]
    /// The IDs of the other steps of the lane.
    package var laterSteps: Set<String> = []
    /// The types of the matrix axes.
    package var matrix: [String: ExpressionType] = [:]
    /// A Boolean value that indicates whether the location is in a step with `foreach`.
    package var hasItem = false
    /// The contexts that have no values at this location, with the reasons.
    package var excluded = ExcludedContexts()

    package init() {}

    /// Reports unknown names and wrong types. Returns the type of the result.
    @discardableResult
    package func check(_ expression: Expression, into diagnostics: inout Diagnostics) -> ExpressionType {
        type(of: expression.root, &diagnostics)
    }

    /// Reports unknown names and wrong types in the expressions of a template.
    ///
    /// - Parameter takesLists: A Boolean value that indicates whether an expression beside other text may be a list.
    package func check(_ template: Template, takesLists: Bool = false, into diagnostics: inout Diagnostics) {
        for part in template.parts {
            guard case .expression(let expression) = part else { continue }
            let type = check(expression, into: &diagnostics)
            if template.parts.count > 1, (type == .list && !takesLists) || type == .map {
                diagnostics.error(
                    "expected a single value in a string, found \(type.kind)", at: expression.span,
                    hint: type == .list ? expression.joinHint : nil)
            }
        }
    }

    /// Checks that a condition is a Boolean.
    package func check(condition: Expression, into diagnostics: inout Diagnostics) {
        let type = check(condition, into: &diagnostics)
        if type != .bool, type != .any {
            diagnostics.error(
                "expected a condition, found \(type.kind)", at: condition.span,
                hint: type == .map ? "use a member, such as 'ci.active'" : "compare it with '=='")
        }
    }

    private func type(of node: ExpressionNode, _ diagnostics: inout Diagnostics) -> ExpressionType {
        switch node.tree {
        case .literal(let value): return ExpressionType(value)
        case .context(let name):
            checkContext(name, at: node.span, &diagnostics)
            return name == .item ? (hasItem ? .string : .any) : name == .arguments ? .list : .map
        case .element(let base, let key): return element(of: base, key, node, &diagnostics)
        case .call(let function, let arguments): return call(function, arguments, &diagnostics)
        case .not(let operand):
            expect(.bool, operand, &diagnostics)
            return .bool
        case .all(let operands):
            for operand in operands { expect(.bool, operand, &diagnostics) }
            return .bool
        case .any(let operands):
            // GitHub's `env.NAME || 'text'` is the variable or a default value.
            var hint: String?
            if case .element? = operands.first?.tree, case .literal(.string)? = operands.last?.tree {
                hint = "for a default value write 'default(env.NAME, …)'"
            }
            for operand in operands {
                expect(.bool, operand, &diagnostics, hint: hint)
                hint = nil
            }
            return .bool
        case .comparison(let left, let comparison, let right):
            compare(left, comparison, right, node, &diagnostics)
            return .bool
        }
    }

    private func expect(
        _ wanted: ExpressionType, _ node: ExpressionNode, _ diagnostics: inout Diagnostics, hint: String? = nil
    ) {
        let found = type(of: node, &diagnostics)
        if found != wanted, found != .any {
            diagnostics.error("expected \(wanted.kind), found \(found.kind)", at: node.span, hint: hint)
        }
    }

    private func compare(
        _ left: ExpressionNode, _ comparison: Comparison, _ right: ExpressionNode, _ node: ExpressionNode,
        _ diagnostics: inout Diagnostics
    ) {
        guard comparison == .equal || comparison == .unequal else {
            for operand in [left, right] {
                // A variable or an output may contain a number.
                if case .literal = operand.tree {
                    expect(.integer, operand, &diagnostics)
                } else {
                    let found = type(of: operand, &diagnostics)
                    if ![.integer, .string, .any].contains(found) {
                        diagnostics.error("expected a number, found \(found.kind)", at: operand.span)
                    }
                }
            }
            return
        }
        let (one, other) = (type(of: left, &diagnostics), type(of: right, &diagnostics))
        checkWord(right, comparedWith: left, &diagnostics)
        checkWord(left, comparedWith: right, &diagnostics)
        if one != other, one != .any, other != .any {
            let hint = one == .string ? right.quoteHint : other == .string ? left.quoteHint : nil
            diagnostics.error("cannot compare \(one.kind) with \(other.kind)", at: node.span, hint: hint)
        }
    }

    private func call(
        _ function: ExpressionFunction, _ arguments: [ExpressionNode], _ diagnostics: inout Diagnostics
    ) -> ExpressionType {
        switch function {
        case .success, .failure, .always: return .bool
        case .startsWith, .endsWith:
            for argument in arguments { expect(.string, argument, &diagnostics) }
            return .bool
        case .contains:
            let whole = type(of: arguments[0], &diagnostics)
            if whole == .string {
                expect(.string, arguments[1], &diagnostics)
            } else {
                _ = type(of: arguments[1], &diagnostics)
            }
            if whole == .bool || whole == .integer || whole == .map {
                diagnostics.error("expected a string or a list, found \(whole.kind)", at: arguments[0].span)
            }
            return .bool
        case .join:
            expect(.list, arguments[0], &diagnostics)
            expect(.string, arguments[1], &diagnostics)
            return .string
        case .format:
            expect(.string, arguments[0], &diagnostics)
            for argument in arguments.dropFirst() { _ = type(of: argument, &diagnostics) }
            checkFormat(arguments, &diagnostics)
            return .string
        case .default:
            let types = arguments.map { type(of: $0, &diagnostics) }
            return types.allSatisfy { $0 == types[0] } ? types[0] : .any
        }
    }
}

extension ExpressionScope {
    /// Reports a literal that a value never equals, so that the condition would silently be false.
    private func checkWord(
        _ node: ExpressionNode, comparedWith value: ExpressionNode, _ diagnostics: inout Diagnostics
    ) {
        // A parameter without a value is compared with the empty string.
        guard case .literal(.string(let text)) = node.tree, !text.isEmpty else { return }
        for prefix in ["refs/heads/", "refs/tags/"] where text.hasPrefix(prefix) && value.isReferenceName {
            diagnostics.error(
                "a name of a branch or tag has no '\(prefix)'", at: node.span,
                hint: "write '\(text.dropFirst(prefix.utf8.count))'")
            return
        }
        guard let (name, words) = words(of: value), !words.contains(text) else { return }
        diagnostics.error(
            "\(name) is never '\(text)'", at: node.span,
            hint: suggestion(for: text, among: words) ?? "expected \(list(words.map { "'\($0)'" }, joinedBy: "or"))")
    }

    /// Returns the name of a value that is one of a few words, and these words.
    private func words(of node: ExpressionNode) -> (name: String, words: [String])? {
        if node.isOutcome { return ("an outcome", StepOutcome.allCases.map(\.rawValue)) }
        if case .context(.item) = node.tree { return itemValues.map { ("'item'", $0) } }
        guard let (context, name) = node.reference else { return nil }
        switch (context, name) {
        case (.platform, "os"): return ("the operating system", ["linux", "macos"])
        case (.platform, "arch"): return ("the architecture", ["x86_64", "arm64"])
        case (.ci, "name"): return ("the name of the CI service", CIService.all.map(\.name))
        case (.parameters, _): return choices[name].map { ("'\(name)'", $0) }
        case (.matrix, _): return axisValues[name].map { ("'matrix.\(name)'", $0) }
        default: return nil
        }
    }

    /// Reports placeholders without an argument if the format is a literal.
    private func checkFormat(_ arguments: [ExpressionNode], _ diagnostics: inout Diagnostics) {
        guard case .literal(.string(let format)) = arguments[0].tree else { return }
        do throws(Diagnostic) {
            _ = try arguments[0].fill(format, with: arguments.dropFirst().map { _ in "" })
        } catch {
            diagnostics.add(error)
        }
    }

    private func checkContext(_ name: ContextName, at span: Span?, _ diagnostics: inout Diagnostics) {
        if let reason = excluded[name] {
            diagnostics.error("'\(name.rawValue)' is not available here", at: span, hint: reason)
        } else if name == .matrix, matrix.isEmpty {
            diagnostics.error("'matrix' is not available here", at: span, hint: "give the lane a 'matrix'")
        } else if name == .item, !hasItem {
            diagnostics.error("'item' is not available here", at: span, hint: "give the step a 'foreach'")
        }
    }

    private func element(
        of base: ExpressionNode, _ key: ExpressionNode, _ node: ExpressionNode, _ diagnostics: inout Diagnostics
    ) -> ExpressionType {
        if case .context(let context) = base.tree, context != .item, context != .arguments {
            guard case .literal(.string(let name)) = key.tree else {
                checkContext(context, at: base.span, &diagnostics)
                expect(.string, key, &diagnostics)
                return .any
            }
            return member(name, of: context, at: key.span, base.span, &diagnostics)
        }
        if case (.steps, let id)? = base.reference, case .literal(.string("outputs")) = key.tree {
            diagnostics.error("outputs are members of the step's id", at: key.span, hint: "write steps.\(id).<name>")
            return .any
        }
        let container = type(of: base, &diagnostics)
        if node.isOutcome { return .string }
        if let type = output(of: base, key, &diagnostics) { return type }
        switch container {
        case .any: _ = type(of: key, &diagnostics)
        case .map: expect(.string, key, &diagnostics)
        case .list: expect(.integer, key, &diagnostics)
        case .bool, .integer, .string:
            diagnostics.error("expected a mapping or a list, found \(container.kind)", at: base.span)
        }
        return .any
    }

    private func member(
        _ name: String, of context: ContextName, at span: Span?, _ contextSpan: Span?, _ diagnostics: inout Diagnostics
    ) -> ExpressionType {
        if excluded[context] != nil || (context == .matrix && matrix.isEmpty) {
            checkContext(context, at: contextSpan, &diagnostics)
            return .any
        }
        switch context {
        case .env, .item, .arguments: return .string
        case .let: return known(values, name, "value", of: .let, at: span, &diagnostics)
        case .parameters: return known(parameters, name, "parameter", at: span, &diagnostics)
        case .matrix: return known(matrix, name, "matrix axis", at: span, &diagnostics)
        case .git, .ci, .platform:
            let members = Dictionary(uniqueKeysWithValues: context.members.map { ($0.name, $0.type) })
            return known(members, name, "value", of: context, at: span, &diagnostics)
        case .steps:
            if steps.contains(name) { return .map }
            if laterSteps.contains(name) {
                diagnostics.error(
                    "step '\(name)' has not finished at this point", at: span, hint: "use it in a later step")
            } else {
                unknown(name, "step with the id", among: Array(steps), at: span, &diagnostics)
            }
            return .any
        }
    }

    /// Returns the type of a step's output, or `nil` if the element is not an output or the step's outputs are unknown.
    private func output(
        of base: ExpressionNode, _ key: ExpressionNode, _ diagnostics: inout Diagnostics
    ) -> ExpressionType? {
        guard case (.steps, let id)? = base.reference, let outputs = outputs[id],
            case .literal(.string(let name)) = key.tree
        else { return nil }
        if let type = outputs[name] { return type }
        let names = outputs.keys.sorted()
        let near = suggestion(for: name, among: names)
        let all = names.isEmpty ? "it has only 'outcome'" : "it has \(list(names.map { "'\($0)'" }, joinedBy: "and"))"
        diagnostics.error("step '\(id)' has no output '\(name)'", at: key.span, hint: near ?? all)
        return .any
    }

    private func known(
        _ members: [String: ExpressionType], _ name: String, _ noun: String, of context: ContextName? = nil,
        at span: Span?, _ diagnostics: inout Diagnostics
    ) -> ExpressionType {
        if let type = members[name] { return type }
        let noun = context.map { "\(noun) in '\($0.rawValue)' named" } ?? noun
        unknown(name, noun, among: Array(members.keys), at: span, &diagnostics)
        return .any
    }

    private func unknown(
        _ name: String, _ noun: String, among names: [String], at span: Span?, _ diagnostics: inout Diagnostics
    ) {
        let names = names.sorted()
        let hint = suggestion(for: name, among: names)
        let all = names.isEmpty || names.count > 12 ? nil : "expected \(list(names, joinedBy: "and"))"
        diagnostics.error("there is no \(noun) '\(name)'", at: span, hint: hint ?? all)
    }
}

extension ExpressionNode {
    /// The hint on a literal that is compared with a string.
    fileprivate var quoteHint: String? {
        switch tree {
        case .literal(.bool(let value)): "put the word in quotes: '\(value)'"
        case .literal(.integer(let value)): "put the number in quotes: '\(value)'"
        default: nil
        }
    }

    /// A Boolean value that indicates whether the node is the name of the branch or of the tag.
    fileprivate var isReferenceName: Bool {
        if case (.git, let name)? = reference { name == "branch" || name == "tag" } else { false }
    }
}

/// The contexts that have no values at a location in a lane file, with the reasons.
package struct ExcludedContexts {
    // The keys are strings, because a dictionary with a key type of its own makes the runtime search all conformances of
    // the program, at each start.
    private var reasons: [String: String] = [:]

    /// The reason why a context has no values, or `nil` if it has values.
    package subscript(context: ContextName) -> String? {
        get { reasons[context.rawValue] }
        set { reasons[context.rawValue] = newValue }
    }
}
