package import Expressions
package import Text

/// A step of a plan: one action. Its expressions are evaluated when the step runs.
///
/// The type is a class because many parts of a run refer to the same step.
package final class PlanStep: Sendable {
    /// The stage of its group in which a step runs.
    package enum Stage: String, Sendable {
        /// A step that runs in the order of `steps`, after its dependencies succeeded.
        case main
        /// A step that runs after the transaction is applied.
        case then
        /// A step that runs if a main or `then` step of the group failed.
        case onFailure = "on-failure"
        /// A step that always runs at the end.
        case always

        /// A Boolean value that indicates whether steps of the stage run at the end of their group, even after a
        /// failure.
        package var isHook: Bool { self == .onFailure || self == .always }
    }

    /// The default time limit of a hook. The timeout of a lane does not apply to hooks.
    static let hookTimeout = Duration.seconds(600)

    /// The identifier: the path of the group, a slash, and `key`.
    package let id: String
    /// The name of the step in its group, as in `${{ steps.<key>.<output> }}`.
    package var key: Substring { id[(id.lastIndex(of: "/").map { id.index(after: $0) } ?? id.startIndex)...] }
    /// The name in expressions: the ID of a `foreach` for each of its steps; otherwise, `key`.
    package var outputKey: String { task.series ?? String(key) }
    /// The name for the output.
    package let name: String
    /// The expressions in the name whose values are not known before the run.
    private let nameExpressions: [Expression]
    /// A Boolean value that indicates whether the name is a command, which quotes values for a shell.
    private let nameIsCommand: Bool
    /// The index of the group.
    package let group: Int
    /// The order and the condition of the step.
    package let schedule: StepSchedule
    /// The action of the step.
    package let task: StepTask
    /// The time limit and the retries of the step.
    package let limits: StepLimits
    /// The files that determine whether the step is up to date.
    package let files: StepFiles
    /// The location of the step, or `nil` in a plan without a lane file.
    package let span: Span?

    init(
        id: String, name: String, nameExpressions: [Expression] = [], nameIsCommand: Bool = false, group: Int,
        schedule: StepSchedule = StepSchedule(), task: StepTask,
        limits: StepLimits = StepLimits(), files: StepFiles = StepFiles(), span: Span? = nil
    ) {
        self.id = id
        self.name = name
        self.nameExpressions = nameExpressions
        self.nameIsCommand = nameIsCommand
        self.group = group
        self.schedule = schedule
        self.task = task
        self.limits = limits
        self.files = files
        self.span = span
    }

    /// Returns the name with the values of expressions as far as they are known.
    package func name(in context: @autoclosure () -> EvaluationContext) -> String {
        guard !nameExpressions.isEmpty else { return name }
        let context = context()
        let shown = nameExpressions.reduce(name) { name, expression in
            // Values of parameters and `let` that are not known before the run are hidden.
            guard expression.contexts.isDisjoint(with: [.parameters, .let]),
                let value = try? expression.evaluate(in: context), let words = value.shownWords,
                let text = value.shownText
            else { return name }
            return nameIsCommand
                ? ShellScript.replacing(expression.source, with: words, in: name)
                : name.replacing(expression.source, with: text)
        }
        return TerminalText.onOneLine(shown)
    }

    /// The keys of the steps in the group whose outputs the expressions read.
    package var stepNames: Set<String> { expressions.names(in: .steps) }

    /// Returns a Boolean value that indicates whether the step is a command with an ID in a group, which may write
    /// variables of later steps to `LANE_ENV`.
    func mayWriteVariables(of group: Int) -> Bool {
        self.group == group && task.isNamed && task.action == .builtIn(.run)
    }

    var expressions: [Expression] {
        var found = task.settings.expressions
        if let condition = schedule.condition { found.append(condition) }
        for (_, template) in task.environment { found += template.expressions }
        if let directory = task.directory { found += directory.expressions }
        for template in files.inputs { found += template.expressions }
        for template in files.outputs { found += template.expressions }
        return found
    }
}

/// The order and the condition of a step in a plan.
package struct StepSchedule: Sendable {
    /// The stage in the group. `Plan.stage(of:)` also considers the enclosing groups.
    package internal(set) var stage = PlanStep.Stage.main
    /// The condition for the step to run. Without a condition, the step runs unless an earlier step failed.
    package internal(set) var condition: Expression?
    /// The indices of the steps that must succeed before this one starts.
    ///
    /// A hook starts when all other steps of its group and these hooks have finished, regardless of failures.
    package internal(set) var dependencies: [Int] = []
}

/// The action of a step in a plan.
package struct StepTask: Sendable {
    /// The action: built in, or an executable in `Lanes/actions`.
    package let action: ActionKind
    /// The settings. They may read outputs of other steps and are evaluated when the step starts.
    package let settings: SettingsTemplate
    /// The environment variables. Later variables override earlier ones and the environment of `lane`.
    package internal(set) var environment: [(name: String, value: Template)] = []
    /// The working directory of commands, relative to the root. `nil` means the root.
    package internal(set) var directory: Template?
    /// The value of `foreach` for this step; `nil` without `foreach`.
    package internal(set) var item: String?
    /// The ID that all steps of a `foreach` share in expressions.
    package internal(set) var series: String?
    /// The secrets that are passed to child processes. All other secrets are removed from their environment.
    package internal(set) var secrets: Set<String> = []
    /// A Boolean value that indicates whether the step uses the terminal. Such a step runs alone.
    package internal(set) var isInteractive = false
    /// A Boolean value that indicates whether the lane file contains an `id` for the step, by which expressions can
    /// read its outputs.
    package internal(set) var isNamed = false
}

/// The time limit and the retries of a step, and the effect of its failure.
package struct StepLimits: Sendable {
    /// The time limit of each attempt. `nil` means that only the limit of the lane applies.
    package internal(set) var timeout: Duration?
    /// The retries. `nil` means that the step runs once.
    package internal(set) var retry: Retry?
    /// A Boolean value that indicates whether the run continues after a failure of the step.
    package internal(set) var continuesOnError = false
    /// The time from the first signal to SIGKILL. `nil` means the default of the run.
    package internal(set) var grace: Duration?
}
