import Expressions
import Text

/// The values of a step's `foreach`, which are known during planning.
struct StepItems: Sendable {
    /// The kind of values.
    package enum Kind: Sendable {
        /// A list of values, or an expression that evaluates to a list or to lines of text.
        case values
        /// Globs whose matching files are the values.
        case files
    }

    let kind: Kind
    let node: SettingsTemplate.Node
    /// The location of the values.
    let span: Span?

    /// The values if the lane file lists them as words, or `nil` if there is none, one has several lines, or they are known
    /// only during planning.
    var words: [String]? {
        guard kind == .values, case .list(let values)? = node.constant else { return nil }
        let texts = values.map { $0.text ?? "" }
        return texts.isEmpty || texts.contains { $0.contains(where: \.isNewline) } ? nil : texts
    }

    /// Returns the values, or the globs. Each nonempty line of a text is one value.
    func texts(in context: EvaluationContext) throws(Diagnostics) -> [String] {
        try requireElements(in: context)
        let texts = try node.evaluate(as: .list(.string), in: context)?.texts ?? []
        guard case .template = node else { return texts }
        return texts.flatMap { text in
            text.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
        }
    }

    /// Throws an error for an element of a list that has no value. A list as a whole may be missing.
    private func requireElements(in context: EvaluationContext) throws(Diagnostics) {
        guard case .list(let nodes) = node else { return }
        do {
            for case .template(let element) in nodes where try element.evaluate(in: context) == .null {
                for case .expression(let expression) in element.parts { _ = try expression.text(in: context) }
            }
        } catch {
            throw Diagnostics([error])
        }
    }
}

extension Lane {
    /// A Boolean value that indicates whether a step has `foreach`.
    var hasItems: Bool {
        var found = false
        forEachStep { if $0.items != nil { found = true } }
        return found
    }
}

extension Step {
    /// Returns the steps with one step for each value of a `foreach`.
    ///
    /// - Parameter values: Returns the values of a step.
    static func forEachItem(
        in steps: [Step], _ values: (StepItems) throws(Diagnostics) -> [String]
    ) throws(Diagnostics) -> [Step] {
        var result: [Step] = []
        for step in steps {
            if case .parallel(let members) = step.content {
                var step = step
                step.content = .parallel(try forEachItem(in: members, values))
                result.append(step)
            } else if let items = step.items {
                for (index, item) in try values(items).enumerated() {
                    result.append(step.replacingItem(with: item, number: index + 1))
                }
            } else {
                result.append(step)
            }
        }
        return result
    }

    private func replacingItem(with item: String, number: Int) -> Step {
        var step = self
        step.item = item
        step.items = nil
        step.series = id
        step.id = id.map { "\($0)[\(number)]" }
        step.name = name?.replacingItem(with: item)
        step.condition = condition?.replacingItem(with: item)
        step.environment = environment.map { ($0.name, $0.value.replacingItem(with: item)) }
        step.directory = directory?.replacingItem(with: item)
        step.files.inputs = files.inputs.map { $0.replacingItem(with: item) }
        step.files.outputs = files.outputs.map { $0.replacingItem(with: item) }
        switch content {
        case .action(let kind, let settings):
            let members = settings.members.map { $0.replacingItem(with: item) }
            step.content = .action(
                kind, SettingsTemplate(members: members, action: settings.action, span: settings.span))
        case .lane(var call):
            call.arguments = call.arguments.map { argument in
                LaneArgument(
                    name: argument.name, node: argument.node.replacingItem(with: item), nameSpan: argument.nameSpan,
                    valueSpan: argument.valueSpan)
            }
            step.content = .lane(call)
        case .parallel: break
        }
        return step
    }
}

extension SettingsTemplate.Member {
    fileprivate func replacingItem(with item: String) -> Self {
        Self(name: name, node: node.replacingItem(with: item))
    }
}

extension SettingsTemplate.Node {
    fileprivate func replacingItem(with item: String) -> Self {
        switch self {
        case .value: self
        case .template(let template): .template(template.replacingItem(with: item))
        case .list(let nodes): .list(nodes.map { $0.replacingItem(with: item) })
        case .map(let members): .map(members.map { $0.replacingItem(with: item) })
        }
    }
}
