import Diagnostics
import LaneEvents
import LaneModel
import Processes

/// All that a run knows of itself; one thread at a time changes it.
struct RunState {
    /// What shall happen with something whose turn has come.
    enum Decision {
        case run(StepJob)
        case skip(reason: String, blocker: Int?)
        case fail(Diagnostic)
    }

    /// What a thread has to do.
    enum Task {
        case step(Int, Decision)
        case gate(Int, PlanStep.Stage, blocker: Int?)
    }

    /// How something ended, as far as the state is concerned; `blocker` is the failed step that keeps what follows from
    /// running.
    enum End {
        case step(Int, StepVerdict)
        case skipped(Int, blocker: Int?)
        case gate(Int, PlanStep.Stage, blocker: Int?)
    }

    let world: RunWorld
    private(set) var schedule: Schedule
    let families: Families
    private(set) var groups: [GroupProgress]
    /// The first step that failed, with its status.
    private(set) var firstFailure: (step: Int?, status: Int32)?
    private(set) var cancelledAt: Duration?
    private var runningCount = 0
    private var runsInteractive = false
    var idleCount = 0

    init(_ world: RunWorld) {
        self.world = world
        families = Families(world.plan)
        schedule = Schedule(world.plan, families)
        groups = world.plan.groups.map(GroupProgress.init)
    }

    var isFinished: Bool { schedule.unfinishedCount == 0 }

    /// What there is to do, and how many threads wait for it.
    struct Demand {
        let readyCount: Int
        let idleCount: Int
    }

    var demand: Demand { Demand(readyCount: schedule.readyCount, idleCount: idleCount) }

    /// The next thing to do; an interactive step has the terminal and so the run to itself.
    mutating func take() -> Task? {
        guard !runsInteractive, let next = schedule.next else { return nil }
        if case .step(let index) = next, world.plan.steps[index].task.isInteractive {
            guard runningCount == 0 else { return nil }
            runsInteractive = true
        }
        guard let (node, blocker) = schedule.take() else { return nil }
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
        case .step(let index, let verdict): schedule.finish(.step(index), blocker: note(verdict, of: index))
        case .skipped(let index, let blocker): schedule.finish(.step(index), blocker: blocker)
        case .gate(let group, let stage, let blocker): schedule.finish(.gate(group, stage), blocker: blocker)
        }
    }

    // MARK: Deciding

    private mutating func decide(_ index: Int, blocker: Int?) -> Decision {
        let step = world.plan.steps[index]
        noteCancellation()
        do {
            if let (reason, group) = try reasonToSkip(around: step.group) {
                // The lane around one that is passed over goes on, and so has begun.
                if let outer = group.flatMap({ families.parent(of: $0) }) {
                    noteStart(of: outer, unlessBlocked: index, blocker)
                }
                return .skip(reason: reason, blocker: nil)
            }
        } catch {
            return .fail(error)
        }
        if let results = world.past.done[step.id] {
            groups[step.group].outputs[outputName(of: step)] = results
            noteStart(of: step.group)
            return .skip(reason: "done in the last run", blocker: nil)
        }
        if case .only(let id) = world.options.part, id.description != step.id, !world.past.repeated.contains(step.id) {
            return .skip(reason: "not asked for", blocker: nil)
        }
        let culprit = blocker ?? firstFailure?.step ?? index
        let obstacle =
            step.turn.stage.isHook
            ? obstacleToHook(step.turn.stage, of: step.group).map { ($0, nil) }
            : obstacle(to: index, blocker: blocker).map { ($0, culprit) }
        if let (reason, blocker) = obstacle { return .skip(reason: reason, blocker: blocker) }
        let context = evaluationContext(of: step.group)
        do {
            if let condition = step.turn.condition {
                // Variables that cannot be worked out are told when the step begins.
                let seen = (try? context.adding(step.task.environment)) ?? context
                if try !condition.holds(in: seen) {
                    noteStart(of: step.group, unlessBlocked: index, blocker)
                    return .skip(reason: "condition '\(condition.text)' does not hold", blocker: nil)
                }
            }
        } catch {
            return .fail(error)
        }
        noteStart(of: step.group)
        return .run(job(for: index, in: context))
    }

    mutating func noteCancellation() {
        if cancelledAt == nil, world.surroundings.cancellation.isCancelled { cancelledAt = Monotonic.now }
    }

    /// Why a step is passed over whatever it says itself, with the group whose condition decides so, if one does.
    private mutating func reasonToSkip(around group: Int) throws(Diagnostic) -> (reason: String, group: Int?)? {
        // What the condition of a hook's lane speaks of is there when the hook has its turn, and may not be otherwise.
        for hook in families.hookLanes(around: group) {
            for group in families.limits(on: hook.owner).reversed() {
                if let reason = try reasonToSkip(group) { return (reason, group) }
            }
            if let reason = obstacleToHook(hook.stage, of: hook.owner) { return (reason, nil) }
        }
        for group in families.limits(on: group).reversed() {
            if let reason = try reasonToSkip(group) { return (reason, group) }
        }
        return nil
    }

    /// Why a whole group is passed over; its condition is worked out once.
    mutating func reasonToSkip(_ index: Int) throws(Diagnostic) -> String? {
        switch groups[index].condition {
        case .holds: return nil
        case .fails(let reason): return reason
        case .unknown:
            let reason = try unmetCondition(of: index)
            groups[index].condition = reason.map { .fails(reason: $0) } ?? .holds
            return reason
        }
    }

    /// Which condition of a group does not hold: that of its call, which sees what the caller sees, or its own.
    private func unmetCondition(of index: Int) throws(Diagnostic) -> String? {
        let group = world.plan.groups[index]
        if let condition = group.callCondition, let parent = group.parent,
            try !condition.holds(in: evaluationContext(of: parent))
        {
            return "condition '\(condition.text)' does not hold"
        }
        guard let condition = group.condition else { return nil }
        var context = evaluationContext(of: index)
        context.hasFailed = group.parent.map { groups[$0].hasFailed } ?? false
        return try condition.holds(in: context)
            ? nil : "condition '\(condition.text)' of lane '\(group.lane)' does not hold"
    }

    private func obstacleToHook(_ stage: PlanStep.Stage, of group: Int) -> String? {
        if groups[group].startedAt == nil { return "the lane did not begin" }
        return stage == .onFailure && !groups[group].hasFailed ? "nothing failed" : nil
    }

    private func obstacle(to index: Int, blocker: Int?) -> String? {
        if let obstacle = obstacle(to: index) { return obstacle }
        if world.plan.steps[index].turn.condition?.asksForStatus == true { return nil }
        return failure(before: index, blocker: blocker)
    }

    /// The reason why a step cannot run even if it asks for failures.
    private func obstacle(to index: Int) -> String? {
        let step = world.plan.steps[index]
        let isHook = families.isHook(index)
        if cancelledAt != nil, !isHook { return "the run was cancelled" }
        for group in families.timeLimits(on: step.group) {
            if let deadline = deadline(of: group), Monotonic.now >= deadline.moment {
                return "lane '\(world.plan.groups[group].lane)' ran out of time"
            }
        }
        if let owner = families.transaction(of: index), groups[owner].transaction == nil {
            return "the transaction did not begin"
        }
        return nil
    }

    /// The failure that keeps a step from running.
    private func failure(before index: Int, blocker: Int?) -> String? {
        if let blocker { return "'\(world.plan.steps[blocker].name)' failed" }
        // A lane that a hook runs is kept up by its own failures only.
        if families.isHook(index) { return nil }
        if families.groupsBefore(index, in: world.plan).contains(where: { groups[$0].hasFailed }) {
            return "the lane failed before"
        }
        if let firstFailure, world.options.failurePolicy != .keepGoing {
            return firstFailure.step.map { "'\(world.plan.steps[$0].name)' failed" } ?? "the transaction failed"
        }
        return nil
    }

    /// A group whose steps are passed over because of conditions has begun as well: its hooks run.
    private mutating func noteStart(of group: Int, unlessBlocked index: Int, _ blocker: Int?) {
        guard !world.plan.steps[index].turn.stage.isHook else { return }
        if obstacle(to: index) == nil, failure(before: index, blocker: blocker) == nil { noteStart(of: group) }
    }

    /// A group begins with the first step in it, and so do those around it.
    private mutating func noteStart(of group: Int) {
        let now = Monotonic.now
        var next: Int? = group
        while let current = next, groups[current].startedAt == nil {
            groups[current].startedAt = now
            next = families.parent(of: current)
        }
    }

    // MARK: What a step gets

    /// What expressions see in a group.
    private func evaluationContext(of group: Int) -> EvaluationContext {
        var context = world.surroundings.evaluation
        context.parameters = groups[group].parameters
        context.matrix = groups[group].matrix
        context.steps = groups[group].outputs
        context.hasFailed = groups[group].hasFailed
        return context
    }

    /// When the time of a group or of one around it is over first.
    private func earliestDeadline(of group: Int) -> TimeLimit? {
        families.timeLimits(on: group).compactMap(deadline).min { $0.moment < $1.moment }
    }

    private func deadline(of group: Int) -> TimeLimit? {
        guard let limit = world.plan.groups[group].timeout, let start = groups[group].startedAt else { return nil }
        return TimeLimit(moment: start + limit, length: limit)
    }

    /// Hooks have their own time only, until somebody wants the run to end.
    private var hookDeadline: TimeLimit? {
        cancelledAt.map { TimeLimit(moment: $0 + world.options.grace, length: world.options.grace) }
    }

    private func job(for index: Int, in context: EvaluationContext) -> StepJob {
        let step = world.plan.steps[index]
        let owner = families.transaction(of: index)
        let isHook = families.isHook(index)
        let own = step.turn.stage.isHook ? nil : earliestDeadline(of: step.group)
        return StepJob(
            step: step, context: context, parameters: groups[step.group].parameters,
            transaction: owner.flatMap { groups[$0].transaction },
            deadline: isHook ? TimeLimit.earlier(own, hookDeadline) : own, isHook: isHook,
            isLasting: owner == nil && !isHook,
            cancellation: isHook ? world.hookCancellation : world.workCancellation)
    }

    // MARK: Results

    /// Notes how a step ended; gives the step to blame when what depends on it must not run.
    private mutating func note(_ end: StepVerdict, of index: Int) -> Int? {
        let step = world.plan.steps[index]
        if !end.outputs.isEmpty { groups[step.group].outputs[outputName(of: step)] = end.outputs }
        guard let status = end.status else { return nil }
        if step.limits.continuesOnError { return nil }
        // One that another's failure ended is not to blame itself.
        if end.wasCancelled { return firstFailure?.step ?? index }
        noteFailure(step: index, status: status, in: step.group)
        return index
    }

    /// The id of a step as its lane file has it.
    func outputName(of step: PlanStep) -> String {
        let path = world.plan.groups[step.group].path
        guard step.id.utf8.starts(with: "\(path)/".utf8) else { return step.id }
        return String(Substring(step.id.utf8.dropFirst(path.utf8.count + 1)))
    }

    mutating func noteFailure(step: Int?, status: Int32, in group: Int) {
        var next: Int? = group
        while let current = next, !groups[current].hasFailed {
            groups[current].hasFailed = true
            next = families.parent(of: current)
        }
        if firstFailure == nil { firstFailure = (step, status) }
        if world.options.failurePolicy == .cancelOthers { world.workCancellation.cancel() }
    }

    /// `nil` when it became real or was abandoned.
    mutating func set(_ transaction: (any Transaction)?, of group: Int) {
        groups[group].transaction = transaction
    }
}
