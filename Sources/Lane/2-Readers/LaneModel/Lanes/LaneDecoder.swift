import Expressions
import Text
import YAML

/// A decoder of one lane file. It reports all errors and decodes all valid parts.
struct LaneDecoder {
    /// The custom actions that steps can use.
    let actions: AvailableActions
    /// The name of the import that contains the file, or `nil` for a file of the package.
    let origin: String?
    /// A Boolean value that indicates whether other lanes include the file.
    let isShared: Bool
    var settings = SettingDecoder(scope: ExpressionScope())
    var lane: Lane
    /// The lane with only the elements of included files.
    private var included: Lane
    /// The location of each step ID.
    var ids: [String: Span?] = [:]
    /// The names of the lanes in files, for hints.
    let laneNames: [String]

    init(
        name: String, file: SourceFile, origin: String? = nil, actions: AvailableActions, isShared: Bool,
        laneNames: [String] = []
    ) {
        self.actions = actions
        self.laneNames = laneNames
        self.origin = origin
        self.isShared = isShared
        lane = Lane(name: name, span: Span(file: file, range: 0..<0))
        included = lane
    }

    var diagnostics: Diagnostics { settings.diagnostics }

    mutating func error(_ message: String, at span: Span?, hint: String? = nil, note: Diagnostic.Note? = nil) {
        settings.diagnostics.error(message, at: span, hint: hint, note: note)
    }

    mutating func warning(_ message: String, at span: Span?, hint: String? = nil) {
        settings.diagnostics.warning(message, at: span, hint: hint)
    }

    /// Reports a value of another kind than expected.
    mutating func wrong(_ member: YAMLMember, expected: String, hint: String? = nil) {
        error(
            "expected \(expected), found \(member.value.kind)", at: member.value.span(or: member.nameSpan), hint: hint)
    }

    /// Decodes the file with the decoded files that it includes.
    mutating func decode(_ node: YAMLNode, including included: [Lane]) {
        guard let members = node.members else {
            error(
                "expected a mapping with the keys of a lane, found \(node.kind)", at: node.span,
                hint: "a lane starts with 'summary:' or 'steps:'")
            return
        }
        for other in included { include(other) }
        self.included = lane
        collectIDs(members)
        settings.scope.excluded[.steps] = "steps have not run yet"
        // Indices avoid copies of the keys that the file does not have.
        for index in LaneKeys.ofLane.indices {
            guard let member = members[LaneKeys.ofLane[index].schema.name] else { continue }
            let key = LaneKeys.ofLane[index]
            if isShared, !key.isShared {
                error(
                    "'\(member.name)' is not allowed in an included file", at: member.nameSpan,
                    hint: member.name == "steps" ? "move the steps to a lane that the others name in 'needs'" : nil)
            }
            key.decode?(&self, member)
        }
        checkNames(of: members)
        if !isShared { checkWhole(members, node) }
    }

    /// The lane without the elements of included files.
    var ownPart: Lane {
        var own = lane
        own.parameters.removeFirst(included.parameters.count)
        own.values.removeFirst(included.values.count)
        own.environment.removeFirst(included.environment.count)
        own.dotenv.removeFirst(included.dotenv.count)
        own.secrets.removeFirst(included.secrets.count)
        own.onFailure.removeFirst(included.onFailure.count)
        own.always.removeFirst(included.always.count)
        return own
    }

    private mutating func include(_ other: Lane) {
        lane.files.append(other.name)
        lane.parameters += other.parameters
        for parameter in other.parameters { declare(parameter) }
        lane.values += other.values
        for value in other.values { settings.scope.values[value.name] = value.type }
        lane.environment += other.environment
        lane.dotenv += other.dotenv
        lane.secrets += other.secrets
        lane.onFailure += other.onFailure
        lane.always += other.always
    }

    private mutating func checkNames(of members: [YAMLMember]) {
        let empty = members.filter(\.value.isNull)
        for member in members where !LaneKeys.lane.contains(where: { $0.name == member.name }) {
            let isLane = member.value["steps"] != nil
            unknown(
                member, of: "a lane", among: LaneKeys.lane.map(\.name), foreign: LaneKeys.foreignInLanes, empty: empty,
                otherwise: isLane ? "each lane has a file of its own, such as 'Lanes/\(member.name).yml'" : nil)
        }
    }

    private mutating func checkWhole(_ members: [YAMLMember], _ node: YAMLNode) {
        if !lane.isTransaction, let then = members["then"] {
            error(
                "'then' without 'transaction: true'", at: then.nameSpan, hint: "move these steps to the end of 'steps'")
        }
        if lane.isTransaction, let matrix = members["matrix"] {
            error("a transaction cannot have a matrix", at: matrix.nameSpan)
        }
        if lane.isDefault, lane.isPrivate, let member = members["default"] {
            error("a private lane cannot be the default", at: member.nameSpan, hint: "remove one of the keys")
        }
        checkPublishing()
        checkDirectory()
        lane.shareSettings()
        if members["steps"] == nil, members["needs"] == nil, !settings.diagnostics.hasErrors {
            error("the lane has neither 'steps' nor 'needs'", at: members.first?.nameSpan ?? node.span)
        }
    }

    /// Reports an unknown key.
    ///
    /// - Parameter empty: The members of the same mapping without a value. The unknown key may belong to one of them.
    mutating func unknown(
        _ member: YAMLMember, of owner: String, among names: [String], foreign: [String: String] = [:],
        empty: [YAMLMember] = [], otherwise hint: String? = nil
    ) {
        let word = kebabCase(member.name)
        let near =
            (names.contains(word) ? nil : foreign[word] ?? LaneKeys.foreign[word])
            ?? suggestion(for: word, among: names)
        error(
            "unknown key '\(member.name)' in \(owner)", at: member.nameSpan,
            hint: near ?? indentationHint(for: member, after: empty) ?? hint
                ?? "the keys are \(list(names, joinedBy: "and"))")
    }

    /// Returns the hint on a key that belongs into the empty value before it, or that starts with an invisible
    /// character.
    private func indentationHint(for member: YAMLMember, after empty: [YAMLMember]) -> String? {
        if let first = member.name.unicodeScalars.first, !first.isASCII,
            first.properties.isWhitespace || first.properties.generalCategory == .format
        {
            return "replace the invisible character at its start with spaces"
        }
        guard let start = member.nameSpan?.range.lowerBound else { return nil }
        let before = empty.last { before in
            guard before.nameSpan.map({ $0.range.lowerBound < start }) ?? false else { return false }
            return actions[before.name].map { $0.schema.setting(member.name) != nil }
                ?? (LaneKeys.lane + LaneKeys.step).contains { key in
                    if case .map = key.type { key.name == before.name } else { false }
                }
        }
        return before.map { "indent it more than '\($0.name)' to set it there" }
    }

    /// Returns a key of another tool, such as `dependsOn` or `on_error`, in the form of the keys of lane files.
    private func kebabCase(_ key: String) -> String {
        if !key.contains(where: \.isLowercase) { return key.lowercased().replacing("_", with: "-") }
        return key.map { $0 == "_" ? "-" : $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
    }
}

/// Functions that decode values without expressions.
extension LaneDecoder {
    private mutating func constant(_ member: YAMLMember, _ type: SettingType) -> Value? {
        constant(member.value, type, keySpan: member.nameSpan)
    }

    mutating func constant(_ node: YAMLNode, _ type: SettingType, keySpan: Span?, hint: String? = nil) -> Value? {
        if let expression = expression(in: node) {
            let isAll = expression.span == node.span
            reject(expression, expected: isAll ? type.kind : "a value without expressions", hint: hint)
            return nil
        }
        return settings.decode(node, type, keySpan: keySpan).flatMap(\.constant)
    }

    mutating func reject(_ expression: YAMLNode, expected: String, hint: String? = nil) {
        error(
            "expected \(expected), found an expression", at: expression.span,
            hint: hint ?? "the value must be known before anything runs")
    }

    /// Returns the first scalar with an expression in a value of any depth.
    func expression(in node: YAMLNode) -> YAMLNode? {
        if let text = node.scalar?.text { return Template.isTemplate(text) ? node : nil }
        let children = node.sequence ?? node.members?.map(\.value) ?? []
        return children.lazy.compactMap { expression(in: $0) }.first
    }

    mutating func text(_ member: YAMLMember) -> String? {
        constant(member, .string)?.text
    }

    /// Decodes a text that is shown on one line.
    mutating func line(_ member: YAMLMember) -> String? { text(member).map(TerminalText.onOneLine) }

    /// Decodes `confirm`.
    mutating func question(_ member: YAMLMember) -> String? {
        guard case .bool? = member.value.scalar?.meaning else { return line(member) }
        wrong(member, expected: "a question", hint: "for example 'confirm: Deploy to production?'")
        return nil
    }

    mutating func bool(_ member: YAMLMember) -> Bool { constant(member, .bool) == .bool(true) }

    mutating func duration(_ member: YAMLMember, _ type: SettingType = .duration) -> Duration? {
        constant(member, type)?.text.flatMap { Duration(written: $0) }
    }

    mutating func retry(_ member: YAMLMember) -> Retry? {
        switch constant(member, .either([.integer(0...100), .object(LaneKeys.retry)])) {
        case .integer(let times): return Retry(times: times)
        case .map(let members)?:
            let value = Value.map(members)
            guard case .integer(let times)? = value["times"] else { return nil }
            var statuses: [Int] = []
            if case .list(let values)? = value["statuses"] {
                statuses = values.compactMap { if case .integer(let status) = $0 { status } else { nil } }
            }
            let backoff = value["backoff"]?.text.flatMap { Duration(written: $0) }
            return Retry(times: times, backoff: backoff ?? .zero, statuses: statuses)
        default: return nil
        }
    }

    mutating func dotenv(_ member: YAMLMember) -> [DotEnvFile] {
        member.value.elements.compactMap { node in
            let hint = "parameters can have defaults from these files; read another one in the script: '. ./FILE'"
            switch constant(node, .either([.path, .object(LaneKeys.dotenv)]), keySpan: member.nameSpan, hint: hint) {
            case .string(let path): return DotEnvFile(path: path, span: node.span)
            case .map(let members)?:
                let value = Value.map(members)
                guard let path = value["path"]?.text else { return nil }
                return DotEnvFile(path: path, isOptional: value["optional"] == .bool(true), span: node["path"]?.span)
            default: return nil
            }
        }
    }

    /// Reports a text that is not a valid name of an environment variable. Returns a Boolean value that indicates
    /// whether it is valid.
    mutating func checkVariable(_ name: String, at span: Span?) -> Bool {
        let isName =
            name.utf8.allSatisfy(\.isIdentifierContinuation) && name.utf8.first?.isIdentifierStart == true
        if !isName {
            error(
                "'\(name)' is not a valid name for an environment variable", at: span,
                hint: "use letters, digits and '_'")
        }
        return isName
    }

    mutating func environment(_ member: YAMLMember) -> [(name: String, value: Template)] {
        guard let members = member.value.members else {
            wrong(
                member, expected: "a mapping of names and values", hint: "write 'NAME: value', without '-' before it")
            return []
        }
        return members.compactMap { member in
            guard checkVariable(member.name, at: member.nameSpan) else { return nil }
            // `true` and `false` have the same text in all versions of YAML.
            if case .bool(let value)? = member.value.scalar?.meaning { return (member.name, Template("\(value)")) }
            switch settings.decode(member.value, .string, keySpan: member.nameSpan) {
            case .template(let template): return (member.name, template)
            case .value(let value):
                let text = value.text ?? ""
                checkExpansion(of: text, in: member)
                if text.utf8.contains(0) {
                    error("the value of '\(member.name)' contains NUL", at: member.value.span(or: member.nameSpan))
                }
                return (member.name, Template(text))
            case .list, .map, nil: return nil
            }
        }
    }

    /// Warns of a value that a shell would expand, such as `$HOME/bin`. No shell reads it here.
    private mutating func checkExpansion(of text: String, in member: YAMLMember) {
        let starts = [
            "~/": "env.HOME", "$HOME": "env.HOME", "${HOME}": "env.HOME", "$PATH": "env.PATH", "${PATH}": "env.PATH",
        ]
        let found = starts.first { start, _ in
            text.hasPrefix(start)
                && (start.hasPrefix("~") || start.hasSuffix("}")
                    || text.dropFirst(start.count).utf8.first?.isIdentifierContinuation != true)
        }
        guard let (start, value) = found else {
            // A variable that extends itself, such as `PATH: bin:$PATH`. Only PATH surely has a value.
            for own in ["${\(member.name)}", "$\(member.name)"] where text.hasSuffix(own) {
                warning(
                    "no shell replaces '\(own)' in the value of '\(member.name)'",
                    at: member.value.span(or: member.nameSpan),
                    hint: member.name == "PATH" ? "write '\(text.dropLast(own.count))${{ env.PATH }}'" : nil)
            }
            return
        }
        let rest = start == "~/" ? "/" + text.dropFirst(2) : String(text.dropFirst(start.utf8.count))
        warning(
            "no shell replaces '\(start)' in the value of '\(member.name)'", at: member.value.span(or: member.nameSpan),
            hint: "write '${{ \(value) }}\(rest)'")
    }

    mutating func condition(_ member: YAMLMember) -> Expression? {
        guard let scalar = member.value.scalar, scalar.meaning != .null else {
            wrong(member, expected: "a condition")
            return nil
        }
        do {
            let condition = try Expression(condition: member.value)
            settings.scope.check(condition: condition, into: &settings.diagnostics)
            return condition
        } catch {
            settings.diagnostics.add(error)
            return nil
        }
    }
}

extension SettingsTemplate.Node {
    /// The value if it contains no expression.
    var constant: Value? {
        switch self {
        case .value(let value): return value
        case .template(let template): return template.constant.map { .string($0) }
        case .list(let nodes):
            let values = nodes.compactMap(\.constant)
            return values.count == nodes.count ? .list(values) : nil
        case .map(let members):
            let values = members.compactMap { member in member.node.constant.map { (name: member.name, value: $0) } }
            return values.count == members.count ? .map(values) : nil
        }
    }
}
