package import Actions
import CLibrary
package import Events
package import Expressions
import Git
import LaneModel
package import OperatingSystem
import Records

/// The constant part of a run, shared by its steps.
final class RunContext: EventSink {
    let plan: Plan
    let actions: [String: any StepAction]
    let environment: RunEnvironment
    let events: EventStream
    let options: RunOptions
    let mask: SecretMask
    /// The cache of up-to-date steps, or `nil` if no step of the plan declares files.
    let cache: StepCache?
    /// The key of fingerprints if values of the plan may be secrets.
    let stateKey: [UInt8]?
    let reused: ReusedResults
    let background: BackgroundProcesses
    /// The releases whose versions the steps of this run or of the resumed run have determined.
    let releases: PlannedReleases
    /// A unique name of this run.
    let run = "\(getpid()).\(Monotonic.now.components.seconds).\(Monotonic.now.components.attoseconds)"
    /// The cancellation of main steps, which a failure also requests if the policy is `cancelOthers`.
    let workCancellation: Cancellation
    /// The cancellation of hooks. Hooks run after a first request, and a second request ends them.
    let hookCancellation: Cancellation

    init(
        _ plan: Plan, _ actions: [String: any StepAction], in environment: RunEnvironment, events: EventStream,
        options: RunOptions, reused: ReusedResults, isRecorded: Bool
    ) {
        self.plan = plan
        self.actions = actions
        self.environment = environment
        self.events = events
        self.options = options
        self.reused = reused
        releases = PlannedReleases(reused.releases)
        background = BackgroundProcesses(plan) { actions[$0.task.action.name]?.leavesProcesses ?? false }
        mask = SecretMask(plan.secretValues(in: environment.variables))
        let usesCache = plan.steps.contains { !$0.files.isEmpty }
        cache = isRecorded && usesCache ? StepCache(root: environment.root) : nil
        stateKey = cache != nil && plan.hasSecrets ? StateKey.read(root: environment.root) : nil
        workCancellation = Cancellation(following: environment.cancellation)
        hookCancellation = Cancellation(following: environment.cancellation, from: .immediate)
    }

    var root: String { environment.root }

    /// Returns a runner whose child processes get only the given secrets of the plan.
    func processes(with secrets: Set<String>) -> any ProcessRunner {
        let withheld = plan.allSecrets.subtracting(secrets)
        return withheld.isEmpty
            ? environment.processes : WithholdingRunner(environment.processes, withholding: withheld)
    }

    /// Starts a process that runs until the lane of a step ends.
    ///
    /// The process keeps running after a first cancellation, because hooks may use it. A second request ends it.
    func startInBackground(
        _ command: Command, for step: PlanStep, receive: @escaping @Sendable ([UInt8]) -> Void,
        cleanUp: @escaping @Sendable () -> Void
    ) -> BackgroundProcess {
        let cancellation = Cancellation(following: environment.cancellation, from: .immediate)
        let processes = StepProcesses(
            base: processes(with: step.task.secrets), mask: mask, limit: nil, grace: step.limits.grace ?? options.grace,
            cancellation: cancellation)
        let output = StepID("\(step.id).output")
        let process = BackgroundProcess(
            command, by: processes, cancellation: cancellation, log: log(of: output),
            receive: { [events] bytes in
                _ = events.read(RunRecorder.self) { $0.append(bytes, toLogOf: output) }
                receive(bytes)
            },
            cleanUp: { [events] in
                _ = events.read(RunRecorder.self) { $0.finishLog(of: output) }
                cleanUp()
            },
            didEnd: { [weak self] process in
                self?.report(.warning, "\(step.name) has ended: \(process.reason)")
            })
        background.add(process, of: step)
        return process
    }

    /// Returns the path of a step's log, relative to the root, or `nil` if the run has no logs.
    func log(of step: StepID) -> String? { events.read(RunRecorder.self) { $0.log(of: step) } ?? nil }

    /// Sends an event of the run as a whole.
    func send(_ kind: LaneEvent.Kind) { send(kind, step: nil) }

    /// Sends an event with masked secrets.
    func send(_ kind: LaneEvent.Kind, step: StepID?) {
        events.send(kind.masked(by: mask), step: step)
    }
}

/// The environment of a run: directory, environment variables, processes, and earlier results.
package struct RunEnvironment: Sendable {
    /// The absolute path of the package's root.
    let root: String
    /// The environment variables that steps inherit.
    let variables: [String: String]
    /// The value of `PATH` for commands of the lane file.
    let commandPath: String?
    let processes: any ProcessRunner
    /// The cancellation that signals request.
    let cancellation: Cancellation
    /// A closure that returns the time in seconds since 1970.
    let now: @Sendable () -> Double
    let transactions: (any ReleaseSource)?
    /// The last transaction in this checkout, after which a run can continue.
    let lastTransaction: TransactionRecord?
    /// A Boolean value that indicates whether the run continues after the last transaction even if another run
    /// committed it.
    let continuesTransaction: Bool
    /// The context of expressions outside all groups.
    let evaluation: EvaluationContext

    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - root: The absolute path of the package's root.
    ///   - variables: The environment variables that steps inherit.
    ///   - commandPath: The value of `PATH` for commands of the lane file, or `nil` for that of the variables.
    ///   - now: A closure that returns the time in seconds since 1970.
    ///   - transactions: The source of transactions. Without it, a plan with a transaction fails.
    ///   - lastTransaction: The last transaction in this checkout. A resumed run does not repeat its own transaction.
    ///   - continuesTransaction: A Boolean value that indicates whether the run continues after the last transaction
    ///     even if another run committed it.
    ///   - evaluation: The context of expressions outside all groups, such as `git` and `ci`.
    package init(
        root: String, variables: [String: String], commandPath: String? = nil, processes: any ProcessRunner,
        cancellation: Cancellation, now: @escaping @Sendable () -> Double,
        transactions: (any ReleaseSource)? = nil, lastTransaction: TransactionRecord? = nil,
        continuesTransaction: Bool = false,
        evaluation: EvaluationContext = EvaluationContext()
    ) {
        self.root = root
        var variables = variables
        // A step of a run inside a git hook works on the package, not on the repository and the index of the hook.
        for name in repositoryVariables { variables[name] = nil }
        variables[ChildMark.root] = root
        self.variables = variables
        self.commandPath = commandPath
        self.processes = processes
        self.cancellation = cancellation
        self.now = now
        self.transactions = transactions
        self.lastTransaction = lastTransaction
        self.continuesTransaction = continuesTransaction
        var evaluation = evaluation
        evaluation.environment = variables
        self.evaluation = evaluation
    }
}

/// Options for running a plan.
package struct RunOptions: Sendable {
    /// The part of a plan that is run.
    package enum Part: Sendable, Equatable {
        case all
        /// The steps that have not succeeded in the lane's last run.
        case rest
        /// One step. The last run provides the results that it reads.
        case only(StepID)

        /// The ID of the only step.
        package var step: String? { if case .only(let id) = self { id.description } else { nil } }
    }

    /// The effect of a step's failure on other steps.
    package enum FailurePolicy: Sendable {
        /// Running steps continue, and no further step starts.
        case stop
        /// Running steps are cancelled.
        case cancelOthers
        /// All steps that do not depend on the failed step run.
        case keepGoing
    }

    /// The maximum number of steps that run at the same time, at least 1.
    package var jobs: Int
    /// The policy for main steps. Hooks run regardless of failures.
    package var failurePolicy: FailurePolicy
    /// The time from SIGTERM to SIGKILL for a child process, and the time limit of all hooks after a cancellation.
    var grace: Duration
    /// The part to run. Any part except `all` requires the records of an earlier run.
    package var part = Part.all
    /// A Boolean value that indicates whether up-to-date steps run as well.
    package var isForced = false
    /// A Boolean value that indicates whether steps with declared inputs report why they run.
    package var explains = false
    /// The command to run a step again.
    package var repeatCommand: RepeatCommand?
    /// The command to run the failed tests of a step again.
    package var repeatFailedCommand: RepeatCommand?
    /// The command to run some tests of a step. The caller appends their names.
    package var repeatTestsCommand: RepeatCommand?

    /// Creates options. Values of `jobs` below 1 count as 1.
    package init(jobs: Int, failurePolicy: FailurePolicy = .stop, grace: Duration = .seconds(5)) {
        self.jobs = max(1, jobs)
        self.failurePolicy = failurePolicy
        self.grace = grace
    }
}

/// A command line that runs a step again and nothing else.
package struct RepeatCommand: Sendable {
    private let start: [String]
    private let rest: [String]
    private let namesStep: Bool
    /// The steps that cannot run without the other steps.
    package var excluded: Set<StepID>
    /// The text to append for some steps.
    package var endings: [StepID: String] = [:]

    /// - Parameters:
    ///   - start: The words up to the option that names the step.
    ///   - rest: The words after it.
    ///   - namesStep: A Boolean value that indicates whether the command needs this option, because the lane has other
    ///     steps.
    ///   - excluded: The steps that cannot run without the other steps.
    package init(_ start: [String], _ rest: [String], namesStep: Bool, excluded: Set<StepID> = []) {
        (self.start, self.rest, self.namesStep, self.excluded) = (start, rest, namesStep, excluded)
    }

    /// Returns the command for a step, or `nil` if the step cannot run without the other steps.
    package func line(for step: StepID) -> String? {
        guard !excluded.contains(step) else { return nil }
        let option = namesStep ? ["--step", step.description] : []
        return ShellWords.line(start + option + rest) + (endings[step] ?? "")
    }
}
