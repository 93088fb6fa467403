import Expressions
import Text
import YAML

extension LaneDecoder {
    /// Collects all step IDs. A reference to a later step has a different error than a reference to an unknown step.
    mutating func collectIDs(_ members: [YAMLMember]) {
        for member in members where LaneKeys.lane.contains(where: { $0.name == member.name && $0.type == .list(.step) })
        {
            for node in member.value.sequence ?? [] {
                Self.forEachID(of: node) { settings.scope.laterSteps.insert($0) }
            }
        }
    }

    /// Calls `body` with the IDs of a step and of its parallel steps, including invalid IDs.
    private static func forEachID(of step: YAMLNode, _ body: (String) -> Void) {
        if let id = step["id"]?.scalar?.text { body(id) }
        for member in step["parallel"]?.sequence ?? [] {
            if let id = member["id"]?.scalar?.text { body(id) }
        }
    }

    /// Decodes `before-all`. These steps of an import never run and are not an error.
    mutating func decodeBeforeAll(_ member: YAMLMember) {
        if lane.name != origin.map({ "\($0)/\(LaneKeys.package)" }) ?? LaneKeys.package {
            error(
                "'before-all' is not allowed in this file", at: member.nameSpan,
                hint: "move it to 'Lanes/\(LaneKeys.package).yml', or use 'needs'")
        }
        let steps = steps(member)
        if lane.name == LaneKeys.package { lane.steps = steps }
    }

    mutating func steps(_ member: YAMLMember) -> [Step] {
        settings.scope.excluded[.steps] = nil
        guard let nodes = member.value.sequence else {
            wrong(member, expected: "a list of steps", hint: "start each step with '- '")
            return []
        }
        var steps: [Step] = []
        steps.reserveCapacity(nodes.count)
        for node in nodes {
            if let step = step(node) {
                steps.append(step)
                addOutputs(of: step)
            }
            // Later steps can read the outputs. An invalid step is reported once and not for each reference.
            Self.forEachID(of: node) { settings.scope.steps.insert($0) }
        }
        return steps
    }

    /// Adds the outputs of a step to the scope of later expressions.
    private mutating func addOutputs(of step: Step) {
        switch step.content {
        case .action(_, let template):
            guard let id = step.id, let outputs = template.action?.outputs else { return }
            // Each output of a 'foreach' step is a list.
            let types = outputs.map { ($0.name, step.items == nil ? $0.type : .list) }
            settings.scope.outputs[id] = Dictionary(types) { first, _ in first }
        case .parallel(let steps): for step in steps { addOutputs(of: step) }
        case .lane: break
        }
    }

    private mutating func step(_ node: YAMLNode, isInParallel: Bool = false) -> Step? {
        guard let members = node.members else {
            error("expected a step, found \(node.kind)", at: node.span, hint: stepHint(node))
            return nil
        }
        settings.scope.hasItem = false
        let items = foreach(members)
        settings.scope.hasItem = members["foreach"] != nil
        settings.scope.itemValues = items?.words
        defer {
            settings.scope.hasItem = false
            settings.scope.itemValues = nil
        }
        guard let action = action(of: members, node),
            let content = content(action, among: members, isInParallel: isInParallel)
        else {
            return nil
        }
        var step = Step(content: content, span: action.nameSpan)
        step.items = items
        let allowed = LaneKeys.outerStep(action.name)
        let refused = action.name == BuiltInAction.service.name ? ["inputs", "outputs"] : []
        for index in members.indices where members[index].name != action.name {
            let isOfLane = allowed == nil && members[index].name == "parameters"
            // Unknown keys are already reported.
            let isKnown = role(of: members[index].name) != .unknown
            let isAllowed = allowed?.contains(members[index].name) ?? !refused.contains(members[index].name)
            if isOfLane || isKnown && !isAllowed {
                error(
                    "'\(members[index].name)' has no effect in a '\(action.name)' step", at: members[index].nameSpan,
                    hint: hint(on: members[index].name, in: action.name))
            } else {
                let key = LaneKeys.ofStep.firstIndex { $0.schema.name == members[index].name }
                if let key { LaneKeys.ofStep[key].decode?(&self, members[index], &step) }
            }
        }
        return step
    }

    /// Returns the hint on a key that has no effect in a step.
    private func hint(on key: String, in action: String) -> String {
        if action == BuiltInAction.service.name { return "remove it: a service starts in every run" }
        if key == "parameters" { return "only a 'lane' step has parameters" }
        if action != "lane" { return "move it to the inner steps" }
        if key == "id" { return "a 'lane' step has no outputs; give the 'id' to a step of the lane" }
        let isOfLanes = key != "secrets" && LaneKeys.lane.contains { $0.name == key }
        return isOfLanes ? "move it to the lane" : "move it to the steps of the lane"
    }

    private func stepHint(_ node: YAMLNode) -> String {
        if let text = node.scalar?.text, text == "lane" || actions[text] != nil { return "write '\(text): {}'" }
        guard let text = node.scalar?.text, text.count <= 60, !text.contains("\n") else {
            return "a step is a mapping with one action, for example 'run: echo hello'"
        }
        if isLane(text) { return "write 'lane: \(text)'" }
        // A colon is missing, has no space after it, or is in quotes.
        let words = text.split(maxSplits: 1) { $0 == " " || $0 == ":" }
        guard words.count == 2, actions[String(words[0])] != nil else {
            return "write 'run: \(text)' for a command"
        }
        return "write '\(words[0]): \(words[1].drop(while: \.isWhitespace))'"
    }

    private func isLane(_ name: String) -> Bool { laneNames.contains(name) || BuiltInLanes.names.contains(name) }

    /// The role of a member of a step.
    private enum Role {
        case action, key, unknown
    }

    private func role(of name: String) -> Role {
        if LaneKeys.stepNames.contains(name) { return name == "parallel" || actions[name] != nil ? .action : .key }
        return name == "lane" || actions[name] != nil || actions.lacksDescription(name) ? .action : .unknown
    }

    /// Returns the member with the step's action. Reports unknown members and further actions.
    private mutating func action(of members: [YAMLMember], _ node: YAMLNode) -> YAMLMember? {
        var found: Int?
        var isUnknown = false
        for index in members.indices {
            let role = role(of: members[index].name)
            if role == .key { continue }
            let member = members[index]
            if role == .action {
                guard let first = found else {
                    found = index
                    continue
                }
                isUnknown = true
                // A duplicate key is already reported.
                if members[first].name == member.name { continue }
                error(
                    "expected one action in a step, found '\(members[first].name)' and '\(member.name)'",
                    at: member.nameSpan, hint: "start a new step with '- \(member.name):'")
            } else {
                isUnknown = true
                let isCall = members["lane"] != nil
                var hint = isCall ? "set it in 'parameters: { \(member.name): … }'" : nil
                if isLane(member.name) { hint = "write 'lane: \(member.name)'" }
                if members.count == 1, LaneKeys.programs.contains(member.name) {
                    hint = "write 'run: \(member.name) …'"
                }
                unknown(
                    member, of: "a step", among: LaneKeys.step.map(\.name) + actions.names,
                    foreign: isCall ? ["with": "use 'parameters'"] : LaneKeys.foreignInSteps,
                    empty: members.filter(\.value.isNull), otherwise: hint)
            }
        }
        if found == nil, !isUnknown {
            error(
                "the step has no action", at: members.first?.nameSpan ?? node.span,
                hint: "the actions are \(list(actions.names, joinedBy: "and"))")
        }
        return found.map { members[$0] }
    }

    private mutating func content(
        _ member: YAMLMember, among members: [YAMLMember], isInParallel: Bool
    ) -> Step.Content? {
        if member.name == "parallel" {
            guard !isInParallel else {
                error("'parallel' inside 'parallel'", at: member.nameSpan, hint: "these steps already run in parallel")
                return nil
            }
            return parallel(member)
        }
        if member.name == "lane" { return call(member, among: members).map { .lane($0) } }
        guard let (kind, schema) = actions[member.name] else {
            lane.hasUndescribedAction = true
            return nil
        }
        if kind == .builtIn(.run) { checkCommand(member) }
        if kind == .builtIn(.service) { checkService(member) }
        return .action(kind, settings.decode(schema, member.value))
    }

    private mutating func parallel(_ member: YAMLMember) -> Step.Content? {
        guard let nodes = member.value.sequence, !nodes.isEmpty else {
            error(
                "expected a list of steps, found \(member.value.sequence == nil ? member.value.kind : "an empty one")",
                at: member.value.span(or: member.nameSpan))
            return nil
        }
        var steps: [Step] = []
        steps.reserveCapacity(nodes.count)
        for node in nodes {
            if let step = step(node, isInParallel: true) { steps.append(step) }
        }
        return .parallel(steps)
    }

    /// Decodes the name of a step, which must be known before the run.
    mutating func name(_ member: YAMLMember) -> SettingsTemplate.Node? {
        let excluded = settings.scope.excluded
        defer { settings.scope.excluded = excluded }
        for context in ContextName.allCases where !LaneKeys.plannedContexts.contains(context) {
            settings.scope.excluded[context] = "a name can use 'parameters', 'let', 'matrix', 'item' and 'platform'"
        }
        return settings.decode(member.value, .string, keySpan: member.nameSpan)
    }

    mutating func id(_ member: YAMLMember) -> String? {
        guard let id = text(member) else { return nil }
        guard Expression.isName(id) else {
            error("'\(id)' is not a valid id", at: member.value.span, hint: "use letters, digits, '-' and '_'")
            return nil
        }
        if let first = ids[id] {
            error("two steps have the id '\(id)'", at: member.value.span, note: .init("first used here", at: first))
            return nil
        }
        ids[id] = member.value.span
        lane.stepIDs.insert(id)
        return id
    }

    mutating func decodeInputs(_ member: YAMLMember, into files: inout StepFiles) {
        defer { refuseExclusions(files.inputs) }
        let elements = member.value.elements
        guard elements.contains(where: { $0.members != nil }) else {
            files.inputs = templates(member)
            return
        }
        for element in elements {
            let node = settings.decode(element, .either([.path, .object(LaneKeys.input)]), keySpan: member.nameSpan)
            guard case .map(let keys)? = node else {
                Self.append(node, at: element.span, to: &files.inputs)
                continue
            }
            if let optional = element["optional"], let expression = expression(in: optional) {
                reject(expression, expected: "true or false")
            }
            if keys["optional"]?.constant == .bool(true) { files.optionalInputs.insert(files.inputs.count) }
            Self.append(keys["path"], at: element["path"]?.span, to: &files.inputs)
        }
    }

    /// Reports patterns such as `!Sources/Generated/**`, which exclude files in other tools.
    private mutating func refuseExclusions(_ inputs: [Template]) {
        for input in inputs {
            guard case .text(let text)? = input.parts.first, text.hasPrefix("!") else { continue }
            error(
                "expected an input, found the exclusion '\(text)'", at: input.span,
                hint: "list only the files and directories that count")
        }
    }

    mutating func templates(_ member: YAMLMember) -> [Template] {
        var templates: [Template] = []
        if let elements = member.value.sequence {
            // Decoding each element separately is faster than decoding a list.
            templates.reserveCapacity(elements.count)
            for element in elements { Self.append(settings.decode(element, .path), at: element.span, to: &templates) }
        } else if member.name == "outputs", member.value.members != nil {
            error(
                "expected a list of files, found a mapping", at: member.value.span,
                hint: "a step writes NAME=value to \"$LANE_OUTPUT\" for later steps")
        } else {
            let node = settings.decode(member.value, .list(.path), keySpan: member.nameSpan)
            Self.append(node, at: member.value.span, to: &templates)
        }
        return templates
    }

    private static func append(_ node: SettingsTemplate.Node?, at span: Span?, to templates: inout [Template]) {
        switch node {
        case .template(let template)?: templates.append(template)
        case .value(let value)?: if let text = value.text { templates.append(Template(text, span: span)) }
        case .list(let nodes)?: for node in nodes { append(node, at: span, to: &templates) }
        case .map, nil: break
        }
    }
}

extension LaneDecoder {
    /// Warns of a text such as `a, b`, `a b` or `1..3`, which is one value.
    private mutating func warnOfSeveralValues(in node: YAMLNode) {
        guard let text = node.scalar?.text, !text.contains("${{"), !text.contains("*") else { return }
        var words = text.split { $0 == "," || $0.isWhitespace }.map(String.init)
        let ends = text.parts(separatedBy: "..").compactMap { Int($0) }
        if ends.count == 2, ends[0] < ends[1], UInt(bitPattern: ends[1] &- ends[0]) < 20 {
            words = (ends[0]...ends[1]).map(String.init)
        }
        guard words.count > 1 else { return }
        warning(
            "'\(TerminalText.onOneLine(text))' is one value", at: node.span,
            hint: "write a list: [\(words.joined(separator: ", "))]")
    }

    /// Returns the values of `foreach`, or `nil` if the step has none.
    mutating func foreach(_ members: [YAMLMember]) -> StepItems? {
        guard let member = members["foreach"] else { return nil }
        let excluded = settings.scope.excluded
        defer { settings.scope.excluded = excluded }
        settings.scope.excluded[.steps] = "the values are computed before the first step"
        if let nodes = member.value.sequence {
            if nodes.isEmpty {
                error("expected a list of values, found an empty one", at: member.value.span)
            } else if nodes.count > Self.maximumCombinations {
                error("'foreach' has more than \(Self.maximumCombinations) values", at: member.nameSpan)
            }
        }
        if let text = member.value.scalar?.text, text.contains("*"), text.contains("/"), !text.contains("${{") {
            warning(
                "'\(text)' is one value, not the files that match it", at: member.value.span,
                hint: "write \(inQuotes("foreach: { files: \(YAMLWriter.quoted(text)) }"))")
        }
        warnOfSeveralValues(in: member.value)
        guard let keys = member.value.members else {
            return settings.decode(member.value, .list(.string), keySpan: member.nameSpan).map {
                StepItems(kind: .values, node: $0, span: member.value.span)
            }
        }
        let files = settings.decode(keys, LaneKeys.items, of: "foreach", at: member.value.span)
        return files.first.map { StepItems(kind: .files, node: $0.node, span: member.value.span) }
    }
}

extension LaneDecoder {
    /// Decodes a working directory.
    mutating func directory(_ member: YAMLMember) -> Template? {
        switch settings.decode(member.value, .path, keySpan: member.nameSpan) {
        case .template(let template)?: return template
        case .value(let value)?: return value.text.map { Template($0, span: member.value.span) }
        case .list, .map, nil: return nil
        }
    }

    /// Decodes the working directory of a step. Reports a directory that the action would ignore.
    mutating func directory(_ member: YAMLMember, of content: Step.Content) -> Template? {
        if case .action(.builtIn(let action), let template) = content {
            guard action.hasDirectory else {
                error(
                    "'directory' has no effect in a '\(action.name)' step", at: member.nameSpan,
                    hint: "only 'run', 'service', 'test' and custom actions have one")
                return nil
            }
            if template.members["directory"] != nil {
                error(
                    "the step and its '\(action.name)' both have a 'directory'", at: member.nameSpan,
                    hint: "remove one of them")
            }
        }
        return directory(member)
    }

    /// Reports steps that ignore the working directory of the lane. Steps of included files are not reported.
    mutating func checkDirectory() {
        guard lane.directory != nil else { return }
        ownPart.forEachStep { step in
            guard case .action(.builtIn(let action), _) = step.content, !action.hasDirectory else { return }
            error(
                "'\(action.name)' ignores the lane's 'directory'", at: step.span,
                hint: "set 'directory' in the steps that need it")
        }
    }
}
