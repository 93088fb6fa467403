import Actions
import Arguments
import CLibrary
import Events
import Expressions
import LaneModel
import OperatingSystem
import Records
import Reports
import Runner
import TestActions
import Text

/// The execution of a plan with its reports, protected by the lock of the directory.
struct LaneExecution {
    let root: String
    let plan: Plan
    let actions: [String: any StepAction]
    let context: EvaluationContext
    /// The arguments of the last lane of the command line, which apply to the run.
    let arguments: ParsedArguments
    let repeats: RepeatCommands
    var watch: WatchRound?
    /// The step that runs alone, unless the command line names another one.
    var onlyStep: StepID?
    /// A Boolean value that indicates whether steps have the terminal.
    var sharesTerminal = false

    func run(in world: World) throws(CommandFailure) -> ExitStatus {
        world.watchSignals()
        try requireTemporaryFiles(in: world)
        StateDirectory.create(in: root)
        let lock = try takeLock(in: world)
        defer { withExtendedLifetime(lock) {} }
        if let lock { KilledRunProcesses(root: root).watch(after: lock.predecessor, in: world) }
        // Only steps get secrets.
        let withoutSecrets = world.withholding(plan.allSecrets)
        let isRecovered = try finishKilledRelease(in: withoutSecrets)
        let continuation = try continuation(isRecovered: isRecovered, in: withoutSecrets)
        // The values of git are read before the first step.
        if plan.contexts.contains(.git) { _ = context.git.all }
        world.announce(secrets: plan.secretValues(in: world.environment).map(\.value))
        let reports = RunReports(
            arguments, root: root, in: world, sharesTerminal: sharesTerminal,
            recorder: RunRecorder(RunStore(root: root)))
        let environment = RunEnvironment(
            root: root, variables: world.environment, commandPath: world.commandPath, processes: world.processes,
            cancellation: world.cancellation, now: world.now,
            transactions: world.program.releases, lastTransaction: continuation.record,
            continuesTransaction: continuation.continues, evaluation: context)
        var options = try options(in: world)
        if continuation.note != nil { options.part = .all }
        let runner = LaneRunner(
            plan: plan, actions: actions, in: environment, events: reports.stream, options: options)
        if let obstacle = runner.obstacle {
            throw CommandFailure(.refused, obstacle)
        }
        let clock = LiveClock(ticking: reports.stream, isNeeded: world.isInteractive)
        let status = runner.run()
        clock.stop()
        watch?.written.note(reports.files.paths)
        let failures = reports.files.finish()
        for failure in failures { world.report(CommandFailure(.cannotWrite, failure.description)) }
        // A failed step takes precedence over a report that could not be written.
        return failures.isEmpty || status != 0 ? ExitStatus(rawValue: status) : .cannotWrite
    }

    /// Throws an error if temporary files cannot be written, for example in a container with `--read-only`.
    private func requireTemporaryFiles(in world: World) throws(CommandFailure) {
        let temporary = world.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        guard isReadOnly(temporary) else { return }
        // Compilers have their caches in the home directory, and SwiftPM runs compiled manifests in the temporary
        // directory.
        let needed = [temporary] + [world.environment["HOME"]].compactMap(\.self).filter(isReadOnly)
        let options = needed.map { "--tmpfs \($0):exec" }.joined(separator: " ")
        throw CommandFailure(
            .cannotWrite, "'\(temporary)' is on a read-only file system",
            hint: "a container with '--read-only' also needs '\(options)'")
    }

    private func isReadOnly(_ directory: String) -> Bool { access(directory, W_OK) != 0 && errno == EROFS }

    private func options(in world: World) throws(CommandFailure) -> RunOptions {
        // Steps of one `parallel` step may wait for each other, also on a machine with one processor. With more than 16,
        // they would rather wait for a processor.
        let jobs = arguments[LaneOptions.jobs]?.number ?? max(world.processors, min(plan.parallelWidth, 16))
        var options = RunOptions(jobs: jobs)
        if arguments[LaneOptions.keepGoing] { options.failurePolicy = .keepGoing }
        if arguments[LaneOptions.failFast] { options.failurePolicy = .cancelOthers }
        options.isForced = arguments[LaneOptions.force]
        options.explains = arguments[LaneOptions.why]
        options.part = try part()
        options.repeatCommand = repeats.ofStep()
        // Only this machine knows which tests failed.
        let isForOthers = world.isCI || repeats.isOfOneMachine
        if !isForOthers { options.repeatFailedCommand = repeats.ofFailedTests() }
        if isForOthers || arguments[LaneOptions.report] != nil { options.repeatTestsCommand = repeats.ofTests() }
        return options
    }

    func part() throws(CommandFailure) -> RunOptions.Part {
        let ids = plan.steps.map(\.id)
        guard let id = arguments[LaneOptions.step] else {
            if let onlyStep { return .only(onlyStep) }
            return arguments[LaneOptions.resume] ? .rest : .all
        }
        if ids.contains(id) { return .only(StepID(id)) }
        // A unique suffix of an ID is sufficient.
        let ends = ids.filter { $0.hasSuffix("/\(id)") }
        if ends.count == 1 { return .only(StepID(ends[0])) }
        guard ends.isEmpty else {
            throw CommandFailure(
                .usage, "lane '\(plan.lane)' has \(ends.count) steps '\(id)'",
                hint: "use one of: \(list(firstOf: ends, joinedBy: "or"))")
        }
        let guess = suggestion(for: id, among: ids)
        throw CommandFailure(
            .usage, "lane '\(plan.lane)' has no step '\(id)'",
            hint: guess ?? "use '--plan' to list the ids of the steps")
    }

    private func takeLock(in world: World) throws(CommandFailure) -> RunLock? {
        func acquire() throws(RunLock.Held) -> RunLock? {
            try RunLock.acquire(
                root: root, holder: ContainerRun.holder(of: plan.lane, in: world), environment: world.environment)
        }
        do throws(RunLock.Held) {
            return try acquire()
        } catch {
            if ContainerRun.removeAbandoned(holder: error.holder, root: root, in: world), let lock = try? acquire() {
                return lock
            }
            let holder = error.holder.isEmpty ? "another lane" : "'\(error.holder)'"
            throw CommandFailure(
                .refused, "\(holder) is running in this directory", hint: "wait for it, or end it")
        }
    }

    private func continuation(
        isRecovered: Bool, in world: World
    ) throws(CommandFailure) -> ReleaseContinuation.Outcome {
        do {
            let outcome = try ReleaseContinuation(
                root: root, plan: plan, context: context, resumes: arguments[LaneOptions.resume],
                isRecovered: isRecovered
            ).find(in: world)
            if let note = outcome.note { world.errors.writeLine("note: \(note)") }
            return outcome
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Completes or removes a killed release before the lane runs.
    ///
    /// - Returns: A Boolean value that indicates whether a release was completed.
    private func finishKilledRelease(in world: World) throws(CommandFailure) -> Bool {
        guard world.program.releases.needsRecovery(root: root) else { return false }
        do {
            let done = try world.program.releases.recover(world.git(in: root))
            if let done { world.errors.writeLine("note: \(done.text)") }
            return done?.isRelease ?? false
        } catch {
            throw CommandFailure(error)
        }
    }
}
