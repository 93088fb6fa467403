import Expressions
import Text

/// The values that are known during planning, for the names of steps.
struct KnownValues {
    private let context: EvaluationContext
    /// The context without hidden values, or `nil` if no value is hidden.
    private let shown: EvaluationContext?

    /// - Parameter hidden: The names of parameters whose values may be secrets, because they may come from the
    ///   environment.
    init(_ group: PlanGroup, hidden: Set<String>) {
        var context = EvaluationContext().inside(group)
        self.context = context
        guard !hidden.isEmpty || !group.hiddenValues.isEmpty else {
            shown = nil
            return
        }
        for name in hidden { context.parameters[name] = nil }
        for name in group.hiddenValues { context.values[name] = nil }
        shown = context
    }

    /// Returns the text with the values of known expressions. Keeps the source of other expressions.
    func text(of template: Template) -> String {
        template.text(replacing: { value(of: $0)?.shownText ?? $0.source })
    }

    /// Returns a shell script with the values of known expressions, quoted as their context requires. Keeps the source of
    /// other expressions.
    func script(of template: Template) -> String {
        var script = ShellScript()
        for part in template.parts {
            switch part {
            case .text(let text): script.append(text)
            case .expression(let expression):
                if let words = value(of: expression)?.shownWords {
                    script.append(values: words)
                } else {
                    script.append(expression.source)
                }
            }
        }
        return script.shown
    }

    /// Returns a Boolean value that indicates whether a template is one word: all its expressions are known, and none is
    /// a list.
    func isWord(_ template: Template) -> Bool {
        template.expressions.allSatisfy { value(of: $0)?.text != nil }
    }

    private func value(of expression: Expression) -> Value? {
        guard !expression.dependsOnStatus, expression.contexts.isSubset(of: LaneKeys.plannedContexts),
            let value = try? expression.evaluate(in: context)
        else { return nil }
        guard let shown else { return value }
        // A result that is the same without the hidden values does not reveal them.
        return (try? expression.evaluate(in: shown)) == value ? value : nil
    }
}

extension Value {
    /// The text of a value in the name of a step, or `nil` for null and mappings. The elements of a list are words in
    /// shell syntax.
    var shownText: String? {
        guard case .list = self else { return text }
        return shownWords.map(ShellWords.line)
    }

    /// The words of a shell script that show a value, or `nil` for null and mappings.
    var shownWords: [String]? {
        guard case .list(let values) = self else { return text.map { [$0] } }
        return values.compactMap(\.text)
    }
}

extension LaneArgument {
    /// Returns a Boolean value that indicates whether the value depends on the environment or on hidden values.
    func isHidden(beside hidden: Set<String>, _ hiddenValues: Set<String>) -> Bool {
        let contexts = node.expressions.contexts
        return contexts.contains(.env) || !hidden.isEmpty && contexts.contains(.parameters)
            || !hiddenValues.isEmpty && contexts.contains(.let)
    }
}

extension SettingsTemplate {
    /// Returns the command of a `run` step on one line, with values from `known` in place of expressions.
    func headline(_ known: KnownValues?) -> String? {
        guard action?.name == "run", let node = members["command"] else { return nil }
        let text: String
        switch node {
        case .list(let nodes):
            // Bytes are faster than strings, and every step of a plan has a headline.
            var words: [UInt8] = []
            words.reserveCapacity(64)
            for index in nodes.indices {
                if index > 0 { words.append(UInt8(ascii: " ")) }
                nodes[index].appendWord(to: &words, known)
            }
            text = String(decoding: words, as: UTF8.self)
        case .map: return nil
        case .value: text = node.shownText(known)
        case .template(let template): text = template.constant ?? known?.script(of: template) ?? ""
        }
        return ScriptHeadline(text).text
    }
}

extension SettingsTemplate.Node {
    /// Appends the value in shell syntax. Keeps the source of unknown expressions.
    fileprivate func appendWord(to words: inout [UInt8], _ known: KnownValues?) {
        let text = shownText(known)
        // An unknown expression is not quoted, although its source may contain spaces. The words of a list already are.
        if case .template(let template) = self, template.constant == nil, known?.isWord(template) != true {
            words += text.utf8
        } else {
            words.appendShellQuoted(text)
        }
    }

    func shownText(_ known: KnownValues?) -> String {
        switch self {
        case .value(let value): value.text ?? ""
        case .template(let template): template.constant ?? known?.text(of: template) ?? ""
        case .list, .map: ""
        }
    }
}
