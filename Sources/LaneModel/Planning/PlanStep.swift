package import Diagnostics

/// One action to run, with expressions that need other steps' results still unevaluated. A class, as whoever has to do
/// with a step takes the whole of it in hand.
package final class PlanStep: Sendable {
    /// When in its group a step runs.
    package enum Stage: String, Sendable {
        case main
        /// After a transaction became real.
        case then
        /// Only when a main or `then` step of the group failed.
        case onFailure = "on-failure"
        /// Whatever happened.
        case always

        /// Whether its steps come at the end of their group, whatever became of the others.
        package var isHook: Bool { self == .onFailure || self == .always }
    }

    /// How long a hook may take that says nothing of it: no timeout of a lane ends it.
    package static let hookTimeout = Duration.seconds(600)

    /// The group's path, a slash and `key`.
    package let id: String
    /// Under this name `${{ steps.<key>.<output> }}` finds the step's outputs within its group.
    package var key: Substring { id[(id.lastIndex(of: "/").map { id.index(after: $0) } ?? id.startIndex)...] }
    /// What people see.
    package let name: String
    /// The index of its group.
    package let group: Int
    package let stage: Stage
    package let action: ActionKind
    package let settings: SettingsTemplate
    package let condition: Expression?
    /// Later names win over earlier ones and over the environment of `lane`.
    package let environment: [(name: String, value: Template)]
    package let timeout: Duration?
    package let retry: Retry?
    package let continuesOnError: Bool
    package let isInteractive: Bool
    /// Globs relative to the root; both empty means that the step always runs.
    package let inputs: [Template]
    package let outputs: [Template]
    /// Indices of the steps that must have ended well before this one begins. A hook begins once everything else of its
    /// group has ended, and so have the hooks named here, well or not.
    package let dependencies: [Int]
    package let span: Span?

    package init(
        id: String, name: String, group: Int, stage: Stage = .main, action: ActionKind, settings: SettingsTemplate,
        condition: Expression? = nil, environment: [(name: String, value: Template)] = [], timeout: Duration? = nil,
        retry: Retry? = nil, continuesOnError: Bool = false, isInteractive: Bool = false, inputs: [Template] = [],
        outputs: [Template] = [], dependencies: [Int] = [], span: Span? = nil
    ) {
        self.id = id
        self.name = name
        self.group = group
        self.stage = stage
        self.action = action
        self.settings = settings
        self.condition = condition
        self.environment = environment
        self.timeout = timeout
        self.retry = retry
        self.continuesOnError = continuesOnError
        self.isInteractive = isInteractive
        self.inputs = inputs
        self.outputs = outputs
        self.dependencies = dependencies
        self.span = span
    }

    /// The same with other variables before its own.
    func adding(_ variables: [(name: String, value: Template)]) -> PlanStep {
        PlanStep(
            id: id, name: name, group: group, stage: stage, action: action, settings: settings, condition: condition,
            environment: variables + environment, timeout: timeout, retry: retry, continuesOnError: continuesOnError,
            isInteractive: isInteractive, inputs: inputs, outputs: outputs, dependencies: dependencies, span: span)
    }
}

/// How often and when a step is tried again.
package struct Retry: Sendable, Equatable {
    /// Further attempts after the first.
    package let times: Int
    /// Before the second attempt; doubled before each one after it.
    package let backoff: Duration
    /// Only these statuses are worth another attempt; empty means any, a timeout included.
    package let statuses: [Int]

    package init(times: Int, backoff: Duration = .zero, statuses: [Int] = []) {
        self.times = times
        self.backoff = backoff
        self.statuses = statuses
    }
}
