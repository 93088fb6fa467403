import Diagnostics
package import LaneEvents
package import LaneModel
package import Processes

/// Runs a plan: each step when what it needs is done, several at once, to one exit status.
///
/// Events come in the order that `LaneEvent` promises. `run` blocks its thread, which is also the first worker.
package struct LaneRunner: Sendable {
    private let world: RunWorld

    /// - Parameters:
    ///   - actions: What each word of the plan's steps does.
    ///   - environment: The whole environment from which steps start.
    ///   - root: The package's root, absolute.
    ///   - evaluation: What expressions see outside any group: `env`, `git`, `ci`.
    package init(
        plan: Plan, actions: [String: any StepAction], processes: any ProcessRunner, environment: [String: String],
        root: String, events: EventStream, cancellation: Cancellation, transactions: (any TransactionSource)? = nil,
        evaluation: EvaluationContext = EvaluationContext(), options: RunOptions
    ) {
        var environment = environment
        environment[RunLock.rootVariable] = root
        var evaluation = evaluation
        evaluation.environment = environment
        var secrets: [String: String] = [:]
        for name in plan.secrets { secrets[name] = environment[name] }
        world = RunWorld(
            plan: plan, actions: actions, processes: processes, environment: environment, root: root, events: events,
            transactions: transactions, options: options, mask: SecretMask(secrets),
            logs: options.keepsLogs ? StepLogs(root: root, lane: plan.lane) : nil, evaluation: evaluation,
            cancellation: cancellation, workCancellation: Cancellation(following: cancellation),
            hookCancellation: Cancellation(following: cancellation, from: .immediate))
    }

    /// Runs it to its end.
    ///
    /// - Parameter startedAt: Seconds since 1970, for reports.
    /// - Returns: 0, or the status of the first step that failed, 124 for a timeout, 128 and the signal after a
    ///   cancellation.
    package func run(startedAt: Double) -> Int32 {
        let start = Monotonic.now
        let steps = world.plan.steps.map { step in
            RunStart.PlannedStep(id: StepID(step.id), name: world.mask.masked(step.name))
        }
        world.send(.runStarted(RunStart(lane: world.plan.lane, steps: steps, startedAt: startedAt)), step: nil)
        for name in world.mask.unmasked {
            let text = "the value of \(name) is too short to be masked in output"
            world.send(.message(Message(.warning, text)), step: nil)
        }
        let state = Monitor(RunState(world))
        WorkerPool(state: state, world: world).run()
        let status = state.withLock { $0.status }
        world.send(.runEnded(RunEnd(status: status, duration: Monotonic.now - start)), step: nil)
        return status
    }
}

extension RunState {
    /// What the run ends with.
    var status: Int32 {
        if world.cancellation.isCancelled { return ExitStatus.signalled(world.cancellation.signal).rawValue }
        return firstFailure?.status ?? ExitStatus.done.rawValue
    }
}
