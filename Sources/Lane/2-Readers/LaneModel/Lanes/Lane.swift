package import Expressions
package import Text

/// A checked lane: all names are defined and all values have the expected types.
package struct Lane: Sendable {
    /// The name of the lane file without its extension.
    package internal(set) var name: String
    /// The one-line summary for `lane list`.
    package internal(set) var summary: String?
    /// The description for `lane NAME --help`.
    package internal(set) var description: String?
    /// Other names for the lane on the command line.
    package internal(set) var aliases: [LaneAlias] = []
    /// The heading of the lane in `lane list`.
    package internal(set) var group: String?
    /// A Boolean value that indicates whether `lane` without a name runs the lane.
    package internal(set) var isDefault = false
    /// The question that the user must answer with yes before the lane runs.
    var question: String?
    /// The parameters in the order of the file, after those of included files.
    package internal(set) var parameters: [Parameter] = []
    /// A Boolean value that indicates whether the lane is not listed and only other lanes can run it.
    package internal(set) var isPrivate = false
    /// A Boolean value that indicates whether the lane is built in, so that it has no file in the package.
    package internal(set) var isBuiltIn = false
    /// The lanes that must succeed before this one starts.
    package internal(set) var needs: [LaneCall] = []
    /// The values of `let` in the order of the file, after those of included files.
    package internal(set) var values: [LaneValue] = []
    /// The environment variables of every step, after those of included files.
    package internal(set) var environment: [(name: String, value: Template)] = []
    /// The working directory of `run` steps and custom actions.
    var directory: Template?
    /// The dotenv files, in the order in which they are read.
    package internal(set) var dotenv: [DotEnvFile] = []
    /// The names of environment variables whose values are masked.
    package internal(set) var secrets: [String] = []
    /// The time limit of all steps together, except hooks, which have separate limits.
    package internal(set) var timeout: Duration?
    /// The grace period of steps without `grace`.
    var grace: Duration?
    /// The retries of steps without `retry`.
    var retry: Retry?
    /// The condition for the lane to run.
    var condition: Expression?
    /// The combinations of values for which the steps run.
    var matrix: Matrix?
    /// A Boolean value that indicates whether the main steps run in a private worktree whose result is applied entirely
    /// or not at all.
    package internal(set) var isTransaction = false
    /// The main steps, which run one after another.
    package internal(set) var steps: [Step] = []
    /// The steps that run after the transaction is applied.
    package internal(set) var then: [Step] = []
    /// The steps that run one after another if a step failed.
    package internal(set) var onFailure: [Step] = []
    /// The steps that run one after another at the end, regardless of failures.
    package internal(set) var always: [Step] = []
    /// A Boolean value that indicates whether the lane file was readable. If not, only the name is known.
    var isReadable = true
    /// The IDs of the steps.
    var stepIDs: Set<String> = []
    /// A Boolean value that indicates whether a step was omitted because its action has no description.
    var hasUndescribedAction = false
    /// The names of all included files, directly or indirectly.
    var files: [String] = []
    /// The location of the lane file's start.
    let span: Span

    /// A Boolean value that indicates whether the lane has steps or hooks.
    var runsAroundLanes: Bool { !steps.isEmpty || hasHooks }

    /// A Boolean value that indicates whether the lane has hooks.
    var hasHooks: Bool { !onFailure.isEmpty || !always.isEmpty }

    /// A Boolean value that indicates whether a step of the lane itself starts a service, which runs until the lane ends.
    var startsService: Bool {
        var found = false
        steps.forEachStep { if case .action(.builtIn(.service), _) = $0.content { found = true } }
        return found
    }

    /// The largest number of steps or lanes that the lane starts at once in a `parallel` step or in `needs`.
    var parallelWidth: Int {
        let members = stages.joined().map { step in
            if case .parallel(let members) = step.content { members.count } else { 1 }
        }
        return max(needs.count, members.max() ?? 1)
    }

    /// Returns the parameter with a name.
    package func parameter(_ name: String) -> Parameter? {
        parameters.first { $0.name == name }
    }

    /// The positional parameters in the order of their positions.
    package var positionals: [Parameter] {
        parameters.filter { $0.position != nil }.sorted { ($0.position ?? 0) < ($1.position ?? 0) }
    }
}

/// Another name for a lane on the command line.
package struct LaneAlias: Sendable {
    package let name: String
    let span: Span?
}

/// A typed parameter of a lane.
package struct Parameter: Sendable {
    /// The type of a parameter in lane files.
    package enum Kind: String, Sendable, CaseIterable {
        case string, bool, int, version, duration, `enum`, path

        /// Returns the type of a word.
        ///
        /// - Parameter values: The values of an `enum`.
        func type(_ values: [String]) -> SettingType {
            switch self {
            case .string: .string
            case .bool: .bool
            case .int: .integer(.min ... .max)
            case .version: .version
            case .duration: .duration
            case .enum: .choice(values)
            case .path: .path
            }
        }
    }

    /// The name in lane files. On the command line, the option has two dashes before the name.
    package let name: String
    /// The type of the values.
    package internal(set) var kind: Kind = .string
    /// The position on the command line, starting at 1, or `nil` for a parameter that is only an option.
    package internal(set) var position: Int?
    /// The default value, which has the type of the parameter.
    package internal(set) var defaultValue: Value?
    /// The command whose output is the default value.
    package internal(set) var defaultCommand: ValueCommand?
    /// A Boolean value that indicates whether the value is masked in all output.
    package internal(set) var isSecret = false
    /// The environment variable whose value is the default, if it is set and not empty.
    package internal(set) var variable: String?
    /// A Boolean value that indicates whether the lane requires a value.
    package internal(set) var isRequired = false
    /// A Boolean value that indicates whether the value is a list: all remaining words of the command line, or one value
    /// for each use of the option.
    package internal(set) var isVariadic = false
    /// The values of an `enum`.
    package internal(set) var values: [String] = []
    /// The one-line help for `lane NAME --help`.
    package internal(set) var help: String?
    /// The location of the parameter, or `nil` if the lane is built in.
    package let span: Span?

    /// A Boolean value that indicates whether the caller must pass a value, because no default or environment variable
    /// provides it.
    package var mustBeGiven: Bool { isRequired && variable == nil }

    /// A Boolean value that indicates whether the parameter is an option without a value.
    package var isFlag: Bool { kind == .bool && position == nil }

    /// A Boolean value that indicates whether there is an option `--no-name`.
    package var hasInverse: Bool {
        isFlag && (isRequired || defaultValue == .bool(true) || variable != nil || defaultCommand != nil)
    }

    /// The type of the value in lane files: that of a word, or of a list of words.
    var valueType: SettingType { isVariadic ? .list(type) : type }

    /// The type of a word of the command line.
    package var type: SettingType { kind.type(values) }
}

/// A reference to another lane, with values for its parameters.
package struct LaneCall: Sendable {
    /// The name of the lane.
    package let lane: String
    /// The values of its parameters.
    var arguments: [LaneArgument] = []
    let span: Span?
}

/// A parameter value of a `lane` step or `needs` entry. Its expressions can use only values that are known before the
/// run.
struct LaneArgument: Sendable {
    /// The name of the parameter.
    let name: String
    /// The value, or the expressions that compute it.
    let node: SettingsTemplate.Node
    /// The location of the name.
    let nameSpan: Span?
    /// The location of the value.
    let valueSpan: Span?
}

/// A dotenv file that is read before the first step of the lane.
package struct DotEnvFile: Sendable, Equatable {
    /// The path relative to the package's root.
    package let path: String
    /// A Boolean value that indicates whether the file may be missing.
    package internal(set) var isOptional = false
    /// The location of the path in the lane file.
    package let span: Span?
}

/// The combinations of values for which the steps of a lane run in parallel.
struct Matrix: Sendable {
    /// The combinations, at least one. The values are in the order of the axes.
    let combinations: [[(name: String, value: Value)]]
}

/// One step of a lane.
package struct Step: Sendable {
    /// The action of a step, or the steps that replace it in a plan.
    package enum Content: Sendable {
        case action(ActionKind, SettingsTemplate)
        case lane(LaneCall)
        /// Steps that run in parallel.
        case parallel([Step])
    }

    /// The content of the step.
    package internal(set) var content: Content
    /// The name of the step in expressions.
    var id: String?
    /// The name of the step in the output.
    var name: SettingsTemplate.Node?
    /// The values of `foreach`, for which the step runs one after another. `nil` for a step without `foreach`.
    var items: StepItems?
    /// The value of `foreach` for this step.
    var item: String?
    /// The ID that all steps of a `foreach` share, in addition to their unique IDs.
    var series: String?
    /// The condition for the step to run.
    package internal(set) var condition: Expression?
    /// The environment variables, which override those of the lane.
    var environment: [(name: String, value: Template)] = []
    /// The working directory of a `run` step or a custom action. `nil` means that of the lane.
    var directory: Template?
    /// The secrets that are passed to the step.
    var secrets: Set<String> = []
    /// The time limit of each attempt.
    var timeout: Duration?
    /// The time from the first signal to SIGKILL. `nil` means that of the lane.
    var grace: Duration?
    /// The retries. `nil` means those of the lane.
    var retry: Retry?
    /// A Boolean value that indicates whether the lane continues if the step fails.
    var continuesOnError = false
    /// A Boolean value that indicates whether the step uses the terminal.
    var isInteractive = false
    /// The input and output files.
    var files = StepFiles()
    /// The location of the action's name.
    let span: Span?
}

extension Lane {
    /// The steps of each stage, in the order of the run.
    var stages: [[Step]] { [steps, then, onFailure, always] }

    /// Calls `body` with each step of all stages, and with the members of a `parallel` step in its place.
    func forEachStep(_ body: (Step) -> Void) {
        for steps in stages { steps.forEachStep(body) }
    }
}

extension [Step] {
    /// Calls `body` with each step, and with the members of a `parallel` step in its place.
    func forEachStep(_ body: (Step) -> Void) {
        // Indices avoid copies of the steps.
        for index in indices {
            if case .parallel(let members) = self[index].content {
                members.forEachStep(body)
            } else {
                body(self[index])
            }
        }
    }
}

/// The input and output files of a step, which determine whether the step is up to date.
package struct StepFiles: Sendable {
    /// The globs of the files that the step reads, relative to the root.
    package internal(set) var inputs: [Template] = []
    /// The indices of the inputs that may match no file.
    package internal(set) var optionalInputs: Set<Int> = []
    /// The globs of the files that the step writes, relative to the root.
    package internal(set) var outputs: [Template] = []

    /// A Boolean value that indicates whether the step declares no files. Such a step always runs.
    package var isEmpty: Bool { inputs.isEmpty && outputs.isEmpty }
}

extension Step {
    /// Returns the step with an additional condition.
    func under(_ outer: Expression?) -> Step {
        guard let outer else { return self }
        var step = self
        step.condition = condition.map { outer.and($0) } ?? outer
        return step
    }
}

/// The conditions and the number of retries.
package struct Retry: Sendable, Equatable {
    /// The number of attempts after the first.
    package let times: Int
    /// The delay before the second attempt. It doubles for each further attempt.
    package internal(set) var backoff = Duration.zero
    /// The exit statuses that are retried. If empty, all failures are retried, including timeouts.
    package internal(set) var statuses: [Int] = []
}
