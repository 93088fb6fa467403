/// A type that can be written as one word of a command line.
package protocol ArgumentValue: Sendable {
    init?(argument: String)
    /// What a right value is, as a message says it: `a whole number`.
    static var expectation: String { get }
}

extension String: ArgumentValue {
    package init?(argument: String) { self = argument }
    package static var expectation: String { "a text" }
}

extension Int: ArgumentValue {
    package init?(argument: String) { self.init(argument) }
    package static var expectation: String { "a whole number" }
}

extension Double: ArgumentValue {
    package init?(argument: String) {
        guard let value = Double(argument), value.isFinite else { return nil }
        self = value
    }
    package static var expectation: String { "a number" }
}

/// A parameter together with the type in which its value is read.
package struct Key<Value: Sendable>: Sendable {
    /// What the command's description holds, so that the value is there to be read.
    package let spec: ParameterSpec
    let read: @Sendable (ParsedArguments) -> Value
}

extension Key {
    /// `--name <value>` that may be left out.
    package static func option<Word: ArgumentValue>(
        _ name: String, short: Character? = nil, value: String, help: String, allowed: [String] = [],
        isHidden: Bool = false, completion: ParameterSpec.Completion = .none
    ) -> Key where Value == Word? {
        let spec = ParameterSpec(
            name: name, short: short, kind: .option(value: value, repeats: false), help: help, allowedValues: allowed,
            isHidden: isHidden, completion: completion, expectation: expectation(of: Word.self))
        return Key(spec: spec) { $0.words(name).last.flatMap { Word(argument: $0) } }
    }

    /// `--name <value>` with a value that holds when it is left out.
    package static func option(
        _ name: String, short: Character? = nil, value: String, default fallback: Value, help: String,
        allowed: [String] = [], completion: ParameterSpec.Completion = .none
    ) -> Key where Value: ArgumentValue {
        let spec = ParameterSpec(
            name: name, short: short, kind: .option(value: value, repeats: false), help: help,
            defaultText: "\(fallback)", allowedValues: allowed, completion: completion,
            expectation: expectation(of: Value.self))
        return Key(spec: spec) { $0.words(name).last.flatMap { Value(argument: $0) } ?? fallback }
    }

    /// `--name <value>` that must be given.
    package static func required(
        _ name: String, short: Character? = nil, value: String, help: String, allowed: [String] = [],
        completion: ParameterSpec.Completion = .none
    ) -> Key where Value: ArgumentValue {
        let spec = ParameterSpec(
            name: name, short: short, kind: .option(value: value, repeats: false), help: help, allowedValues: allowed,
            isRequired: true, completion: completion, expectation: expectation(of: Value.self))
        return Key(spec: spec) {
            guard let found = $0.words(name).last.flatMap({ Value(argument: $0) }) else {
                preconditionFailure("the parser refuses a command line without --\(name)")
            }
            return found
        }
    }

    /// `--name <value>`, as often as one likes.
    package static func options<Word: ArgumentValue>(
        _ name: String, short: Character? = nil, value: String, help: String, allowed: [String] = [],
        completion: ParameterSpec.Completion = .none
    ) -> Key where Value == [Word] {
        let spec = ParameterSpec(
            name: name, short: short, kind: .option(value: value, repeats: true), help: help, allowedValues: allowed,
            completion: completion, expectation: expectation(of: Word.self))
        return Key(spec: spec) { $0.words(name).compactMap { Word(argument: $0) } }
    }

    /// `--name`; with `default: true` there is `--no-name` to switch it off.
    package static func flag(
        _ name: String, short: Character? = nil, default fallback: Bool = false, help: String, isHidden: Bool = false
    ) -> Key where Value == Bool {
        let spec = ParameterSpec(
            name: name, short: short, kind: .flag(hasInverse: fallback), help: help, isHidden: isHidden)
        return Key(spec: spec) { $0.flag(name) ?? fallback }
    }

    /// `--name` and `--no-name`, or `nil` when neither is there.
    static func choice(_ name: String, short: Character? = nil, help: String) -> Key where Value == Bool? {
        let spec = ParameterSpec(name: name, short: short, kind: .flag(hasInverse: true), help: help)
        return Key(spec: spec) { $0.flag(name) }
    }

    /// A word by its place that may be left out.
    package static func positional<Word: ArgumentValue>(
        _ name: String, help: String, allowed: [String] = [], completion: ParameterSpec.Completion = .none
    ) -> Key where Value == Word? {
        let spec = ParameterSpec(
            name: name, kind: .positional(repeats: false), help: help, allowedValues: allowed, completion: completion,
            expectation: expectation(of: Word.self))
        return Key(spec: spec) { $0.words(name).last.flatMap { Word(argument: $0) } }
    }

    /// All words that are left.
    package static func positionals<Word: ArgumentValue>(
        _ name: String, help: String, completion: ParameterSpec.Completion = .none
    ) -> Key where Value == [Word] {
        let spec = ParameterSpec(
            name: name, kind: .positional(repeats: true), help: help, completion: completion,
            expectation: expectation(of: Word.self))
        return Key(spec: spec) { $0.words(name).compactMap { Word(argument: $0) } }
    }

    private static func expectation<Word: ArgumentValue>(of type: Word.Type) -> @Sendable (String) -> String? {
        { word in Word(argument: word) == nil ? Word.expectation : nil }
    }
}

/// The words of a command line, sorted by parameter; read with typed keys.
package struct ParsedArguments: Sendable, Equatable {
    private(set) var values: [String: [String]] = [:]
    private(set) var flags: [String: Bool] = [:]

    /// Those of a command line without a word.
    package init() {}

    /// The value given, or what the key has for a parameter that was left out; its type was checked while parsing.
    package subscript<Value>(key: Key<Value>) -> Value { key.read(self) }

    /// The words given for a parameter that is known by name only, as lanes' are.
    package func words(_ name: String) -> [String] { values[name] ?? [] }

    /// Whether a flag was given, and which way; `nil` when it was not.
    package func flag(_ name: String) -> Bool? { flags[name] }

    mutating func add(_ word: String, to name: String) {
        values[name, default: []].append(word)
    }

    mutating func set(_ name: String, to value: Bool) {
        flags[name] = value
    }
}
