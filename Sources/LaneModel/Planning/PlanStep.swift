package import Diagnostics

/// One action to run, with expressions that need other steps' results still unevaluated. A class, as whoever has to do
/// with a step takes the whole of it in hand.
package final class PlanStep: Sendable {
    /// When in its group a step runs.
    package enum Stage: String, Sendable {
        /// In the order of `steps`, each once what it depends on has ended well.
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
    /// When it runs, and whether.
    package let turn: StepTurn
    /// What it does.
    package let task: StepTask
    /// How long and how often it may try.
    package let limits: StepLimits
    /// What tells whether it is up to date.
    package let files: StepFiles
    /// Where the lane file has it; `nil` for a step that no file has.
    package let span: Span?

    package init(
        id: String, name: String, group: Int, turn: StepTurn = StepTurn(), task: StepTask,
        limits: StepLimits = StepLimits(), files: StepFiles = StepFiles(), span: Span? = nil
    ) {
        self.id = id
        self.name = name
        self.group = group
        self.turn = turn
        self.task = task
        self.limits = limits
        self.files = files
        self.span = span
    }

    /// The steps of its group whose outputs its expressions name.
    package var stepNames: Set<String> {
        var names: Set<String> = []
        forEachExpression { names.formUnion($0.names(in: .steps)) }
        return names
    }

    func forEachExpression(_ body: (Expression) -> Void) {
        if let condition = turn.condition { body(condition) }
        task.settings.forEachExpression(body)
        for (_, template) in task.environment { template.forEachExpression(body) }
        for template in files.inputs { template.forEachExpression(body) }
        for template in files.outputs { template.forEachExpression(body) }
    }

    /// The same with other variables before its own.
    func adding(_ variables: [(name: String, value: Template)]) -> PlanStep {
        var task = task
        task.environment = variables + task.environment
        return PlanStep(
            id: id, name: name, group: group, turn: turn, task: task, limits: limits, files: files, span: span)
    }
}

/// When a step of a plan runs, and whether.
package struct StepTurn: Sendable {
    /// Of its group; what surrounds the group may make a hook of it, see `Plan.stage(of:)`.
    package let stage: PlanStep.Stage
    /// Only when it holds does the step run; `nil` for a step that runs unless something before it failed.
    package let condition: Expression?
    /// Indices of the steps that must have ended well before this one begins. A hook begins once everything else of its
    /// group has ended, and so have the hooks named here, well or not.
    package let dependencies: [Int]

    package init(stage: PlanStep.Stage = .main, condition: Expression? = nil, dependencies: [Int] = []) {
        self.stage = stage
        self.condition = condition
        self.dependencies = dependencies
    }
}

/// What a step of a plan does.
package struct StepTask: Sendable {
    /// Built in, or an executable in `Lanes/actions`.
    package let action: ActionKind
    /// Evaluated when the step's turn has come, as they may speak of other steps' outputs.
    package let settings: SettingsTemplate
    /// Later names win over earlier ones and over the environment of `lane`.
    package internal(set) var environment: [(name: String, value: Template)]
    /// The secrets that its child processes get; all others are removed from their environment.
    package let secrets: Set<String>
    /// Whether it gets the terminal, and so the run to itself.
    package let isInteractive: Bool
    /// Whether the lane file gives it an id, and so may speak of its outputs.
    package let isNamed: Bool

    package init(
        _ action: ActionKind, _ settings: SettingsTemplate, environment: [(name: String, value: Template)] = [],
        secrets: Set<String> = [], isInteractive: Bool = false, isNamed: Bool = false
    ) {
        self.action = action
        self.settings = settings
        self.environment = environment
        self.secrets = secrets
        self.isInteractive = isInteractive
        self.isNamed = isNamed
    }
}
