package import Diagnostics

/// A lane as checked: every name in it is known and every value has its type.
package struct Lane: Sendable {
    /// The name of its file.
    package let name: String
    /// One line for `lane list`.
    package internal(set) var summary: String?
    /// More for `lane NAME --help`.
    package internal(set) var description: String?
    /// In the order of the file; those of included files come first.
    package internal(set) var parameters: [Parameter] = []
    /// Not listed, and not to be asked for by itself.
    package internal(set) var isPrivate = false
    /// Lanes that must have ended well before this one begins.
    package internal(set) var needs: [LaneCall] = []
    var environment: [(name: String, value: Template)] = []
    var dotenv: [DotEnvFile] = []
    /// Names of environment variables whose values must not be shown.
    package internal(set) var secrets: [String] = []
    /// For its steps together; hooks have timeouts of their own.
    package internal(set) var timeout: Duration?
    /// Holds for every step that has none of its own.
    var retry: Retry?
    var condition: Expression?
    var matrix: Matrix?
    /// Its main steps run in a private worktree that becomes real as a whole or not at all.
    package internal(set) var isTransaction = false
    /// The main ones, each after the one before.
    package internal(set) var steps: [Step] = []
    /// After a transaction has become real.
    package internal(set) var then: [Step] = []
    /// After a failed step, one after another.
    package internal(set) var onFailure: [Step] = []
    /// At the end, whatever happened, one after another.
    package internal(set) var always: [Step] = []
    /// Whether its file could be read at all; if not, only its name is known.
    var isReadable = true
    /// Ids that its steps have been given.
    var stepIDs: Set<String> = []
    /// A Boolean value that indicates whether a step was left out because its action is not known beyond its name.
    var hasUndescribedAction = false
    /// The names of the files that it includes, also through others.
    var files: [String] = []
    /// The beginning of its file.
    let span: Span

    /// The parameter of that name, if the lane has it.
    package func parameter(_ name: String) -> Parameter? {
        parameters.first { $0.name == name }
    }

    /// The parameters with a place of their own on the command line, in the order of their places.
    package var positionals: [Parameter] {
        parameters.filter { $0.position != nil }.sorted { ($0.position ?? 0) < ($1.position ?? 0) }
    }
}

/// A typed value that a lane is started with.
package struct Parameter: Sendable {
    /// What a person may give.
    package enum Kind: String, Sendable, CaseIterable {
        case string, bool, int, version, duration, `enum`, path
    }

    /// As lane files write it; an option of the command line but for its dashes.
    package let name: String
    /// What its values are checked by.
    package internal(set) var kind: Kind = .string
    /// Its place among the words of the command line, from 1; `nil` when it is only an option.
    package internal(set) var position: Int?
    /// Already of its type; `nil` where there is none.
    package internal(set) var defaultValue: Value?
    /// Whether the lane cannot be planned without a value.
    package internal(set) var isRequired = false
    /// The values of an `enum`.
    package internal(set) var values: [String] = []
    /// A line for the lane's `--help`.
    package internal(set) var help: String?
    /// Where the file has it; `nil` for one of a built-in lane.
    package let span: Span?

    /// On the command line it is there or not, and has no value; with a place it has one.
    package var isFlag: Bool { kind == .bool && position == nil }

    /// The type that its values are checked by.
    package var type: SettingType {
        switch kind {
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

/// Another lane with values for its parameters.
package struct LaneCall: Sendable {
    /// The name of the lane.
    package let lane: String
    var arguments: [LaneArgument] = []
    let span: Span?
}

/// One value of a `lane` step or `needs` entry; expressions in it know only what is known before anything runs.
struct LaneArgument: Sendable {
    let name: String
    let node: SettingsTemplate.Node
    /// Where the name stands.
    let nameSpan: Span?
    let valueSpan: Span?
}

/// A dotenv file to be read before the lane's first step.
package struct DotEnvFile: Sendable, Equatable {
    /// Relative to the package's root.
    package let path: String
    /// Whether the lane runs without it.
    package let isOptional: Bool
    /// Where the lane file names it.
    package let span: Span?

    init(path: String, isOptional: Bool = false, span: Span? = nil) {
        self.path = path
        self.isOptional = isOptional
        self.span = span
    }
}

/// All combinations of some values, with which a lane's steps run side by side.
struct Matrix: Sendable {
    /// Never empty; members in the order of the axes.
    let combinations: [[(name: String, value: Value)]]
}

/// One step of a lane.
package struct Step: Sendable {
    /// What the step does.
    package enum Content: Sendable {
        case action(ActionKind, SettingsTemplate)
        case lane(LaneCall)
        /// Steps that run side by side.
        case parallel([Step])
    }

    /// One action, another lane, or several of these at once.
    package internal(set) var content: Content
    var id: String?
    var name: SettingsTemplate.Node?
    /// Only when it holds does the step run.
    package internal(set) var condition: Expression?
    var environment: [(name: String, value: Template)] = []
    /// The secrets that it gets.
    var secrets: Set<String> = []
    var timeout: Duration?
    var retry: Retry?
    var continuesOnError = false
    var isInteractive = false
    var files = StepFiles()
    let span: Span?
}
