import Arguments
import Expressions
import LaneModel
import OperatingSystem
import Reports
import Text

/// The options of all lanes.
enum LaneOptions {
    static let plan = Key<Bool>.flag("plan", help: "Print the steps without running them.")
    static let json = Key<Bool>.flag("json", help: "With --plan: print JSON.")
    static let jobs = Key<JobCount?>.option(
        "jobs", short: "j", value: "count", help: "The number of steps and test processes that run at once.")
    static let keepGoing = Key<Bool>.flag(
        "keep-going", short: "k", help: "After a failure, continue with all steps that do not depend on it.")
    static let failFast = Key<Bool>.flag("fail-fast", help: "After a failure, end all running steps immediately.")
    static let force = Key<Bool>.flag("force", help: "Run steps even if they are up to date.")
    static let why = Key<Bool>.flag("why", help: "Print the reason why steps with inputs run.")
    static let resume = Key<Bool>.flag("resume", help: "Continue where the last run of this lane stopped.")
    /// The option of lanes that are transactions.
    static let abort = Key<Bool>.flag(
        "abort", help: "Remove an interrupted release, or undo a release that is not pushed.")
    static let yes = Key<Bool>.flag("yes", short: "y", help: "Answer the questions of lanes with 'confirm' with yes.")
    static let step = Key<String?>.option(
        "step", value: "id", help: "Run only this step, with the outputs of the last run.")
    static let watch = Key<Bool>.flag("watch", help: "Run the lane again when a file of the package changes.")
    static let container = Key<String?>.option(
        "in", value: "engine", help: "Run the lane in a container.", allowed: ["docker"])
    static let image = Key<String>.option(
        "image", value: "image", default: ContainerRun.defaultImage, help: "With --in: the image of the container.")
    static let quiet = Key<Bool>.flag("quiet", short: "q", help: "Print only failures and the result.")
    static let verbose = Key<Bool>.flag("verbose", short: "v", help: "Print every test and all output.")
    static let report = Key<String?>.option(
        "report", value: "reader", help: "Print a compact list of the failures at the end, for a coding agent.",
        allowed: ["agent"])
    static let events = Key<String?>.option(
        "events", value: "file", help: "Write all events to this file as JSON lines.", completion: .file)

    private static let reportFiles = ReportOption.all.map { file in
        Key<String?>.option(file.name, value: "file", help: "\(file.help).", completion: .file)
    }

    /// The options for report files.
    static let reports: [ParameterSpec] = [events.spec] + reportFiles.map(\.spec)

    /// The options for output on the screen.
    static let screen: [ParameterSpec] = [quiet.spec, verbose.spec, report.spec]

    /// The section of the help with the options for the run.
    static let running = "Running"

    static let all: [ParameterSpec] =
        [
            plan.spec, json.spec, jobs.spec, keepGoing.spec, failFast.spec, force.spec, why.spec, resume.spec,
            step.spec, yes.spec, watch.spec, container.spec, image.spec,
        ].map { $0.inSection(running) }
        + (screen + reports).map { $0.inSection("Reports") }

    static let names = Set(all.map(\.name) + [abort.spec.name])

    /// The option that prints all options of a lane.
    static let helpAll = "help-all"

    /// The sections of the options that `--help-all` adds to the help of a lane.
    static let furtherSections: Set = [running, "Reports"]

    /// The names that parameters cannot have, including `help`.
    static let taken = names.union(["help", helpAll])

    /// Returns messages for options that contradict each other or have no effect.
    static func clashes(in arguments: ParsedArguments) -> [String] {
        var clashes: [String] = []
        if arguments[report] != nil, arguments[verbose] {
            clashes.append("The options '--report' and '--verbose' exclude each other")
        }
        if arguments[keepGoing], arguments[failFast] {
            clashes.append("The options '--keep-going' and '--fail-fast' exclude each other")
        }
        if !arguments.words(image.spec.name).isEmpty, arguments[container] == nil {
            clashes.append("The option '--image' goes with '--in'")
        }
        if arguments[step] != nil, arguments[resume] {
            clashes.append("The options '--step' and '--resume' exclude each other")
        }
        if arguments[watch], arguments[plan] {
            clashes.append("The options '--watch' and '--plan' exclude each other: a plan runs nothing")
        }
        let others = [
            (plan.spec, arguments[plan]), (resume.spec, arguments[resume]), (step.spec, arguments[step] != nil),
            (watch.spec, arguments[watch]), (container.spec, arguments[container] != nil),
        ]
        for (other, isGiven) in others where isGiven && arguments[abort] {
            clashes.append("The options '--abort' and '--\(other.name)' exclude each other")
        }
        return clashes
    }

    /// The names of the options for one run only: its reports, and its start.
    static let ofOneRun = Set(reports.map(\.name) + [resume.spec.name])

    /// The names of the options for containers.
    static let ofContainers: Set = [container.spec.name, image.spec.name]

    /// Returns the paths of report files.
    static func files(in arguments: ParsedArguments) -> [String] {
        ([events] + reportFiles).compactMap { arguments[$0] }
    }

    /// Returns the path of a report file, or `nil` if the report is not requested.
    static func file(for format: ReportFormat, in arguments: ParsedArguments) -> String? {
        arguments.words(format.name).last
    }

    static func level(_ arguments: ParsedArguments) -> ReportLevel {
        if arguments[verbose] { return .verbose }
        return arguments[quiet] ? .quiet : .normal
    }
}

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
        spec.suggestions = LaneKeys.foreignOptions
        spec.passesOptions = positionals.contains(where: \.isVariadic) || readsArguments
        return spec
    }

    /// The description with all options, for `--help-all`.
    var fullSpec: CommandSpec {
        var spec = commandSpec()
        spec.examples = examples
        return spec
    }

    /// The description without the options that most lanes have in common, for `--help`.
    var briefSpec: CommandSpec {
        var spec = fullSpec.withoutSections(LaneOptions.furtherSections.union(Self.furtherStepSections))
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

    private func spec(_ form: ParameterSpec.Kind) -> ParameterSpec {
        ParameterSpec(
            name: name, kind: form, help: helpText, defaultText: defaultText, allowedValues: values,
            isRequired: mustBeGiven, completion: kind == .path ? .file : .none, expectation: type.expectation)
    }

    fileprivate var positionalSpec: ParameterSpec { spec(.positional(repeats: isVariadic)) }

    /// The value in a usage line: the choices, if they are short.
    private var placeholder: String {
        let choices = values.joined(separator: "|")
        return kind == .enum && choices.utf8.count <= 40 ? choices : kind.rawValue
    }

    fileprivate var optionSpec: ParameterSpec {
        kind == .bool
            ? ParameterSpec(name: name, kind: .flag(hasInverse: hasInverse), help: helpText)
            : spec(.option(value: placeholder, repeats: isVariadic))
    }
}

extension SettingType {
    /// A closure that returns a description of the expected value if an argument does not have this type, or `nil` if
    /// it does.
    var expectation: @Sendable (String) -> String? {
        { word in self.problem(in: word) }
    }
}

/// The number of steps and test processes that run at once.
struct JobCount: ArgumentValue {
    /// The same range as in lane files.
    private static let range = 1...1024

    let number: Int

    init?(argument: String) {
        guard let number = Int(argument), Self.range.contains(number) else { return nil }
        self.number = number
    }

    static var expectation: String { "a whole number from 1 to \(range.upperBound)" }
}
