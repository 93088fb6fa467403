import Actions
import Events
import Expressions
import LaneModel
import OperatingSystem
import Records
import Text

extension StepResult {
    /// The outputs, with the outcome of a step that its action skipped. Later runs can reuse them.
    fileprivate var recordedOutputs: [String: Value] {
        guard skipReason != nil else { return outputs }
        return outputs.merging([StepOutcome.key: .string(StepOutcome.skipped.rawValue)]) { $1 }
    }
}

/// The execution of a step that is ready. It evaluates the settings, skips an up-to-date step, and retries a failed
/// attempt.
struct StepExecution: EventSink {
    let context: RunContext
    let step: PlanStep
    /// The context of the step's expressions.
    let evaluation: EvaluationContext
    /// The environment variables that earlier steps of the group have set.
    let variables: [String: String]
    let transaction: (any Transaction)?
    /// The deadline of its lane.
    let deadline: Deadline?
    /// A Boolean value that indicates whether the step is a hook or in a lane that a hook runs.
    let isHook: Bool
    /// A Boolean value that indicates whether a later run can reuse the results. The files of a transaction are removed
    /// with its worktree.
    let isLasting: Bool
    let cancellation: Cancellation

    /// The name for the output, with the values that the step sees at its start.
    private var name: String { step.name(in: evaluation) }

    /// A step's action with evaluated settings and environment.
    private struct Preparation {
        let action: any StepAction
        let settings: Settings
        let evaluation: EvaluationContext
        let workingDirectory: String
        /// The key in the cache; `nil` for a step that always runs.
        let key: StepCache.Key?
    }

    private var id: StepID { StepID(step.id) }

    /// Runs the step. Returns its end, and its outputs for the steps that depend on it.
    func run() -> (end: StepEnd, outputs: [String: Value]) {
        let start = Monotonic.now
        let preparation: Preparation
        do {
            preparation = try prepare()
        } catch {
            send(.stepStarted(StepStart(name: name, action: step.task.action.name)))
            return (end(error, since: start), [:])
        }
        var reason: String?
        if let key = preparation.key {
            switch status(of: key) {
            case .upToDate(let results):
                context.releases.set(results, of: step.task.action)
                return (end(.upToDate, since: start), results)
            case .outdated(let why): reason = why
            }
        }
        sendStart(preparation)
        if let reason, context.options.explains { report(.note, "runs because \(reason)") }
        do throws(OperationFailure) {
            let result = try runAndRecord(preparation)
            let outcome = result.skipReason.map { StepEnd.Outcome.skipped(reason: $0) } ?? .passed
            return (end(outcome, since: start), result.recordedOutputs)
        } catch {
            return (end(error, since: start), [:])
        }
    }

    // MARK: Preparing

    private func prepare() throws(OperationFailure) -> Preparation {
        let task = step.task
        guard let action = context.actions[task.action.name] else {
            throw OperationFailure(status: ExitStatus.internal.rawValue, "there is no action '\(task.action.name)'")
        }
        let evaluation: EvaluationContext
        do {
            evaluation = try self.evaluation.adding(task.environment)
        } catch {
            throw failure(Diagnostics([error]))
        }
        let settings: Settings
        do {
            settings = try task.settings.evaluate(in: evaluation)
        } catch {
            throw failure(error)
        }
        try checkArguments(settings)
        return Preparation(
            action: action, settings: settings, evaluation: evaluation,
            workingDirectory: try workingDirectory(evaluation), key: try key(action.merged(settings), evaluation))
    }

    /// Returns the failure of an evaluation.
    private func failure(_ diagnostics: Diagnostics) -> OperationFailure {
        let failure = OperationFailure(diagnostics)
        guard context.reused.hasDiscarded, !step.stepNames.isEmpty else { return failure }
        let note = "note: the lane changed since its last run, whose outputs are therefore not used; run the whole lane"
        return OperationFailure(status: failure.status, "\(failure.message)\n\(note)")
    }

    private var directory: String { transaction?.directory ?? context.root }

    /// Returns the absolute path of the commands' working directory. Throws if the directory does not exist.
    private func workingDirectory(_ evaluation: EvaluationContext) throws(OperationFailure) -> String {
        guard let template = step.task.directory else { return directory }
        do throws(Diagnostic) {
            guard let path = try template.evaluate(in: evaluation).text, !path.isEmpty else { return directory }
            let absolute = absolutePath(path, from: directory)
            guard fileKind("\(absolute)/.") != .directory else { return absolute }
            let reason = fileExists(absolute) ? "'\(path)' is not a directory" : "there is no directory '\(path)'"
            throw Diagnostic(.error, reason, at: template.span, hint: path.expansionHint)
        } catch {
            throw OperationFailure(Diagnostics([error]))
        }
    }

    /// Throws if a setting with a secret may become an argument of a command, which all users of the machine can read.
    ///
    /// A shell script gets values as variables, and an executable in `Lanes/actions` on standard input. Secrets that a
    /// lane file names in such a setting are reported before the run. This check finds secrets that come from other
    /// values.
    private func checkArguments(_ settings: Settings) throws(OperationFailure) {
        guard !context.mask.isEmpty, case .builtIn = step.task.action else { return }
        for name in step.task.settings.namesOfComputedArguments {
            guard let value = settings[name], context.mask.containsSecret(in: value) else { continue }
            throw OperationFailure(
                status: ExitStatus.refused.rawValue,
                "'\(name)' would put a secret among a command's arguments, which every user of this machine can read\n"
                    + "hint: give it in 'env', and let the program or shell script read the variable")
        }
    }

    private func key(_ settings: Settings, _ evaluation: EvaluationContext) throws(OperationFailure) -> StepCache.Key? {
        // The worktree of a transaction is always new, so its steps are never up to date.
        guard context.cache != nil, transaction == nil else { return nil }
        do {
            return try StepCache.Key.of(
                step, settings, in: evaluation, variables: variables, root: context.root, secret: context.stateKey)
        } catch {
            throw OperationFailure(Diagnostics([error]))
        }
    }

    private func status(of key: StepCache.Key) -> StepCache.Status {
        if context.options.isForced { return .outdated(reason: "of '--force'") }
        return context.cache?.status(of: key) ?? .outdated(reason: "no earlier run is recorded")
    }

    // MARK: Attempts

    /// Runs the action until it succeeds, and stores a record of its inputs and outputs.
    private func runAndRecord(_ preparation: Preparation) throws(OperationFailure) -> StepResult {
        guard let key = preparation.key else { return try retry(preparation) }
        if let pattern = key.unmatchedInputs().first {
            throw OperationFailure(
                status: ExitStatus.refused.rawValue,
                "no files match the input '\(pattern)'\n"
                    + "hint: correct it, or write '{ path: \(pattern), optional: true }' if there may be none")
        }
        context.cache?.remove(key.step)
        let inputs = key.currentInputs()
        let result = try retry(preparation)
        let missing = key.missingOutputs()
        if !missing.isEmpty {
            let names = list(missing.map { "'\($0)'" }, joinedBy: "and")
            report(.warning, "the step did not make its output \(names), so it is never up to date")
        } else if context.mask.containsSecret(in: result.outputs) {
            report(.warning, "the step's output holds a secret and is not kept, so it is never up to date")
        } else {
            context.cache?.store(key, inputs: inputs, outputs: key.currentOutputs(), results: result.recordedOutputs)
        }
        return result
    }

    /// Runs the action. Retries after a failure, up to the step's number of retries, with exponential backoff.
    private func retry(_ preparation: Preparation) throws(OperationFailure) -> StepResult {
        let attempts = 1 + max(0, step.limits.retry?.times ?? 0)
        var delay = step.limits.retry?.backoff ?? .zero
        var attempt = 1
        while true {
            do {
                return try self.attempt(preparation)
            } catch {
                guard attempt < attempts, shouldRetry(error) else { throw error }
                if let deadline, Monotonic.now + delay >= deadline.moment {
                    report(.note, "not retried: the lane's timeout comes before the next attempt")
                    throw error
                }
                send(
                    .stepRetried(
                        StepRetry(attempt: attempt, attempts: attempts, reason: error.shortReason, delay: delay)))
            }
            if cancellation.wait(delay) { throw OperationFailure("cancelled", cause: .cancelled) }
            attempt += 1
            delay *= 2
        }
    }

    private func attempt(_ preparation: Preparation) throws(OperationFailure) -> StepResult {
        let task = step.task
        let grace = step.limits.grace ?? context.options.grace
        let own = step.limits.timeout.map { Deadline(moment: Monotonic.now + $0, length: $0) }
        let deadline = Deadline.earlier(own, self.deadline)
        let processes = StepProcesses(
            base: context.processes(with: task.secrets), mask: context.mask, limit: deadline, grace: grace,
            cancellation: cancellation)
        let stepContext = StepContext(
            step: id, directory: directory, root: context.root,
            environment: try environment(preparation), parameters: preparation.evaluation.parameters,
            processes: processes, unmasked: processes.unmasked, mask: context.mask, cancellation: cancellation,
            now: context.environment.now, deadline: deadline, transaction: transaction, releases: context.releases,
            workingDirectory: preparation.workingDirectory,
            isInteractive: task.isInteractive, isNamed: task.isNamed, isForced: context.options.isForced,
            cleanUp: StepProcesses(
                base: context.processes(with: task.secrets), mask: context.mask, limit: nil,
                grace: grace, cancellation: context.hookCancellation),
            startProcess: { [context, step] in
                context.startInBackground($0, for: step, receive: $1, cleanUp: $2)
            },
            events: context.events)
        do throws(OperationFailure) {
            let result = try preparation.action.run(preparation.settings, in: stepContext)
            if case .timeout? = processes.stop { throw OperationFailure("timed out") }
            // Lane files can read only outputs that the schema declares.
            assert(task.settings.action?.declares(result.outputs.keys) ?? true, "undeclared output of '\(task.action)'")
            guard result.outputs[StepOutcome.key] == nil else {
                throw OperationFailure(
                    status: ExitStatus.refused.rawValue, "the name of an output cannot be '\(StepOutcome.key)'")
            }
            return result
        } catch {
            // If `lane` stopped a child process, the error of the action is a consequence of that.
            switch processes.stop {
            case .timeout(let limit):
                throw OperationFailure(
                    status: ExitStatus.timedOut.rawValue, error.message, cause: .timedOut(after: limit))
            case .cancelled: throw OperationFailure(status: error.status, error.message, cause: .cancelled)
            case nil:
                // An action may notice the cancellation between two processes.
                guard cancellation.isCancelled,
                    error.status == ExitStatus.signalled(cancellation.signal).rawValue
                else { throw error }
                throw OperationFailure(status: error.status, error.message, cause: .cancelled)
            }
        }
    }

    /// Returns the environment of the action. Scripts in a transaction may run git.
    private func environment(_ preparation: Preparation) throws(OperationFailure) -> [String: String] {
        let environment = preparation.evaluation.environment
        switch step.task.action {
        case .builtIn(.service): return withCommandPath(environment)
        case .builtIn(let action) where action != .run: return environment
        case .builtIn, .custom:
            let identity = try transaction?.identity(in: environment) ?? [:]
            return withCommandPath(environment).merging(identity) { $1 }
        }
    }

    /// Returns an environment with the `PATH` for commands, unless the step sets its own. Other actions keep the `PATH` of
    /// the user, because SwiftPM compiles plugins again after each change of it.
    private func withCommandPath(_ environment: [String: String]) -> [String: String] {
        let run = context.environment
        guard let path = run.commandPath, environment["PATH"] == run.variables["PATH"] else { return environment }
        return environment.merging(["PATH": path]) { $1 }
    }

    private func shouldRetry(_ failure: OperationFailure) -> Bool {
        guard failure.cause != .cancelled, !cancellation.isCancelled else { return false }
        if let deadline, Monotonic.now >= deadline.moment { return false }
        let statuses = step.limits.retry?.statuses ?? []
        return statuses.isEmpty || statuses.contains(Int(failure.status))
    }

    // MARK: Events

    private func sendStart(_ preparation: Preparation) {
        let action = preparation.action
        send(
            .stepStarted(
                StepStart(
                    name: name, action: step.task.action.name,
                    command: action.command(of: preparation.settings, in: directory),
                    repeatCommand: context.options.repeatCommand?.line(for: id),
                    repeatFailedCommand: action.reportsTests ? context.options.repeatFailedCommand?.line(for: id) : nil,
                    repeatTestsCommand: action.reportsTests ? context.options.repeatTestsCommand?.line(for: id) : nil,
                    log: context.log(of: id))))
    }

    private func end(_ failure: OperationFailure, since start: Duration) -> StepEnd {
        let outcome: StepEnd.Outcome =
            switch failure.cause {
            case .failed: .failed(status: failure.nonzeroStatus, message: failure.message)
            case .timedOut(let limit): .timedOut(after: limit)
            case .cancelled: .cancelled
            }
        // A hook may also have exceeded the grace period of a cancelled run.
        if case .timedOut(let limit) = failure.cause, !isHook, limit != step.limits.timeout {
            report(.note, "the lane timed out")
        }
        return end(outcome, since: start)
    }

    private func end(_ outcome: StepEnd.Outcome, since start: Duration) -> StepEnd {
        let end = StepEnd(
            name: name, outcome: outcome, duration: Monotonic.now - start,
            isForgiven: outcome.isFailure && step.limits.continuesOnError)
        send(.stepEnded(end))
        return end
    }

    func send(_ kind: LaneEvent.Kind) { context.send(kind, step: id) }
}
