import Diagnostics
import Expressions
import Files
import LaneEvents
import LaneModel
import Planning
import Processes
import Secrets

/// A step with everything that it needs to run, as of the moment when its turn came.
struct StepJob: Sendable {
    let step: PlanStep
    /// The values for the step's expressions.
    let evaluation: EvaluationContext
    let transaction: (any Transaction)?
    /// The end of its lane's time.
    let deadline: Deadline?
    /// A Boolean value that indicates whether it is a hook, or in a lane that one runs.
    let isHook: Bool
    /// A Boolean value that indicates whether a later run may rely on it. The work of a transaction is gone with its
    /// worktree.
    let isLasting: Bool
    let cancellation: Cancellation
}

/// The end of a step, as far as other steps are concerned.
struct StepCompletion: Sendable {
    var outputs: [String: Value] = [:]
    /// The exit status if it failed.
    var status: Int32?
    var wasCancelled = false
    var wasUpToDate = false
    var wasSkipped = false

    /// The outcome for expressions.
    var outcome: StepOutcome { status != nil ? .failed : wasSkipped ? .skipped : .succeeded }
}

/// Runs one step: evaluates its settings, skips it if it is up to date, and tries it until it succeeds or its retries are
/// used up.
struct StepExecution {
    let context: RunContext
    let job: StepJob

    /// A step's action with its settings and environment evaluated.
    private struct Preparation {
        let action: any StepAction
        let settings: Settings
        let evaluation: EvaluationContext
        let workingDirectory: String
        /// `nil` for a step that always runs.
        let work: StepWork?
    }

    private var id: StepID { StepID(job.step.id) }

    func run() -> StepCompletion {
        let start = Monotonic.now
        let preparation: Preparation
        do {
            preparation = try prepare()
        } catch {
            send(.stepStarted(StepStart(name: job.step.name, action: job.step.task.action.word)))
            return end(error, since: start)
        }
        var reason: String?
        if let work = preparation.work {
            switch status(of: work) {
            case .upToDate(let results):
                let completion = StepCompletion(outputs: results, wasUpToDate: true)
                return end(completion, .upToDate, since: start)
            case .outdated(let why): reason = why
            }
        }
        sendStart(preparation)
        if let reason, context.options.explains { send(.message(Message(.note, "runs because \(reason)"))) }
        do throws(StepFailure) {
            let result = try succeed(preparation)
            let outcome = result.skipReason.map { StepEnd.Outcome.skipped(reason: $0) } ?? .passed
            let completion = StepCompletion(outputs: result.outputs, wasSkipped: result.skipReason != nil)
            return end(completion, outcome, since: start)
        } catch {
            return end(error, since: start)
        }
    }

    // MARK: Preparing

    private func prepare() throws(StepFailure) -> Preparation {
        let task = job.step.task
        guard let action = context.actions[task.action.word] else {
            throw StepFailure(status: ExitStatus.internal.rawValue, "there is no action '\(task.action.word)'")
        }
        let evaluation: EvaluationContext
        do {
            evaluation = try job.evaluation.adding(task.environment)
        } catch {
            throw StepFailure(Diagnostics([error]))
        }
        let settings: Settings
        do {
            settings = try task.settings.evaluate(in: evaluation)
        } catch {
            throw StepFailure(error)
        }
        try checkArguments(settings)
        return Preparation(
            action: action, settings: settings, evaluation: evaluation,
            workingDirectory: try workingDirectory(evaluation), work: try work(settings, evaluation))
    }

    private var directory: String { job.transaction?.directory ?? context.root }

    /// Returns the absolute path of the directory in which the step's commands run. Throws if there is none.
    private func workingDirectory(_ evaluation: EvaluationContext) throws(StepFailure) -> String {
        guard let template = job.step.task.directory else { return directory }
        do throws(Diagnostic) {
            guard let path = try template.evaluate(in: evaluation).text, !path.isEmpty else { return directory }
            let absolute = absolutePath(path, from: directory)
            guard fileKind("\(absolute)/.") != .directory else { return absolute }
            let reason = fileExists(absolute) ? "'\(path)' is not a directory" : "there is no directory '\(path)'"
            throw Diagnostic(.error, reason, at: template.span)
        } catch {
            throw StepFailure(Diagnostics([error]))
        }
    }

    /// Refuses a secret in a setting that may become an argument of a command, which every user of the machine can read.
    ///
    /// A shell script gets its values as variables, and an executable in `Lanes/actions` on its standard input. A secret
    /// that a lane file names in such a setting is refused before the run; this finds one that came another way.
    private func checkArguments(_ settings: Settings) throws(StepFailure) {
        guard !context.mask.isEmpty, case .builtIn = job.step.task.action else { return }
        for name in job.step.task.settings.namesOfComputedArguments {
            guard let value = settings[name], context.mask.finds(in: value) else { continue }
            throw StepFailure(
                status: ExitStatus.refused.rawValue,
                "'\(name)' would put a secret among a command's arguments, which every user of this machine can read\n"
                    + "hint: give it in 'env', and let the program or shell script read the variable")
        }
    }

    private func work(_ settings: Settings, _ evaluation: EvaluationContext) throws(StepFailure) -> StepWork? {
        // A transaction's worktree is always new.
        guard context.cache != nil, job.transaction == nil else { return nil }
        do {
            return try StepWork.of(job.step, settings, in: evaluation, root: context.root)
        } catch {
            throw StepFailure(Diagnostics([error]))
        }
    }

    private func status(of work: StepWork) -> StepCache.Status {
        if context.options.isForced { return .outdated(reason: "'--force' was given") }
        return context.cache?.status(of: work) ?? .outdated(reason: "there is no record of it")
    }

    // MARK: Attempts

    /// Runs the action until it succeeds, and keeps a record of what it read and made.
    private func succeed(_ preparation: Preparation) throws(StepFailure) -> StepResult {
        guard let work = preparation.work else { return try retry(preparation) }
        for pattern in work.unmetInputs() {
            send(.message(Message(.warning, "no files match the input '\(pattern)'")))
        }
        let inputs = work.currentInputs()
        let result = try retry(preparation)
        let missing = work.missingOutputs()
        if !missing.isEmpty {
            let names = list(missing.map { "'\($0)'" }, joinedBy: "and")
            forget(work, "the step did not make its output \(names), so it is never up to date")
        } else if context.mask.finds(in: result.outputs) {
            forget(work, "the step's output holds a secret and is not kept, so it is never up to date")
        } else {
            context.cache?.store(work, inputs: inputs, made: work.currentOutputs(), results: result.outputs)
        }
        return result
    }

    private func forget(_ work: StepWork, _ warning: String) {
        send(.message(Message(.warning, warning)))
        context.cache?.remove(work.step)
    }

    /// Runs the action again after a failure, up to the step's number of retries, with exponential backoff.
    private func retry(_ preparation: Preparation) throws(StepFailure) -> StepResult {
        let attempts = 1 + max(0, job.step.limits.retry?.times ?? 0)
        var delay = job.step.limits.retry?.backoff ?? .zero
        var attempt = 1
        while true {
            do {
                return try self.attempt(preparation)
            } catch {
                guard attempt < attempts, isWorthRetrying(error) else { throw error }
                if let deadline = job.deadline, Monotonic.now + delay >= deadline.moment {
                    send(.message(Message(.note, "not retried: the lane's timeout comes before the next attempt")))
                    throw error
                }
                send(
                    .stepRetried(
                        StepRetry(attempt: attempt, attempts: attempts, reason: error.shortReason, delay: delay)))
            }
            if job.cancellation.wait(delay) { throw StepFailure("cancelled", cause: .cancelled) }
            attempt += 1
            delay *= 2
        }
    }

    private func attempt(_ preparation: Preparation) throws(StepFailure) -> StepResult {
        let task = job.step.task
        let own = job.step.limits.timeout.map { Deadline(moment: Monotonic.now + $0, length: $0) }
        let processes = StepProcesses(
            base: context.processes(with: task.secrets), mask: context.mask,
            limit: Deadline.earlier(own, job.deadline), grace: context.options.grace, cancellation: job.cancellation)
        let stepContext = StepContext(
            step: id, directory: directory, root: context.root,
            environment: preparation.evaluation.environment, parameters: preparation.evaluation.parameters,
            processes: processes, unmasked: processes.unmasked, mask: context.mask, cancellation: job.cancellation,
            transaction: job.transaction, workingDirectory: preparation.workingDirectory,
            isInteractive: task.isInteractive, isNamed: task.isNamed,
            cleanUp: StepProcesses(
                base: context.processes(with: task.secrets), mask: context.mask, limit: nil,
                grace: context.options.grace, cancellation: context.hookCancellation),
            startProcess: { [context, step = job.step] in context.startInBackground($0, for: step, cleanUp: $1) },
            events: context.events, send: { [context, id] kind in context.send(kind, step: id) })
        do throws(StepFailure) {
            let result = try preparation.action.run(preparation.settings, in: stepContext)
            // Lane files can use only the outputs that the schema declares.
            assert(task.settings.action?.declares(result.outputs.keys) ?? true, "undeclared output of '\(task.action)'")
            guard result.outputs[StepOutcome.key] == nil else {
                throw StepFailure(
                    status: ExitStatus.refused.rawValue, "the name of an output cannot be '\(StepOutcome.key)'")
            }
            return result
        } catch {
            // A child that was stopped from outside is the cause, whatever error the action made of it.
            switch processes.stop {
            case .timeout(let limit):
                throw StepFailure(
                    status: ExitStatus.timedOut.rawValue, error.message, cause: .timedOut(after: limit))
            case .cancelled: throw StepFailure(status: error.status, error.message, cause: .cancelled)
            case nil: throw error
            }
        }
    }

    private func isWorthRetrying(_ failure: StepFailure) -> Bool {
        guard failure.cause != .cancelled, !job.cancellation.isCancelled else { return false }
        if let deadline = job.deadline, Monotonic.now >= deadline.moment { return false }
        let statuses = job.step.limits.retry?.statuses ?? []
        return statuses.isEmpty || statuses.contains(Int(failure.status))
    }

    // MARK: Events

    private func sendStart(_ preparation: Preparation) {
        let action = preparation.action
        send(
            .stepStarted(
                StepStart(
                    name: job.step.name, action: job.step.task.action.word,
                    command: action.command(of: preparation.settings),
                    repeatCommand: context.options.repeatCommand(id),
                    repeatFailedCommand: action.reportsTests ? context.options.repeatFailedCommand(id) : nil,
                    repeatTestsCommand: action.reportsTests ? context.options.repeatTestsCommand(id) : nil,
                    log: context.logs?.path(of: id))))
    }

    private func end(_ failure: StepFailure, since start: Duration) -> StepCompletion {
        let outcome: StepEnd.Outcome =
            switch failure.cause {
            case .failed: .failed(status: failure.nonzeroStatus, message: failure.message)
            case .timedOut(let limit): .timedOut(after: limit)
            case .cancelled: .cancelled
            }
        // A hook may also have run out of the grace period of a cancelled run.
        if case .timedOut(let limit) = failure.cause, !job.isHook, limit != job.step.limits.timeout {
            send(.message(Message(.note, "the lane timed out")))
        }
        context.logs?.keep(id)
        let wasCancelled = failure.cause == .cancelled
        return end(
            StepCompletion(status: failure.nonzeroStatus, wasCancelled: wasCancelled), outcome, since: start)
    }

    private func end(
        _ completion: StepCompletion, _ outcome: StepEnd.Outcome, since start: Duration
    ) -> StepCompletion {
        let isForgiven = completion.status != nil && job.step.limits.continuesOnError
        send(
            .stepEnded(
                StepEnd(
                    name: job.step.name, outcome: outcome, duration: Monotonic.now - start, isForgiven: isForgiven)))
        context.logs?.finish(id)
        return completion
    }

    private func send(_ kind: LaneEvent.Kind) { context.send(kind, step: id) }
}
