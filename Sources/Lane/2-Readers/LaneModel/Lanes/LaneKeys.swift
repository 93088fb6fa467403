import Expressions
import Text
import YAML

/// A key of a lane or of a step: its schema for checks, help and the editor schema, and its decoding.
struct LaneKey<Decode: Sendable>: Sendable {
    let schema: SettingSchema
    /// A Boolean value that indicates whether the key is allowed in an included file.
    let isShared: Bool
    /// A Boolean value that indicates whether the editor schema allows expressions in the value.
    let hasExpressions: Bool
    /// A closure that decodes the value, or `nil` if the value is decoded with the file or with the action of the step.
    let decode: Decode?

    init(
        _ name: String, _ type: SettingType, _ help: String, default value: Value? = nil, isShared: Bool = false,
        hasExpressions: Bool = false, _ decode: Decode?
    ) {
        schema = SettingSchema(name, type, help, default: value)
        (self.isShared, self.hasExpressions, self.decode) = (isShared, hasExpressions, decode)
    }
}

/// The declarations of all keys of lane files.
package enum LaneKeys {
    typealias DecodeLane = @Sendable (inout LaneDecoder, YAMLMember) -> Void
    typealias DecodeStep = @Sendable (inout LaneDecoder, YAMLMember, inout Step) -> Void

    /// The keys of a lane file, in the order of the help and of the decoding: a key follows the keys whose names its
    /// expressions read.
    static let ofLane: [LaneKey<DecodeLane>] = [
        LaneKey("summary", .string, "The summary for 'lane list'") { $0.lane.summary = $0.line($1) },
        LaneKey("description", .string, "The description for 'lane NAME --help'") {
            $0.lane.description = $0.text($1).map(TerminalText.sanitized)
        },
        LaneKey("aliases", .list(.string), "Other names for the lane on the command line") {
            $0.lane.aliases = $0.aliases($1)
        },
        LaneKey("group", .string, "The heading of the lane in 'lane list'") { $0.lane.group = $0.line($1) },
        LaneKey("default", .bool, "Run the lane for 'lane' without a name", default: .bool(false)) {
            $0.lane.isDefault = $0.bool($1) && $0.origin == nil
        },
        LaneKey(
            "confirm", .string,
            "A question before the lane runs; it needs the answer 'y', the option '--yes' or a CI service"
        ) { $0.lane.question = $0.question($1) },
        LaneKey("include", .list(.string), "Files with shared keys, whose names start with '_'", isShared: true, nil),
        LaneKey("private", .bool, "Only other lanes can run the lane", default: .bool(false)) {
            $0.lane.isPrivate = $0.bool($1)
        },
        LaneKey(
            "parameters", .map(.either([kind, .object(parameter)])), "The parameters of the lane", isShared: true
        ) { $0.decodeParameters($1) },
        LaneKey("matrix", .map(.any), "Lists of values; the lane runs once for each combination") {
            $0.decodeMatrix($1)
        },
        LaneKey(
            "secrets", .list(.string),
            "Environment variables whose values are masked, and passed only to steps that name them", isShared: true
        ) { $0.lane.secrets += $0.secrets($1) },
        LaneKey(
            "let", .map(.any),
            "Values, or commands as '{ run: … }' whose outputs are values; computed before the first step",
            isShared: true
        ) { $0.decodeValues($1) },
        LaneKey("needs", .list(.either([.string, .object(call)])), "Lanes that must succeed first") {
            $0.lane.needs = $0.needs($1)
        },
        LaneKey("if", .string, "The condition for the lane to run") { $0.lane.condition = $0.condition($1) },
        LaneKey("env", .map(.string), "Environment variables of every step", isShared: true) {
            $0.lane.environment += $0.environment($1)
        },
        LaneKey(
            "directory", .path,
            "The working directory of 'run', 'service' and custom actions, and the package of 'test', relative to the root"
        ) { $0.lane.directory = $0.directory($1) },
        LaneKey(
            "dotenv", .list(.either([.path, .object(dotenv)])), "Files with environment variables", isShared: true
        ) { $0.lane.dotenv += $0.dotenv($1) },
        LaneKey("timeout", .timeLimit, "The time limit of the lane") { $0.lane.timeout = $0.duration($1, .timeLimit) },
        LaneKey("grace", .duration, "The 'grace' of steps without one") { $0.lane.grace = $0.duration($1) },
        LaneKey("retry", .either([.integer(0...100), .object(retry)]), "The retries of steps without 'retry'") {
            $0.lane.retry = $0.retry($1)
        },
        LaneKey(
            "transaction", .bool, "Run the steps in a private worktree, and apply all changes or none",
            default: .bool(false)
        ) { $0.lane.isTransaction = $0.bool($1) },
        LaneKey(
            "before-all", .list(.step),
            "In '_package.yml' only: steps that run once, before the lanes of a command line", isShared: true
        ) { $0.decodeBeforeAll($1) },
        LaneKey("steps", .list(.step), "The steps of the lane, in order") { $0.lane.steps = $0.steps($1) },
        LaneKey("then", .list(.step), "Steps that run after the transaction is applied") {
            $0.lane.then = $0.steps($1)
        },
        LaneKey(
            "on-failure", .list(.step),
            "Steps that run one after another if a step failed; the time limit of each is 10m unless it has a 'timeout'",
            isShared: true
        ) { $0.lane.onFailure += $0.steps($1) },
        LaneKey(
            "always", .list(.step),
            "Steps that run one after another at the end, even after a failure; the time limit of each is 10m unless it has a 'timeout'",
            isShared: true
        ) { $0.lane.always += $0.steps($1) },
    ]

    /// The schemas of the keys of a lane file.
    package static let lane = ofLane.map(\.schema)

    /// The name of the file that all lanes include, and of the lane with its `before-all` steps.
    package static let package = "_package"

    /// The keys of a step except its action, in the order of the help.
    static let ofStep: [LaneKey<DecodeStep>] = [
        LaneKey("id", .string, "The name of the step in expressions, such as 'steps.ID.OUTPUT'") { $2.id = $0.id($1) },
        LaneKey("name", .string, "The name of the step in the output") { $2.name = $0.name($1) },
        LaneKey("if", .string, "The condition for the step to run", hasExpressions: true) {
            $2.condition = $0.condition($1)
        },
        LaneKey(
            "parameters", .map(.any), "In a 'lane' step: the values of the lane's parameters", hasExpressions: true, nil
        ),
        LaneKey(
            "foreach", .either([.list(.string), .object(items)]),
            "Values, or globs of files; the step runs once for each value or file, which is '${{ item }}'",
            hasExpressions: true, nil),
        LaneKey("env", .map(.string), "Environment variables of the step", hasExpressions: true) {
            $2.environment = $0.environment($1)
        },
        LaneKey(
            "directory", .path,
            "The working directory of 'run', 'service' or a custom action, or the package of 'test', relative to the root; overrides the lane's directory",
            hasExpressions: true
        ) { $2.directory = $0.directory($1, of: $2.content) },
        LaneKey(
            "secrets", .list(.string), "The lane's secrets that are passed to the step as environment variables"
        ) { $2.secrets = Set($0.secrets($1, isOfStep: true)) },
        LaneKey("timeout", .timeLimit, "The time limit of the step") { $2.timeout = $0.duration($1, .timeLimit) },
        LaneKey(
            "grace", .duration,
            "The time from the first signal (SIGINT after Ctrl-C, otherwise SIGTERM) to SIGKILL; 5s by default"
        ) { $2.grace = $0.duration($1) },
        LaneKey("retry", .either([.integer(0...100), .object(retry)]), "The retries after a failure") {
            $2.retry = $0.retry($1)
        },
        LaneKey("continue-on-error", .bool, "Continue the lane if the step fails", default: .bool(false)) {
            $2.continuesOnError = $0.bool($1)
        },
        LaneKey("interactive", .bool, "Connect the step to the terminal", default: .bool(false)) {
            $2.isInteractive = $0.bool($1)
        },
        LaneKey(
            "inputs", .list(.either([.path, .object(input)])),
            "Files that the step reads; if none has changed, the step is up to date. A glob or path without a file is an error",
            hasExpressions: true
        ) { $0.decodeInputs($1, into: &$2.files) },
        LaneKey(
            "outputs", .list(.path), "Files that the step writes; if one is missing, the step is not up to date",
            hasExpressions: true
        ) { $2.files.outputs = $0.templates($1) },
        LaneKey("parallel", .list(.step), "Steps that run in parallel", nil),
    ]

    /// The schemas of the keys of a step.
    package static let step = ofStep.map(\.schema)

    static let stepNames = Set(step.map(\.name))

    /// The contexts whose values are known during planning.
    static let plannedContexts: Set<ContextName> = [.parameters, .let, .matrix, .item, .platform]

    /// Returns the keys of a `lane` or `parallel` step in addition to its action, or `nil` for any other step.
    static func outerStep(_ action: String) -> [String]? {
        switch action {
        case "lane": ["parameters", "name", "if", "foreach", "timeout"]
        case "parallel": ["name", "if"]
        default: nil
        }
    }

    /// The type of a parameter's type.
    static let kind = SettingType.choice(Parameter.Kind.allCases.map(\.rawValue))

    /// The keys of a parameter.
    package static let parameter: [SettingSchema] = [
        SettingSchema(
            "type", kind, "The type of the values", default: .string("string")),
        SettingSchema(
            "position", .integer(1...32),
            "The position on the command line; without it, the parameter is only an option"),
        SettingSchema("default", .any, "The default value, or a command as '{ run: … }' whose output is the default"),
        SettingSchema("secret", .bool, "Mask the value in all output", default: .bool(false)),
        SettingSchema("env", .string, "The environment variable whose value is the default, unless it is empty"),
        SettingSchema("required", .bool, "A value is required", default: .bool(false)),
        SettingSchema("values", .list(.string), "The values of an enum"),
        SettingSchema(
            "variadic", .bool, "The value is a list: all remaining words, or one for each use of the option",
            default: .bool(false)),
        SettingSchema("help", .string, "The help for 'lane NAME --help'"),
    ]

    /// The keys of `foreach` over files.
    static let items = [SettingSchema("files", .list(.path), "The globs, relative to the root", isRequired: true)]

    /// The keys of a call to a lane.
    package static let call: [SettingSchema] = [
        SettingSchema("lane", .string, "The name of the lane", isRequired: true),
        SettingSchema("parameters", .map(.any), "The values of the lane's parameters"),
    ]

    static let callNames = Set(call.map(\.name))

    /// The keys of an input.
    static let input: [SettingSchema] = [
        SettingSchema("path", .path, "The glob or path, relative to the root", isRequired: true),
        SettingSchema("optional", .bool, "There may be no such file", default: .bool(false)),
    ]

    static let dotenv: [SettingSchema] = [
        SettingSchema("path", .path, "The file", isRequired: true),
        SettingSchema("optional", .bool, "The file may be missing", default: .bool(false)),
    ]

    static let retry: [SettingSchema] = [
        SettingSchema("times", .integer(0...100), "The number of further attempts", isRequired: true),
        SettingSchema("backoff", .duration, "The delay before the second attempt; doubled for each further attempt"),
        SettingSchema("statuses", .list(.integer(1...255)), "The exit statuses that are retried; all by default"),
    ]
}
