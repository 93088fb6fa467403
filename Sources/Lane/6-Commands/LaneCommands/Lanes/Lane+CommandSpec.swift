import Arguments
import Expressions
import LaneModel
import OperatingSystem
import Text

extension Lane {
    /// The description of the command line of any lane.
    static var generalSpec: CommandSpec {
        CommandSpec(
            "NAME", abstract: "Run a lane.",
            discussion: "Every lane has these options. The test options are those of lanes with a 'test' step.",
            parameters: LaneOptions.all + stepOptions)
    }

    /// Returns the command line of the lane: its parameters, the settings of its tests, and the options of all lanes.
    ///
    /// - Parameter word: The name of the command: the name or an alias of the lane.
    func commandSpec(as word: String? = nil) -> CommandSpec {
        let own = positionals.map(\.positionalSpec) + parameters.filter { $0.position == nil }.map(\.optionSpec)
        let transaction = isTransaction ? [LaneOptions.abort.spec.inSection(LaneOptions.running)] : []
        var spec = CommandSpec(
            word ?? name, abstract: summary.map { $0.hasSuffix(".") ? $0 : $0 + "." } ?? "Run the lane '\(name)'.",
            discussion: description ?? "",
            parameters: own + stepOptions + LaneOptions.all + transaction)
        spec.examples = examples
        spec.suggestions = LaneKeys.foreignOptions
        spec.passesOptions = positionals.contains(where: \.isVariadic) || readsArguments
        return spec
    }

    /// Returns the description without the options that most lanes have in common. `--help-all` prints them.
    var briefSpec: CommandSpec {
        var spec = commandSpec().withoutSections(LaneOptions.furtherSections.union(Self.furtherStepSections))
        spec.examples.append(
            (
                "lane \(name) --\(LaneOptions.helpAll)",
                "Print all options: also those for the run, its tests and reports."
            ))
        return spec
    }

    /// Returns example command lines for the help of the lane.
    private var examples: [(command: String, meaning: String)] {
        let words = (["lane", name] + positionals.filter(\.mustBeGiven).map(\.exampleWord)).joined(separator: " ")
        return [
            stepExample.map { ("\(words) \($0.options)", $0.meaning) }
                ?? ("\(words) --\(LaneOptions.resume.spec.name)", "Continue where the last run stopped."),
            ("\(words) --plan", "Print the steps and change nothing."),
        ]
    }

    /// Returns the values of the lane's parameters as text for the planner.
    ///
    /// - Parameters:
    ///   - directory: The working directory. Paths of the arguments are relative to it.
    ///   - root: The root directory. Paths of steps are relative to it.
    func words(in arguments: ParsedArguments, from directory: String, root: String) -> [String: [String]] {
        var words: [String: [String]] = [:]
        for parameter in parameters {
            if parameter.isFlag {
                words[parameter.name] = arguments.flag(parameter.name).map { [$0 ? "true" : "false"] }
                continue
            }
            let given = arguments.words(parameter.name)
            guard !given.isEmpty else { continue }
            words[parameter.name] = given.map { word in
                let isElsewhere = parameter.kind == .path && directory != root && !word.isEmpty && !word.isAbsolutePath
                return isElsewhere ? relativePath(absolutePath(word, from: directory), to: root) : word
            }
        }
        return words
    }
}

extension Parameter {
    fileprivate var helpText: String {
        let text = help ?? "\(kind == .int || kind == .enum ? "An" : "A") \(kind.rawValue)"
        let sentence = text.hasSuffix(".") ? text : text + "."
        return variable.map { "\(sentence) (env: \($0))" } ?? sentence
    }

    fileprivate var defaultText: String? {
        if let defaultCommand {
            return "the output of '\(TerminalText.onOneLine(defaultCommand.text))'"
        }
        return switch defaultValue {
        case .string(let text): TerminalText.onOneLine(text)
        case .integer(let number): String(number)
        case .list(let values) where !values.isEmpty:
            TerminalText.onOneLine(values.compactMap(\.text).joined(separator: " "))
        default: nil
        }
    }

    /// A value of the parameter for an example.
    fileprivate var exampleWord: String {
        switch kind {
        case .version: "1.2.0"
        case .enum: values.first ?? "VALUE"
        default: name.uppercased()
        }
    }

    fileprivate var positionalSpec: ParameterSpec {
        ParameterSpec(
            name: name, kind: .positional(repeats: isVariadic), help: helpText, defaultText: defaultText,
            allowedValues: values, isRequired: mustBeGiven, completion: kind == .path ? .file : .none,
            expectation: type.expectation)
    }

    /// The value in a usage line: the choices, if they are short.
    private var placeholder: String {
        let choices = values.joined(separator: "|")
        return kind == .enum && choices.utf8.count <= 40 ? choices : kind.rawValue
    }

    fileprivate var optionSpec: ParameterSpec {
        if kind == .bool {
            return ParameterSpec(name: name, kind: .flag(hasInverse: hasInverse), help: helpText)
        }
        return ParameterSpec(
            name: name, kind: .option(value: placeholder, repeats: isVariadic), help: helpText,
            defaultText: defaultText,
            allowedValues: values, isRequired: mustBeGiven, completion: kind == .path ? .file : .none,
            expectation: type.expectation)
    }
}

extension SettingType {
    /// A closure that returns a description of the expected value if an argument does not have this type, or `nil` if
    /// it does.
    var expectation: @Sendable (String) -> String? {
        { word in self.problem(in: word) }
    }
}
