/// A type that can be converted from a word of a command line.
package protocol ArgumentValue: Sendable {
    init?(argument: String)
    /// A description of valid values for messages, such as `a whole number`.
    static var expectation: String { get }
}

extension String: ArgumentValue {
    package init?(argument: String) { self = argument }
    package static var expectation: String { "a string" }
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

/// A parameter with the type of its value.
package struct Key<Value: Sendable>: Sendable {
    /// The description of the parameter, which the command's `CommandSpec` must contain.
    package let spec: ParameterSpec
    let read: @Sendable (ParsedArguments) -> Value
}

extension Key {
    /// Creates a key for an optional `--name <value>`.
    package static func option<Word: ArgumentValue>(
        _ name: String, short: Character? = nil, value: String, help: String, allowed: [String] = [],
        completion: ParameterSpec.Completion = .none
    ) -> Key where Value == Word? {
        let spec = ParameterSpec(
            name: name, short: short, kind: .option(value: value, repeats: false), help: help, allowedValues: allowed,
            completion: completion, expectation: expectation(of: Word.self))
        return Key(spec: spec) { $0.words(name).last.flatMap { Word(argument: $0) } }
    }

    /// Creates a key for `--name <value>` with a default value.
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

    /// Creates a key for a required `--name <value>`.
    package static func required(
        _ name: String, short: Character? = nil, value: String, help: String, allowed: [String] = [],
        completion: ParameterSpec.Completion = .none
    ) -> Key where Value: ArgumentValue {
        let spec = ParameterSpec(
            name: name, short: short, kind: .option(value: value, repeats: false), help: help, allowedValues: allowed,
            isRequired: true, completion: completion, expectation: expectation(of: Value.self))
        return Key(spec: spec) {
            guard let found = $0.words(name).last.flatMap({ Value(argument: $0) }) else {
                preconditionFailure("the parser rejects a command line without --\(name)")
            }
            return found
        }
    }

    /// Creates a key for `--name <value>` that can be repeated.
    package static func options<Word: ArgumentValue>(
        _ name: String, value: String, help: String
    ) -> Key where Value == [Word] {
        let spec = ParameterSpec(
            name: name, kind: .option(value: value, repeats: true), help: help, expectation: expectation(of: Word.self))
        return Key(spec: spec) { $0.words(name).compactMap { Word(argument: $0) } }
    }

    /// Creates a key for the flag `--name`, and for its inverse `--no-name` if `fallback` is `true`.
    package static func flag(
        _ name: String, short: Character? = nil, default fallback: Bool = false, help: String
    ) -> Key where Value == Bool {
        let spec = ParameterSpec(name: name, short: short, kind: .flag(hasInverse: fallback), help: help)
        return Key(spec: spec) { $0.flag(name) ?? fallback }
    }

    /// Creates a key for an optional positional word.
    package static func positional<Word: ArgumentValue>(
        _ name: String, help: String, allowed: [String] = [], completion: ParameterSpec.Completion = .none
    ) -> Key where Value == Word? {
        let spec = ParameterSpec(
            name: name, kind: .positional(repeats: false), help: help, allowedValues: allowed, completion: completion,
            expectation: expectation(of: Word.self))
        return Key(spec: spec) { $0.words(name).last.flatMap { Word(argument: $0) } }
    }

    /// Creates a key for all remaining positional words.
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

/// The values of a parsed command line by parameter, which typed keys read.
package struct ParsedArguments: Sendable, Equatable {
    private(set) var values: [String: [String]] = [:]
    private(set) var flags: [String: Bool] = [:]

    /// Creates the arguments of an empty command line.
    package init() {}

    /// The value of a parameter, or its default if it was not given.
    package subscript<Value>(key: Key<Value>) -> Value { key.read(self) }

    /// Returns the words for a parameter without a key, such as a parameter of a lane.
    package func words(_ name: String) -> [String] { values[name] ?? [] }

    /// Returns the value of a flag, or `nil` if it was not given.
    package func flag(_ name: String) -> Bool? { flags[name] }

    mutating func add(_ word: String, to name: String) {
        values[name, default: []].append(word)
    }

    mutating func set(_ name: String, to value: Bool) {
        flags[name] = value
    }
}
