package import Diagnostics

/// A lane as checked: every name in it is known and every value has its type.
package struct Lane: Sendable {
    /// The name of its file.
    package let name: String
    package internal(set) var summary: String?
    package internal(set) var description: String?
    package internal(set) var parameters: [Parameter] = []
    /// Not listed, and not to be asked for by itself.
    package internal(set) var isPrivate = false
    /// Lanes that must have ended well before this one begins.
    package internal(set) var needs: [LaneCall] = []
    package internal(set) var environment: [(name: String, value: Template)] = []
    package internal(set) var dotenv: [DotEnvFile] = []
    /// Names of environment variables whose values must not be shown.
    package internal(set) var secrets: [String] = []
    package internal(set) var timeout: Duration?
    /// Holds for every step that has none of its own.
    package internal(set) var retry: Retry?
    package internal(set) var condition: Expression?
    package internal(set) var matrix: Matrix?
    package internal(set) var isTransaction = false
    package internal(set) var steps: [Step] = []
    /// After a transaction has become real.
    package internal(set) var then: [Step] = []
    package internal(set) var onFailure: [Step] = []
    package internal(set) var always: [Step] = []
    /// Whether its file could be read at all; if not, only its name is known.
    var isReadable = true
    /// Ids that its steps have been given.
    var stepIDs: Set<String> = []
    /// The beginning of its file.
    package let span: Span

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

    package let name: String
    package internal(set) var kind: Kind = .string
    /// Its place among the words of the command line, from 1; `nil` when it is only an option.
    package internal(set) var position: Int?
    package internal(set) var defaultValue: Value?
    package internal(set) var isRequired = false
    /// The values of an `enum`.
    package internal(set) var values: [String] = []
    package internal(set) var help: String?
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
    package let lane: String
    package internal(set) var arguments: [LaneArgument] = []
    package let span: Span?
}

/// One value of a `lane` step or `needs` entry; expressions in it know only what is known before anything runs.
package struct LaneArgument: Sendable {
    package let name: String
    package let node: SettingsTemplate.Node
    /// Where the name stands.
    package let nameSpan: Span?
    package let valueSpan: Span?
}

/// A dotenv file to be read before the lane's first step.
package struct DotEnvFile: Sendable, Equatable {
    package let path: String
    /// Whether the lane runs without it.
    package let isOptional: Bool
    package let span: Span?

    package init(path: String, isOptional: Bool = false, span: Span? = nil) {
        self.path = path
        self.isOptional = isOptional
        self.span = span
    }
}

/// All combinations of some values, with which a lane's steps run side by side.
package struct Matrix: Sendable {
    /// Never empty; members in the order of the axes.
    package let combinations: [[(name: String, value: Value)]]
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

    package let content: Content
    package internal(set) var id: String?
    package internal(set) var name: String?
    package internal(set) var condition: Expression?
    package internal(set) var environment: [(name: String, value: Template)] = []
    package internal(set) var timeout: Duration?
    package internal(set) var retry: Retry?
    package internal(set) var continuesOnError = false
    package internal(set) var isInteractive = false
    package internal(set) var files = StepFiles()
    package let span: Span?
}
