import Expressions
import Text
import YAML

/// An error for a value that does not have the expected type, with a hint for a fix.
struct InvalidValue: Error {
    var hint: String?
}

extension SettingType {
    /// Converts a single value of a lane file.
    func value(of scalar: YAMLScalar) throws(InvalidValue) -> Value {
        let meaning = scalar.meaning
        if meaning == .null { throw InvalidValue(hint: "omit the key to use its default") }
        switch self {
        case .script: return .string(scalar.text)
        case .toolVersion: return try value(ofText: scalar.text)
        case .bool: return try Self.bool(scalar)
        case .integer(let range):
            guard case .integer(let number) = meaning, range.contains(number) else {
                throw InvalidValue(hint: Self.numberHint(for: scalar, in: range))
            }
            return .integer(number)
        case .duration, .timeLimit:
            if case .integer(let number) = meaning, number != 0 {
                throw InvalidValue(hint: "write \(number)s for seconds")
            }
            return try value(ofText: scalar.text)
        case .string, .path, .version, .choice, .date, .part:
            if case .path = self, case .bool = meaning { throw InvalidValue(hint: "write the path of a file") }
            try Self.checkText(scalar, meaning)
            return try value(ofText: scalar.text)
        case .list, .map, .object, .either, .step, .any: throw InvalidValue()
        }
    }

    /// Values of other tools, such as the types of parameters, with those that mean the same.
    private static let foreignChoices = [
        "boolean": "bool", "flag": "bool", "integer": "int", "number": "int", "text": "string", "str": "string",
        "file": "path", "directory": "path", "choice": "enum", "semver": "version",
        "ubuntu": "linux", "ubuntu-latest": "linux", "mac": "macos", "macOS": "macos", "macos-latest": "macos",
    ]

    private static func bool(_ scalar: YAMLScalar) throws(InvalidValue) -> Value {
        switch scalar.meaning {
        case .bool(let value): return .bool(value)
        case .legacyBool(let value): throw InvalidValue(hint: "write \(value)")
        default:
            let isQuoted = scalar.text == "true" || scalar.text == "false"
            throw InvalidValue(hint: isQuoted ? "remove the quotes" : nil)
        }
    }

    /// Returns a hint on numbers such as `"4"`, `auto`, `80%` where a percentage belongs, and `5432:5432` for a port.
    private static func numberHint(for scalar: YAMLScalar, in range: ClosedRange<Int>) -> String? {
        if scalar.style != .plain, Int(scalar.text) != nil { return "remove the quotes" }
        if ["auto", "default"].contains(scalar.text) { return "omit the key to use its default" }
        let number: Substring?
        switch range.upperBound {
        case 100 where scalar.text.hasSuffix("%"): number = scalar.text.dropLast()
        // The last part of a mapping of ports is the port of the container, and the protocol follows it.
        case 65535: number = scalar.text.split(separator: ":").last?.split(separator: "/").first
        default: number = nil
        }
        return number.flatMap { Int($0) }.flatMap { range.contains($0) ? "write \($0)" : nil }
    }

    /// Throws for plain scalars that other YAML parsers do not read as a string.
    private static func checkText(_ scalar: YAMLScalar, _ meaning: YAMLScalar.Meaning) throws(InvalidValue) {
        switch meaning {
        case .string: return
        case .integer(let number) where String(number) == scalar.text: return
        default: throw InvalidValue(hint: "put it in quotes: \"\(scalar.text)\"")
        }
    }

    /// Converts a string in quotes, a word of the command line, or the result of an expression.
    func value(ofText text: String) throws(InvalidValue) -> Value {
        switch self {
        case .string, .script, .any: return .string(text)
        case .path:
            if let hint = text.expansionHint { throw InvalidValue(hint: hint) }
            return .string(text)
        case .bool:
            guard text == "true" || text == "false" else { throw InvalidValue() }
            return .bool(text == "true")
        case .integer(let range):
            guard let number = Int(text), range.contains(number) else { throw InvalidValue() }
            return .integer(number)
        case .toolVersion:
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard (2...3).contains(parts.count),
                parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) })
            else { throw InvalidValue() }
            return .string(text)
        case .duration:
            guard Duration(written: text) != nil else { throw InvalidValue(hint: Duration.hint(for: text)) }
            return .string(text)
        case .timeLimit:
            guard text != "0", Duration(written: text) != .zero else {
                throw InvalidValue(hint: "write more than zero, such as 24h for no limit")
            }
            return try Self.duration.value(ofText: text)
        case .part:
            guard Shard(text) != nil else {
                // `nextest` names the way to divide the tests.
                let part = text.split(separator: ":").last.map(String.init) ?? ""
                throw InvalidValue(hint: Shard(part) == nil ? nil : "write \(part)")
            }
            return .string(text)
        case .date:
            guard CivilDate(iso8601: text) != nil else { throw InvalidValue() }
            return .string(text)
        case .version:
            guard !text.isEmpty, VersionRequest(text) != nil else {
                throw InvalidValue(hint: VersionRequest.hint(for: text))
            }
            return .string(text)
        case .choice(let values):
            guard values.contains(text) else {
                if ["list", "array"].contains(text), self == LaneKeys.kind {
                    throw InvalidValue(hint: "use 'variadic: true' with the type of one value")
                }
                // The name of a service without generated files can be similar to that of another one.
                if values.contains("github"), let service = CIService.all.first(where: { $0.name == text }) {
                    let hint = "remove it, and run 'lane test' in your own '\(service.definition)'"
                    throw InvalidValue(hint: values.contains("circleci") ? hint : nil)
                }
                let known = Self.foreignChoices[text].flatMap { values.contains($0) ? "did you mean '\($0)'?" : nil }
                throw InvalidValue(hint: known ?? suggestion(for: text, among: values))
            }
            return .string(text)
        case .list, .map, .object, .either, .step: throw InvalidValue()
        }
    }

    /// Returns a Boolean value that indicates whether values of an expression can be converted to this type.
    func accepts(_ type: ExpressionType) -> Bool {
        switch (self, type) {
        case (_, .any), (.any, _): true
        case (.either(let types), _): types.contains { $0.accepts(type) }
        case (.list(let element), _): type == .list || element.accepts(type)
        case (.map, _), (.object, _), (.step, _): type == .map
        case (.bool, _): type == .bool || type == .string
        case (.integer, _): type == .integer || type == .string
        case (.string, _), (.script, _), (.path, _): type != .list && type != .map
        case (.duration, _), (.timeLimit, _), (.version, _), (.toolVersion, _), (.choice, _), (.date, _), (.part, _):
            type == .string
        }
    }

    /// A Boolean value that indicates whether a string with several parts can be converted to this type.
    var acceptsMixedText: Bool {
        switch self {
        case .bool, .integer, .map, .object, .step: false
        case .either(let types): types.contains(where: \.acceptsMixedText)
        case .list(let element): element.acceptsMixedText
        case .string, .script, .path, .version, .toolVersion, .duration, .timeLimit, .date, .part, .choice, .any: true
        }
    }

    /// Converts the result of an expression. Returns `nil` for null, because the setting then counts as omitted.
    func coerce(_ value: Value) throws(InvalidValue) -> Value? {
        switch (self, value) {
        case (_, .null): return nil
        case (.any, _): return value
        case (.either(let types), _):
            guard let type = types.first(where: { $0.accepts(ExpressionType(value)) }) else { throw InvalidValue() }
            return try type.coerce(value)
        case (.list(let element), .list(let values)):
            var result: [Value] = []
            for value in values {
                if let value = try element.coerce(value) { result.append(value) }
            }
            return .list(result)
        case (.list(let element), _): return try element.coerce(value).map { .list([$0]) }
        case (.map(let type), .map(let members)):
            var result: [(name: String, value: Value)] = []
            for member in members {
                if let value = try type.coerce(member.value) { result.append((member.name, value)) }
            }
            return .map(result)
        case (.object, .map): return value
        case (.bool, .bool): return value
        case (.integer(let range), .integer(let number)):
            guard range.contains(number) else { throw InvalidValue() }
            return value
        default:
            guard let text = value.text else { throw InvalidValue() }
            return try self.value(ofText: text)
        }
    }
}

extension SettingType {
    /// Returns a Boolean value that indicates whether a word of the command line has this type.
    package func reads(_ word: String) -> Bool { problem(in: word) == nil }

    /// Returns a description of the expected value if a word of the command line does not have this type.
    package func problem(in word: String) -> String? {
        do throws(InvalidValue) {
            _ = try value(ofText: word)
            return nil
        } catch {
            return kind + (error.hint.map { "; \($0)" } ?? "")
        }
    }
}
