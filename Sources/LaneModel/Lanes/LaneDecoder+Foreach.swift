import Diagnostics
import Expressions
import YAML

extension LaneDecoder {
    /// Returns the values of `foreach`, or `nil` if the step has none.
    mutating func foreach(_ members: [YAMLMember]) -> [String]? {
        guard let member = members.first(where: { $0.name == "foreach" }) else { return nil }
        let items = texts(member)
        if member.value.sequence?.isEmpty == true {
            settings.diagnostics.error("expected a list of values, found an empty one", at: member.value.span)
        } else if items.count > Self.maximumCombinations {
            settings.diagnostics.error(
                "'foreach' has more than \(Self.maximumCombinations) values", at: member.nameSpan)
        }
        if let id = members.first(where: { $0.name == "id" }) {
            settings.diagnostics.error(
                "a step with 'foreach' cannot have an 'id'", at: id.nameSpan,
                hint: "its outputs have no distinct names; write one step for each value")
        }
        return items
    }
}

extension Lane {
    /// The lane with one step for each value of a `foreach`. It is made after all checks, which report each step once.
    var forEachItem: Lane {
        guard (steps + then + onFailure + always).contains(where: \.hasItems) else { return self }
        var lane = self
        lane.steps = steps.flatMap(\.forEachItem)
        lane.then = then.flatMap(\.forEachItem)
        lane.onFailure = onFailure.flatMap(\.forEachItem)
        lane.always = always.flatMap(\.forEachItem)
        return lane
    }
}

extension Step {
    fileprivate var hasItems: Bool {
        if case .parallel(let members) = content { members.contains(where: \.hasItems) } else { items != nil }
    }

    fileprivate var forEachItem: [Step] {
        if case .parallel(let members) = content {
            var step = self
            step.content = .parallel(members.flatMap(\.forEachItem))
            return [step]
        }
        return items.map { $0.map(replacingItem) } ?? [self]
    }

    private func replacingItem(with item: String) -> Step {
        var step = self
        step.item = item
        step.items = nil
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
