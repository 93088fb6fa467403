import ASCII
import Diagnostics
import YAML

/// A value that does not fit, with a word of advice.
struct UnfitValue: Error {
    var hint: String?
}

extension SettingType {
    /// A single value as it stands in a lane file.
    func value(of scalar: YAMLScalar) throws(UnfitValue) -> Value {
        let meaning = scalar.meaning
        if meaning == .null { throw UnfitValue(hint: "leave the key out to have its default") }
        switch self {
        case .script: return .string(scalar.text)
        case .bool: return try Self.bool(scalar)
        case .integer(let range):
            guard case .integer(let number) = meaning, range.contains(number) else {
                let isQuoted = scalar.style != .plain && Int(scalar.text) != nil
                throw UnfitValue(hint: isQuoted ? "leave the quotes out" : nil)
            }
            return .integer(number)
        case .duration:
            if case .integer(let number) = meaning { throw UnfitValue(hint: "write \(number)s for seconds") }
            return try value(ofText: scalar.text)
        case .string, .path, .version, .choice:
            try Self.checkText(scalar, meaning)
            return try value(ofText: scalar.text)
        case .list, .map, .object, .either, .step, .any: throw UnfitValue()
        }
    }

    private static func bool(_ scalar: YAMLScalar) throws(UnfitValue) -> Value {
        switch scalar.meaning {
        case .bool(let value): return .bool(value)
        case .legacyBool(let value): throw UnfitValue(hint: "write \(value)")
        default:
            let isQuoted = scalar.text == "true" || scalar.text == "false"
            throw UnfitValue(hint: isQuoted ? "leave the quotes out" : nil)
        }
    }

    /// Refuses what another YAML reader would not take as the text that stands there.
    private static func checkText(_ scalar: YAMLScalar, _ meaning: YAMLScalar.Meaning) throws(UnfitValue) {
        switch meaning {
        case .string: return
        case .integer(let number) where String(number) == scalar.text: return
        default: throw UnfitValue(hint: "put it in quotes: \"\(scalar.text)\"")
        }
    }

    /// A single value given as text: in quotes, on the command line, or by an expression.
    func value(ofText text: String) throws(UnfitValue) -> Value {
        switch self {
        case .string, .script, .path, .any: return .string(text)
        case .bool:
            guard text == "true" || text == "false" else { throw UnfitValue() }
            return .bool(text == "true")
        case .integer(let range):
            guard let number = Int(text), range.contains(number) else { throw UnfitValue() }
            return .integer(number)
        case .duration:
            guard Duration(written: text) != nil else {
                throw UnfitValue(hint: Int(text).map { "write \($0)s for seconds" })
            }
            return .string(text)
        case .version:
            guard VersionText.isAcceptable(text) else { throw UnfitValue(hint: VersionText.hint(for: text)) }
            return .string(text)
        case .choice(let values):
            guard values.contains(text) else {
                throw UnfitValue(hint: nearest(to: text, among: values).map { "did you mean '\($0)'?" })
            }
            return .string(text)
        case .list, .map, .object, .either, .step: throw UnfitValue()
        }
    }

    /// Whether a result of this type can ever fit.
    func mayHold(_ type: ExpressionType) -> Bool {
        switch (self, type) {
        case (_, .any), (.any, _): true
        case (.either(let types), _): types.contains { $0.mayHold(type) }
        case (.list(let element), _): type == .list || element.mayHold(type)
        case (.map, _), (.object, _), (.step, _): type == .map
        case (.bool, _): type == .bool || type == .string
        case (.integer, _): type == .integer || type == .string
        case (.string, _), (.script, _), (.path, _): type != .list && type != .map
        case (.duration, _), (.version, _), (.choice, _): type == .string
        }
    }

    /// Whether a text with expressions in it can ever fit.
    var mayHoldMixedText: Bool {
        switch self {
        case .bool, .integer, .map, .object, .step: false
        case .either(let types): types.contains(where: \.mayHoldMixedText)
        case .list(let element): element.mayHoldMixedText
        case .string, .script, .path, .version, .duration, .choice, .any: true
        }
    }

    /// The result of an expression brought to this type; `nil` for nothing, which counts as left out.
    func coerce(_ value: Value) throws(UnfitValue) -> Value? {
        switch (self, value) {
        case (_, .null): return nil
        case (.any, _): return value
        case (.either(let types), _):
            guard let type = types.first(where: { $0.mayHold(ExpressionType(value)) }) else { throw UnfitValue() }
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
            guard range.contains(number) else { throw UnfitValue() }
            return value
        default:
            guard let text = value.text else { throw UnfitValue() }
            return try self.value(ofText: text)
        }
    }
}

/// Versions as text: https://semver.org, version 2.0.0, and the words that stand for the next one.
enum VersionText {
    static let words = [
        "major", "minor", "patch", "premajor", "preminor", "prepatch", "prerelease", "release", "auto",
    ]

    static func isAcceptable(_ text: String) -> Bool { words.contains(text) || isPrerelease(text) || isSemantic(text) }

    /// `prerelease:beta` and the like name another row of prereleases than `rc`.
    private static func isPrerelease(_ text: String) -> Bool {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasPrefix("pre"), words.contains(String(parts[0])) else { return false }
        let row = parts[1].utf8
        return !row.isEmpty && row.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
            && !row.allSatisfy(\.isDigit)
    }

    /// What may be meant by a text that is no version.
    static func hint(for text: String) -> String? {
        if text.hasPrefix("v"), isSemantic(String(text.dropFirst())) { return "leave the 'v' out" }
        if isSemantic(text + ".0") { return "write \(text).0" }
        return nearest(to: text, among: words).map { "did you mean '\($0)'?" }
    }

    /// `1.2.3`, `1.2.3-rc.1`, `1.2.3+build.5`
    static func isSemantic(_ text: String) -> Bool {
        var rest = Substring(text)
        if let plus = rest.firstIndex(of: "+") {
            guard areIdentifiers(rest[plus...].dropFirst(), allowLeadingZeros: true) else { return false }
            rest = rest[..<plus]
        }
        if let dash = rest.firstIndex(of: "-") {
            guard areIdentifiers(rest[dash...].dropFirst(), allowLeadingZeros: false) else { return false }
            rest = rest[..<dash]
        }
        let numbers = rest.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 3 && numbers.allSatisfy(isNumber)
    }

    private static func areIdentifiers(_ text: Substring, allowLeadingZeros: Bool) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            let isWord = part.utf8.allSatisfy {
                $0.isAlphanumeric || $0 == UInt8(ascii: "-")
            }
            guard isWord, !part.isEmpty else { return false }
            return allowLeadingZeros || !part.utf8.allSatisfy(\.isDigit) || isNumber(part)
        }
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
            && (text.utf8.count == 1 || text.utf8.first != UInt8(ascii: "0"))
    }
}

extension SettingType {
    /// Whether a word of a command line is a value of this type.
    package func reads(_ word: String) -> Bool { (try? value(ofText: word)) != nil }
}
