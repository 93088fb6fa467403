/// The keys of lane files, described once for checking, help and the editors' schema.
package enum LaneKeys {
    /// Of a lane file.
    package static let lane: [SettingSchema] = [
        SettingSchema("summary", .string, "One line for 'lane list'"),
        SettingSchema("description", .string, "More, for 'lane NAME --help'"),
        SettingSchema("include", .list(.string), "Files whose names begin with '_', with what lanes have in common"),
        SettingSchema("private", .bool, "Only other lanes may start it", default: .bool(false)),
        SettingSchema("parameters", .map(.either([kind, .object(parameter)])), "What the lane is started with"),
        SettingSchema("needs", .list(.either([.string, .object(call)])), "Lanes that must have ended well before"),
        SettingSchema("if", .string, "A condition; without it the lane is skipped"),
        SettingSchema("matrix", .map(.any), "Lists of values; the lane runs once for each combination"),
        SettingSchema("env", .map(.string), "Environment variables of every step"),
        SettingSchema("dotenv", .list(.either([.path, .object(dotenv)])), "Files with environment variables"),
        SettingSchema(
            "secrets", .list(.string),
            "Environment variables whose values are masked, and given only to steps that name them"),
        SettingSchema("timeout", .duration, "How long the lane may take"),
        SettingSchema(
            "retry", .either([.integer(0...100), .object(retry)]), "How steps without 'retry' are tried again"),
        SettingSchema(
            "transaction", .bool, "Steps run in a private worktree; all of it becomes real at once, or nothing",
            default: .bool(false)),
        SettingSchema("steps", .list(.step), "What the lane does, in order"),
        SettingSchema("then", .list(.step), "Steps after the transaction has become real"),
        SettingSchema(
            "on-failure", .list(.step),
            "Steps that run one after another only when one above has failed; each gets 10m unless it has a 'timeout'"),
        SettingSchema(
            "always", .list(.step),
            "Steps that run one after another at the end, whatever happened; each gets 10m unless it has a 'timeout'"),
    ]

    /// The keys of a file that lanes include.
    static let shared: Set<String> = ["include", "parameters", "env", "dotenv", "secrets", "on-failure", "always"]

    /// Of a step, beside its action.
    package static let step: [SettingSchema] = [
        SettingSchema("id", .string, "The name under which later steps find its outputs"),
        SettingSchema("name", .string, "What people see"),
        SettingSchema("if", .string, "A condition; without it the step is skipped"),
        SettingSchema("env", .map(.string), "Environment variables of the step"),
        SettingSchema("secrets", .list(.string), "The lane's secrets that the step gets as environment variables"),
        SettingSchema("timeout", .duration, "How long the step may take"),
        SettingSchema("retry", .either([.integer(0...100), .object(retry)]), "How it is tried again after a failure"),
        SettingSchema("continue-on-error", .bool, "A failure does not end the lane", default: .bool(false)),
        SettingSchema("interactive", .bool, "The step has the terminal for itself", default: .bool(false)),
        SettingSchema("inputs", .list(.string), "Files that it reads; unchanged, the step is up to date"),
        SettingSchema("outputs", .list(.string), "Files that it makes; they must be there for it to be up to date"),
        SettingSchema("parallel", .list(.step), "Steps that run side by side"),
    ]

    /// Keys of other tools, with hints to what does the same here.
    static let foreign: [String: String] = [
        "cwd": "use 'run: { command: …, directory: … }'",
        "dir": "use 'run: { command: …, directory: … }'",
        "working-directory": "use 'run: { command: …, directory: … }'",
        "when": "use 'if'",
        "foreach": "use 'matrix' in the lane",
        "shell": "use 'run': a string goes through sh, a list is started directly",
        "depends": "use 'needs' in the lane",
        "deps": "use 'needs' in the lane",
        "depends-on": "use 'needs' in the lane",
    ]

    static let stepNames = Set(step.map(\.name))

    /// Keys of a step in which expressions may stand.
    static let takesExpressions: Set<String> = ["if", "env", "inputs", "outputs"]

    /// What a `lane` or `parallel` step may have besides its action.
    static func outerStep(_ action: String) -> [String]? {
        switch action {
        case "lane": ["id", "name", "if", "timeout"]
        case "parallel": ["name", "if"]
        default: nil
        }
    }

    private static let kind = SettingType.choice(Parameter.Kind.allCases.map(\.rawValue))

    /// Of a parameter that is not just its type.
    package static let parameter: [SettingSchema] = [
        SettingSchema(
            "type", kind, "What its values are", default: .string("string")),
        SettingSchema("position", .integer(1...32), "Its place on the command line; without it only '--name' works"),
        SettingSchema("default", .any, "Its value when none is given"),
        SettingSchema("required", .bool, "A value must be given", default: .bool(false)),
        SettingSchema("values", .list(.string), "The values of an enum"),
        SettingSchema("help", .string, "One line for '--help'"),
    ]

    static let call: [SettingSchema] = [
        SettingSchema("lane", .string, "The lane", isRequired: true),
        SettingSchema("parameters", .map(.any), "Values for its parameters"),
    ]

    static let dotenv: [SettingSchema] = [
        SettingSchema("path", .path, "The file", isRequired: true),
        SettingSchema("optional", .bool, "The lane runs without it", default: .bool(false)),
    ]

    static let retry: [SettingSchema] = [
        SettingSchema("times", .integer(0...100), "Further attempts", isRequired: true),
        SettingSchema("backoff", .duration, "The pause before the second attempt; doubled before each further one"),
        SettingSchema("statuses", .list(.integer(1...255)), "Only these exit statuses are worth another attempt"),
    ]
}
