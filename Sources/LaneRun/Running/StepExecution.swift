import Diagnostics
import LaneEvents
import LaneModel
import Processes

/// Runs one step from its environment to its end: settings, attempts, events.
struct StepExecution {
    let world: RunWorld
    let job: StepJob

    private var id: StepID { StepID(job.step.id) }

    func run() -> StepVerdict {
        let start = Monotonic.now
        let prepared: PreparedStep
        let work: StepWork?
        do {
            prepared = try PreparedStep(job, in: world)
            work = try self.work(prepared)
        } catch {
            send(.stepStarted(StepStart(name: job.step.name, action: job.step.task.action.word)))
            return end(error, since: start)
        }
        var reason: String?
        if let work {
            switch verdict(on: work) {
            case .upToDate(let results):
                let outcome = StepEnd.Outcome.upToDate
                send(.stepEnded(StepEnd(name: job.step.name, outcome: outcome, duration: Monotonic.now - start)))
                return StepVerdict(outputs: results, wasUpToDate: true)
            case .runs(let why): reason = why
            }
        }
        send(
            .stepStarted(
                StepStart(
                    name: job.step.name, action: job.step.task.action.word,
                    command: prepared.action.command(of: prepared.settings),
                    repeatCommand: world.options.repeatCommand(id),
                    repeatFailedCommand: job.step.task.action == .builtIn(.test)
                        ? world.options.repeatFailedCommand(id) : nil,
                    log: world.logs?.path(of: id))))
        if let reason, world.options.explains { send(.message(Message(.note, "runs because \(reason)"))) }
        do throws(StepFailure) {
            let result = if let work { try attempts(prepared, noting: work) } else { try attempts(prepared) }
            return end(result, since: start)
        } catch {
            return end(error, since: start)
        }
    }

    // MARK: What is up to date

    /// `nil` for a step that always runs; work in a transaction's worktree begins from nothing.
    private func work(_ prepared: PreparedStep) throws(StepFailure) -> StepWork? {
        guard world.ledger != nil, job.transaction == nil else { return nil }
        do {
            return try StepWork.of(job.step, prepared.settings, in: prepared.context, root: world.root)
        } catch {
            throw StepFailure(Diagnostics([error]))
        }
    }

    private func verdict(on work: StepWork) -> StepLedger.Verdict {
        if world.options.isForced { return .runs(reason: "that was asked for") }
        return world.ledger?.verdict(on: work) ?? .runs(reason: "nothing is known of it")
    }

    private func attempts(_ prepared: PreparedStep, noting work: StepWork) throws(StepFailure) -> StepResult {
        for pattern in work.unmetInputs() {
            send(.message(Message(.warning, "no file fits the input '\(pattern)'")))
        }
        let inputs = work.currentInputs()
        let result = try attempts(prepared)
        let missing = work.missingOutputs()
        guard missing.isEmpty else {
            let names = list(missing.map { "'\($0)'" }, joinedBy: "and")
            send(.message(Message(.warning, "the step did not make its output \(names), so it is never up to date")))
            world.ledger?.forget(work.step)
            return result
        }
        guard !world.mask.finds(in: result.outputs) else {
            let text = "the step's output holds a secret and is not kept, so it is never up to date"
            send(.message(Message(.warning, text)))
            world.ledger?.forget(work.step)
            return result
        }
        world.ledger?.note(work, inputs: inputs, made: work.currentOutputs(), results: result.outputs)
        return result
    }

    // MARK: Attempts

    /// Tries as often as the step may be tried.
    private func attempts(_ prepared: PreparedStep) throws(StepFailure) -> StepResult {
        let attempts = 1 + max(0, job.step.limits.retry?.times ?? 0)
        var delay = job.step.limits.retry?.backoff ?? .zero
        var attempt = 1
        while true {
            do {
                return try self.attempt(prepared)
            } catch {
                guard attempt < attempts, isWorthRetrying(error) else { throw error }
                if let deadline = job.deadline, Monotonic.now + delay >= deadline.moment {
                    send(.message(Message(.note, "not tried again: the lane's timeout comes before the next attempt")))
                    throw error
                }
                send(
                    .stepRetried(
                        StepRetry(attempt: attempt, attempts: attempts, reason: reason(for: error), delay: delay)))
            }
            if job.cancellation.wait(delay) { throw StepFailure("cancelled", cause: .cancelled) }
            attempt += 1
            delay *= 2
        }
    }

    private func attempt(_ prepared: PreparedStep) throws(StepFailure) -> StepResult {
        let processes = StepProcesses(
            base: world.processes(with: job.step.task.secrets), mask: world.mask, limit: limit(),
            grace: world.options.grace,
            cancellation: job.cancellation)
        let context = StepContext(
            step: id, directory: job.transaction?.directory ?? world.root, root: world.root,
            environment: prepared.environment, parameters: job.parameters, processes: processes,
            unmasked: processes.unmasked, mask: world.mask, cancellation: job.cancellation,
            transaction: job.transaction, isInteractive: job.step.task.isInteractive,
            isNamed: job.step.task.isNamed, send: { [world, id] kind in world.send(kind, step: id) })
        do {
            return try prepared.action.run(prepared.settings, in: context)
        } catch {
            // Whatever the action made of a child that was ended from outside: this is what it came from.
            switch processes.stop {
            case .timeout(let limit):
                throw StepFailure(
                    status: ExitStatus.timedOut.rawValue, error.message, cause: .timedOut(after: limit))
            case .cancelled: throw StepFailure(status: error.status, error.message, cause: .cancelled)
            case nil: throw error
            }
        }
    }

    /// The sooner of the step's own timeout and the end of its lane's time.
    private func limit() -> TimeLimit? {
        let own = job.step.limits.timeout.map { TimeLimit(moment: Monotonic.now + $0, length: $0) }
        return TimeLimit.earlier(own, job.deadline)
    }

    private func isWorthRetrying(_ failure: StepFailure) -> Bool {
        guard failure.cause != .cancelled, !job.cancellation.isCancelled else { return false }
        if let deadline = job.deadline, Monotonic.now >= deadline.moment { return false }
        let statuses = job.step.limits.retry?.statuses ?? []
        return statuses.isEmpty || statuses.contains(Int(failure.status))
    }

    private func reason(for failure: StepFailure) -> String {
        switch failure.cause {
        case .timedOut: "ran out of time"
        case .cancelled: "cancelled"
        case .failed:
            failure.message.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? "status \(failure.status)"
        }
    }

    private func end(_ result: StepResult, since start: Duration) -> StepVerdict {
        end(
            StepVerdict(outputs: result.outputs), result.skipReason.map { .skipped(reason: $0) } ?? .passed,
            since: start)
    }

    private func end(_ failure: StepFailure, since start: Duration) -> StepVerdict {
        let status = failure.status == 0 ? ExitStatus.failed.rawValue : failure.status
        let outcome: StepEnd.Outcome =
            switch failure.cause {
            case .failed: .failed(status: status, message: failure.message)
            case .timedOut(let limit): .timedOut(after: limit)
            case .cancelled: .cancelled
            }
        if endedWithItsLane(failure) { send(.message(Message(.note, "the time of its whole lane was over"))) }
        world.logs?.keep(id)
        return end(StepVerdict(status: status, wasCancelled: failure.cause == .cancelled), outcome, since: start)
    }

    /// A hook's time may also be what is left to a run that somebody has ended.
    private func endedWithItsLane(_ failure: StepFailure) -> Bool {
        guard case .timedOut(let limit) = failure.cause, !job.isHook else { return false }
        return limit != job.step.limits.timeout
    }

    private func end(_ verdict: StepVerdict, _ outcome: StepEnd.Outcome, since start: Duration) -> StepVerdict {
        let isForgiven = verdict.status != nil && job.step.limits.continuesOnError
        send(
            .stepEnded(
                StepEnd(
                    name: job.step.name, outcome: outcome, duration: Monotonic.now - start, isForgiven: isForgiven)))
        world.logs?.finish(id)
        return verdict
    }

    private func send(_ kind: LaneEvent.Kind) {
        world.send(kind, step: id)
    }
}
