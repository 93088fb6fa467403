import Expressions
import Text
import YAML

extension LaneDecoder {
    private typealias Combination = [(name: String, value: Value)]

    /// The maximum number of combinations. A larger number is probably a mistake.
    static let maximumCombinations = 256

    /// Decodes a matrix: the product of its axes without `exclude`, and with `include`.
    mutating func decodeMatrix(_ member: YAMLMember) {
        guard let members = member.value.members, !members.isEmpty else {
            return wrong(
                member, expected: "a mapping of names and lists", hint: "for example 'swift: [\"6.1\", \"6.2\"]'")
        }
        var combinations: [Combination] = [[]]
        for axis in members where axis.name != "include" && axis.name != "exclude" {
            let values = axisValues(axis)
            settings.scope.matrix[axis.name] = Self.commonType(values)
            guard combinations.count * values.count <= Self.maximumCombinations else {
                error("the matrix has more than \(Self.maximumCombinations) combinations", at: member.nameSpan)
                return
            }
            combinations = combinations.flatMap { head in values.map { head + [(axis.name, $0)] } }
        }
        let axes = settings.scope.matrix
        if axes.isEmpty { combinations = [] }
        for (entry, node) in entries(members["exclude"]) {
            for part in entry where axes[part.name] == nil {
                let span = node.members?[part.name]?.nameSpan
                error(
                    "the matrix has no axis '\(part.name)'", at: span,
                    hint: suggestion(for: part.name, among: axes.keys.sorted()))
            }
            combinations.removeAll { combination in entry.allSatisfy { Self.has($0, in: combination) } }
        }
        include(members["include"], in: &combinations, axes: Set(axes.keys))
        if combinations.isEmpty, !settings.diagnostics.hasErrors {
            error("the matrix has no combinations", at: member.nameSpan)
        }
        lane.matrix = Matrix(combinations: combinations)
        settings.scope.axisValues = Self.words(in: combinations)
    }

    /// Returns the values of the axes that have only strings.
    private static func words(in combinations: [Combination]) -> [String: [String]] {
        var words: [String: [String]] = [:]
        var others: Set<String> = []
        for (name, value) in combinations.joined() {
            guard case .string(let text) = value else {
                others.insert(name)
                continue
            }
            if words[name]?.contains(text) != true { words[name, default: []].append(text) }
        }
        return words.filter { !others.contains($0.key) }
    }

    private mutating func axisValues(_ axis: YAMLMember) -> [Value] {
        guard Expression.isName(axis.name) else {
            error(
                "'\(axis.name)' is not a valid name for an axis", at: axis.nameSpan,
                hint: "use letters, digits, '-' and '_'")
            return []
        }
        guard let nodes = axis.value.sequence, !nodes.isEmpty else {
            error(
                "expected a list of values, found \(axis.value.sequence == nil ? axis.value.kind : "an empty one")",
                at: axis.value.span(or: axis.nameSpan), hint: axis.value.scalar.map { "write a list: [\($0.text)]" })
            return []
        }
        return nodes.compactMap { axisValue($0, axis.nameSpan) }
    }

    /// Decodes a value of an axis. A version such as 6.10 is a number in YAML, but keeps its spelling here.
    private mutating func axisValue(_ node: YAMLNode, _ keySpan: Span?) -> Value? {
        if let scalar = node.scalar, let version = try? SettingType.toolVersion.value(of: scalar) { return version }
        return constant(node, .any, keySpan: keySpan)
    }

    private mutating func entries(_ member: YAMLMember?) -> [(entry: [(name: String, value: Value)], node: YAMLNode)] {
        guard let member else { return [] }
        guard let nodes = member.value.sequence else {
            wrong(member, expected: "a list of mappings")
            return []
        }
        return nodes.compactMap { node in
            guard let parts = node.members else {
                _ = constant(node, .map(.any), keySpan: member.nameSpan)
                return nil
            }
            return (parts.compactMap { part in axisValue(part.value, part.nameSpan).map { (part.name, $0) } }, node)
        }
    }

    /// Adds an entry to all combinations that it does not contradict. Adds it as a new combination if there is none.
    private mutating func include(_ member: YAMLMember?, in combinations: inout [Combination], axes: Set<String>) {
        let originals = combinations
        for (entry, node) in entries(member) {
            for part in entry where settings.scope.matrix[part.name] == nil {
                guard Expression.isName(part.name) else {
                    let span = node.members?[part.name]?.nameSpan
                    error("'\(part.name)' is not a valid name for an axis", at: span)
                    continue
                }
                settings.scope.matrix[part.name] = .any
            }
            var fitted = false
            for index in originals.indices {
                let isFit = entry.allSatisfy { part in
                    !axes.contains(part.name) || Self.has(part, in: originals[index])
                }
                guard isFit else { continue }
                fitted = true
                for part in entry where !axes.contains(part.name) {
                    combinations[index].removeAll { $0.name == part.name }
                    combinations[index].append(part)
                }
            }
            if !fitted { combinations.append(entry) }
        }
    }

    private static func has(_ part: (name: String, value: Value), in combination: Combination) -> Bool {
        combination.contains { $0.name == part.name && $0.value == part.value }
    }

    private static func commonType(_ values: [Value]) -> ExpressionType {
        guard let first = values.first.map(ExpressionType.init) else { return .any }
        return values.allSatisfy { ExpressionType($0) == first } ? first : .any
    }
}
