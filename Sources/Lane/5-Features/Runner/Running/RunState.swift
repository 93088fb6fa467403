import Actions
import Events
import Expressions
import LaneModel
import OperatingSystem
import Text

/// The state of a run, which decides whether each step runs, is skipped, or fails. The pool's lock protects it.
struct RunState {
    /// A decision about a step that is ready.
    enum Decision {
        case run(StepExecution)
        case skip(reason: String, blocker: Int?)
        case fail(Diagnostic)
    }

    /// A task for a worker thread.
    enum Task {
        case step(Int, Decision)
        case gate(Int, PlanStep.Stage, blocker: Int?)
    }

    /// The end of a task. `blocker` is the failed step that blocks dependent steps.
    enum End {
        case step(Int, StepEnd, outputs: [String: Value])
        case skipped(Int, blocker: Int?)
        case gate(Int, PlanStep.Stage, blocker: Int?)
    }

    let context: RunContext
    private(set) var schedule: Schedule
    let hierarchy: GroupHierarchy
    private(set) var groups: [GroupProgress]
    /// The first step that failed, with its status.
    private(set) var firstFailure: (step: Int?, status: Int32)?
    private(set) var cancelledAt: Duration?
    /// The steps that failed or did not run because of a failure, in the order of the plan.
    private(set) var failedSteps: [FailedStep] = []
    private var runningCount = 0
    private var runsInteractive = false
    /// The names of steps that contain values of the run.
    private var names: [Int: String] = [:]
    var idleCount = 0

    init(_ context: RunContext) {
        self.context = context
        hierarchy = GroupHierarchy(context.plan)
        schedule = Schedule(context.plan, hierarchy)
        var series = [[String: Int]](repeating: [:], count: context.plan.groups.count)
        for step in context.plan.steps {
            if let id = step.task.series { series[step.group][id, default: 0] += 1 }
        }
        groups = zip(context.plan.groups, series).map { GroupProgress($0, series: $1) }
    }

    var isFinished: Bool { schedule.unfinishedCount == 0 }

    /// The number of ready tasks and of idle threads.
    typealias Demand = (readyCount: Int, idleCount: Int)

    var demand: Demand { (schedule.readyCount, idleCount) }

    /// Removes and returns the next task. An interactive step uses the terminal exclusively, so no other task runs at
    /// the same time.
    mutating func nextTask() -> Task? {
        guard !runsInteractive, let next = schedule.next else { return nil }
        if case .step(let index) = next, context.plan.steps[index].task.isInteractive {
            guard runningCount == 0 else { return nil }
            runsInteractive = true
        }
        guard let (node, blocker) = schedule.popReady() else { return nil }
        runningCount += 1
        switch node {
        case .step(let index): return .step(index, decide(index, blocker: blocker))
        case .gate(let group, let stage): return .gate(group, stage, blocker: blocker)
        }
    }

    mutating func finish(_ end: End) {
        runningCount -= 1
        runsInteractive = false
        switch end {
        case .step(let index, let end, let outputs):
            schedule.finish(.step(index), blocker: record(end, outputs, of: index))
        case .skipped(let index, let blocker):
            let step = context.plan.steps[index]
            if context.reused.done[step.id] == nil { groups[step.group].record([:], .skipped, of: step) }
            if let blocker { recordFailedStep(index, cause: blocker) }
            schedule.finish(.step(index), blocker: blocker)
        case .gate(let group, let stage, let blocker): schedule.finish(.gate(group, stage), blocker: blocker)
        }
    }

    // MARK: Deciding

    private mutating func decide(_ index: Int, blocker: Int?) -> Decision {
        let step = context.plan.steps[index]
        recordCancellation()
        do {
            if let (reason, group) = try reasonToSkip(around: step.group) {
                // The lane around a skipped lane continues, so it has started.
                if let outer = group.flatMap({ hierarchy.parent(of: $0) }) {
                    recordStart(of: outer, unlessBlocked: index, blocker)
                }
                return .skip(reason: reason, blocker: nil)
            }
        } catch {
            return .fail(error)
        }
        if let results = context.reused.done[step.id] {
            groups[step.group].record(results, .succeeded, of: step)
            recordStart(of: step.group)
            return .skip(reason: "done in the last run", blocker: nil)
        }
        if case .only(let id) = context.options.part, id.description != step.id,
            !context.reused.repeated.contains(step.id),
            !context.background.isNeeded(step, by: id)
        {
            return .skip(reason: "not asked for", blocker: nil)
        }
        let cause = blocker ?? firstFailure?.step ?? index
        let obstacle =
            step.schedule.stage.isHook
            ? obstacleToHook(step.schedule.stage, of: step.group).map { ($0, nil) }
            : obstacle(to: index, blocker: blocker).map { ($0, cause) }
        if let (reason, blocker) = obstacle { return .skip(reason: reason, blocker: blocker) }
        let evaluation = evaluation(of: step.group)
        do {
            if let condition = step.schedule.condition {
                // If a variable cannot be evaluated, the step reports the error when it starts.
                let seen = (try? evaluation.adding(step.task.environment)) ?? evaluation
                if try !condition.isTrue(in: seen) {
                    recordStart(of: step.group, unlessBlocked: index, blocker)
                    return .skip(reason: "condition \(inQuotes(condition.text)) does not hold", blocker: nil)
                }
                // A failure outside the lane, such as in `before-all`, does not affect `success()`.
                var failed = seen
                failed.hasFailed = true
                if !step.schedule.stage.isHook, condition.dependsOnStatus,
                    let reason = failure(before: index, blocker: blocker), try !condition.isTrue(in: failed)
                {
                    return .skip(reason: reason, blocker: cause)
                }
            }
        } catch {
            return .fail(error)
        }
        recordStart(of: step.group)
        if let reason = context.releases.reasonToSkipFinalSteps,
            !hierarchy.groupsBefore(index, in: context.plan).isEmpty
        {
            return .skip(reason: reason, blocker: nil)
        }
        return .run(execution(of: index, in: evaluation))
    }

    mutating func recordCancellation() {
        if cancelledAt == nil, context.environment.cancellation.isCancelled { cancelledAt = Monotonic.now }
    }

    /// Returns the reason to skip a step regardless of its own condition, and the group whose condition is false, if
    /// any.
    private mutating func reasonToSkip(around group: Int) throws(Diagnostic) -> (reason: String, group: Int?)? {
        // The condition of a hook's lane may read results that exist only when the hook is ready.
        for hook in hierarchy.hookLanes(around: group) {
            for group in hierarchy.limits(on: hook.owner).reversed() {
                if let reason = try reasonToSkip(group) { return (reason, group) }
            }
            if let reason = obstacleToHook(hook.stage, of: hook.owner) { return (reason, nil) }
        }
        for group in hierarchy.limits(on: group).reversed() {
            if let reason = try reasonToSkip(group) { return (reason, group) }
        }
        return nil
    }

    /// Returns the reason to skip a whole group, or `nil` if it runs. Evaluates the condition once.
    mutating func reasonToSkip(_ index: Int) throws(Diagnostic) -> String? {
        switch groups[index].condition {
        case .met: return nil
        case .unmet(let reason): return reason
        case .unknown:
            let reason = try unmetCondition(of: index)
            groups[index].condition = reason.map { .unmet(reason: $0) } ?? .met
            return reason
        }
    }

    /// Returns the false condition of a group: that of its call, which is evaluated in the context of the caller, or
    /// its own.
    private func unmetCondition(of index: Int) throws(Diagnostic) -> String? {
        let group = context.plan.groups[index]
        if let condition = group.callCondition, let parent = group.parent,
            try !condition.isTrue(in: environment(of: parent))
        {
            return "condition \(inQuotes(condition.text)) does not hold"
        }
        guard let condition = group.condition else { return nil }
        var evaluation = environment(of: index)
        evaluation.hasFailed = group.parent.map { groups[$0].hasFailed } ?? false
        return try condition.isTrue(in: evaluation)
            ? nil : "condition \(inQuotes(condition.text)) of lane '\(group.lane)' does not hold"
    }

    /// Returns the context of a group with the variables of its lane.
    private func environment(of group: Int) -> EvaluationContext {
        evaluation(of: group).adding(known: context.plan.groups[group].environment).context
    }

    private func obstacleToHook(_ stage: PlanStep.Stage, of group: Int) -> String? {
        if groups[group].startedAt == nil { return "the lane did not begin" }
        return stage == .onFailure && !groups[group].hasFailed ? "nothing failed" : nil
    }

    private func obstacle(to index: Int, blocker: Int?) -> String? {
        if let obstacle = obstacle(to: index) { return obstacle }
        if context.plan.steps[index].schedule.condition?.dependsOnStatus == true { return nil }
        return failure(before: index, blocker: blocker)
    }

    /// Returns the reason why a step cannot run even if its condition includes `failure()` or `always()`.
    private func obstacle(to index: Int) -> String? {
        let step = context.plan.steps[index]
        let isHook = hierarchy.isHook(index)
        if cancelledAt != nil, !isHook { return "the run was cancelled" }
        for group in hierarchy.timeLimits(on: step.group) {
            if let deadline = groups[group].deadline, Monotonic.now >= deadline.moment {
                return "lane '\(context.plan.groups[group].lane)' timed out"
            }
        }
        if let owner = hierarchy.transaction(of: index), groups[owner].transaction == nil {
            return "the transaction did not begin"
        }
        return nil
    }

    /// Returns the failure that blocks a step.
    private func failure(before index: Int, blocker: Int?) -> String? {
        if let blocker, let cause = failure(of: index, after: blocker) { return "\(inQuotes(name(of: cause))) failed" }
        // Only its own failures stop a lane that a hook runs.
        if hierarchy.isHook(index) { return nil }
        if hierarchy.groupsBefore(index, in: context.plan).contains(where: { groups[$0].hasFailed }) {
            return "the lane failed before"
        }
        if let firstFailure, context.options.failurePolicy != .keepGoing {
            return firstFailure.step.map { "\(inQuotes(name(of: $0))) failed" } ?? "the transaction failed"
        }
        return nil
    }

    /// Records the start of a group. A group whose steps are skipped because of conditions also starts, and its hooks
    /// run.
    private mutating func recordStart(of group: Int, unlessBlocked index: Int, _ blocker: Int?) {
        guard !context.plan.steps[index].schedule.stage.isHook else { return }
        if obstacle(to: index) == nil, failure(before: index, blocker: blocker) == nil { recordStart(of: group) }
    }

    /// Records the start of a group and of the groups around it.
    private mutating func recordStart(of group: Int) {
        let now = Monotonic.now
        var next: Int? = group
        while let current = next, groups[current].startedAt == nil {
            groups[current].startedAt = now
            next = hierarchy.parent(of: current)
        }
    }

    // MARK: Jobs

    /// Returns the context of expressions in a group.
    func evaluation(of group: Int) -> EvaluationContext {
        groups[group].evaluation(context.environment.evaluation)
    }

    /// Returns the earliest deadline of a group and the groups around it.
    private func earliestDeadline(of group: Int) -> Deadline? {
        hierarchy.timeLimits(on: group).compactMap { groups[$0].deadline }.min { $0.moment < $1.moment }
    }

    /// The deadline of hooks. Until the run is cancelled, only their own timeouts apply. The time includes the longest
    /// grace period that the lanes give to steps, because hooks start after it.
    private var hookDeadline: Deadline? {
        cancelledAt.map { time in
            let longest = context.plan.steps.compactMap(\.limits.grace).max() ?? .zero
            let length = context.options.grace + longest
            return Deadline(moment: time + length, length: length)
        }
    }

    private func execution(of index: Int, in evaluation: EvaluationContext) -> StepExecution {
        let step = context.plan.steps[index]
        let owner = hierarchy.transaction(of: index)
        let isHook = hierarchy.isHook(index)
        let own = step.schedule.stage.isHook ? nil : earliestDeadline(of: step.group)
        return StepExecution(
            context: context, step: step, evaluation: evaluation, variables: groups[step.group].variables,
            transaction: owner.flatMap { groups[$0].transaction },
            deadline: isHook ? Deadline.earlier(own, hookDeadline) : own, isHook: isHook,
            isLasting: owner == nil && !isHook,
            cancellation: isHook ? context.hookCancellation : context.workCancellation)
    }

    // MARK: Results

    /// Returns the name of a step for the output.
    func name(of index: Int) -> String { names[index] ?? context.plan.steps[index].name }

    /// Records the end of a step.
    ///
    /// - Returns: The failed step that blocks dependent steps, if any.
    private mutating func record(_ end: StepEnd, _ outputs: [String: Value], of index: Int) -> Int? {
        let step = context.plan.steps[index]
        groups[step.group].record(outputs, end.outcome.isFailure ? .failed : .succeeded, of: step)
        if end.name != step.name { names[index] = end.name }
        guard end.outcome.isFailure, !end.isForgiven else { return nil }
        recordFailedStep(index, cause: index)
        switch end.outcome {
        case .failed(let status, _): recordFailure(step: index, status: status, in: step.group)
        case .timedOut: recordFailure(step: index, status: ExitStatus.timedOut.rawValue, in: step.group)
        // The step that failed first is the cause, not a step that this failure cancelled.
        case .passed, .skipped, .upToDate, .cancelled: return firstFailure?.step ?? index
        }
        return index
    }

    private mutating func recordFailedStep(_ step: Int, cause: Int) {
        guard context.options.failurePolicy == .keepGoing else { return }
        let failed = failedStep(step, cause: cause)
        let later = failedSteps.lastIndex { $0.step < step }.map { $0 + 1 } ?? 0
        failedSteps.insert(failed, at: later)
    }

    /// Records a failure in a group, in the groups around it, and in those that need one of them. Their hooks run, even
    /// if no other step of the group starts. Cancels other steps if the policy is `cancelOthers`.
    mutating func recordFailure(step: Int?, status: Int32, in group: Int) {
        var open = [group]
        while let current = open.popLast() {
            for dependent in hierarchy.groupsThatNeed(current) { groups[dependent].needsFailedLane = true }
            guard !groups[current].hasFailed else { continue }
            recordStart(of: current)
            groups[current].hasFailed = true
            open += [hierarchy.parent(of: current)].compactMap(\.self) + hierarchy.groupsThatNeed(current)
        }
        if firstFailure == nil { firstFailure = (step, status) }
        if context.options.failurePolicy == .cancelOthers { context.workCancellation.cancel() }
    }

    /// Sets the open transaction of a group, or `nil` after it is committed or abandoned.
    mutating func set(_ transaction: (any Transaction)?, of group: Int) {
        groups[group].transaction = transaction
    }
}
