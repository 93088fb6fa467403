import Arguments
import Diagnostics
import Expressions
import Files
import LaneModel
import Planning
import LaneRun
import LaneValues

/// A call of one lane: its help, its plan or a run.
struct LaneInvocation {
    let catalog: LaneCatalog
    let lane: Lane

    private var spec: CommandSpec { lane.commandSpec(runsTests: lane.runs(.test)) }

    /// Outside a package, the built-in lanes run packed tests.
    ///
    /// - Parameter explainsOnly: A Boolean value that indicates whether the built-in lanes are used outside a package,
    ///   for help.
    init(_ name: String, explainsOnly: Bool = false, in world: World) throws(CommandFailure) {
        let project: Project
        do throws(CommandFailure) {
            project = try Project.find(from: world.directory)
        } catch {
            let isSelfSufficient = explainsOnly || world.arguments.contains { TestOverrides.isFrom($0) }
            guard isSelfSufficient, BuiltInLanes.names.contains(name) else { throw error }
            project = Project(root: world.directory, laneFiles: [], unread: [])
        }
        catalog = LaneCatalog.load(project, in: world)
        lane = try catalog.lane(name)
    }

    /// Runs the lane. `watch` is the current round of `--watch`.
    func run(
        _ words: [String], in world: World, watch: WatchRound? = nil
    ) throws(CommandFailure) -> ExitStatus {
        if !words.isEmpty, spec.asksForHelp(words) {
            world.output.write(spec.help(after: ["lane"], width: world.width(of: world.output)))
            return .done
        }
        try catalog.requireSound(lane.name)
        // Only steps get secrets.
        let withoutSecrets = world.withholding(catalog.files.secrets)
        let (ownWords, passed) = splitArguments(words)
        let answers = try answers(ownWords, in: world)
        let words = answers + ownWords
        let arguments = try arguments(words)
        if lane.isTransaction, arguments[LaneOptions.abort] {
            return try ReleaseAbort(root: root).run(in: withoutSecrets)
        }
        if arguments[LaneOptions.watch] {
            let handedOn = passed.isEmpty ? [] : ["--"] + passed
            let words = words.filter { $0 != "--\(LaneOptions.watch.spec.name)" } + handedOn
            return WatchLoop(root: root, lane: lane.name, words: words).run(in: world)
        }
        var context = withoutSecrets.evaluationContext(for: catalog)
        context.arguments = passed
        let plan = try plan(arguments, context, in: world)
        let runsTests = lane.runs(.test)
        if runsTests, arguments[TestOverrides.list] {
            return try TestListing(root: root, plan: plan, context: context, arguments: arguments)
                .run(in: withoutSecrets)
        }
        let overrides = runsTests ? TestOverrides.values(in: arguments, from: world.directory) : [:]
        let actions = actions(of: plan, TestAction(overrides: overrides, watch: watch, date: world.date), in: world)
        let execution = LaneExecution(
            root: root, lane: lane, plan: plan, actions: actions, context: context, arguments: arguments, words: words,
            watch: watch)
        if arguments[LaneOptions.plan] { return explain(execution, in: withoutSecrets) }
        try requireSecrets(execution)
        if arguments[LaneOptions.container] != nil { return try runInContainer(execution, in: world) }
        return try execution.run(in: world)
    }

    /// Prints the plan, for `--plan`.
    private func explain(_ execution: LaneExecution, in world: World) -> ExitStatus {
        let text = PlanText(
            plan: execution.plan, actions: execution.actions, context: execution.context, root: root,
            processes: world.processes, forecast: UpToDateForecast(root: root),
            hasLaneFiles: catalog.project.hasLaneFiles)
        let rows = text.rows
        show(text, rows, isJSON: execution.arguments[LaneOptions.json], in: world)
        return rows.contains { !$0.forecast.obstacles.isEmpty } ? .refused : .done
    }

    /// Runs the lane in a container, for `--in docker`.
    private func runInContainer(_ execution: LaneExecution, in world: World) throws(CommandFailure) -> ExitStatus {
        try ContainerRun(
            root: root, plan: execution.plan, image: execution.arguments[LaneOptions.image],
            words: [lane.name] + spec.words(execution.words, without: LaneOptions.ofContainers),
            reports: LaneOptions.files(in: execution.arguments)
        ).run(in: world)
    }

    private var root: String { catalog.project.root }

    /// Splits off the words behind `--` if the lane reads `arguments`. In any other lane, `--` ends the options.
    private func splitArguments(_ words: [String]) -> (words: [String], passed: [String]) {
        guard let end = words.firstIndex(of: "--"), catalog.files.usesArguments(lane.name) else { return (words, []) }
        return (Array(words[..<end]), Array(words[(end + 1)...]))
    }

    /// Parses the arguments. Without any, the description of a lane without parameters is not created.
    private func arguments(_ words: [String]) throws(CommandFailure) -> ParsedArguments {
        if words.isEmpty, lane.parameters.isEmpty { return ParsedArguments() }
        let spec = aborts(words) ? spec.withoutRequirements() : spec
        return try Program.parse(spec, words, after: ["lane"], checking: LaneOptions.clashes).arguments
    }

    /// A Boolean value that indicates whether a release is taken back, without the version that made it.
    private func aborts(_ words: [String]) -> Bool {
        lane.isTransaction && words.prefix { $0 != "--" }.contains("--\(LaneOptions.abort.spec.name)")
    }

    /// Returns options for the required parameters without a value, after the user was asked for them.
    ///
    /// There are none on a CI service and without a terminal, for an invalid command line, and after the user ended the
    /// input. Then the parser reports what is missing.
    private func answers(_ words: [String], in world: World) throws(CommandFailure) -> [String] {
        guard let readLine = world.readLine, !world.isCI, !aborts(words),
            lane.parameters.contains(where: \.isRequired),
            let arguments = try? spec.withoutRequirements().parse(words, checking: LaneOptions.clashes).arguments
        else { return [] }
        let prompts = Prompts(write: { world.errors.write($0) }, readLine: readLine)
        var answers: [String] = []
        for parameter in lane.parameters where parameter.isRequired {
            guard arguments.words(parameter.name).isEmpty, arguments.flag(parameter.name) == nil else { continue }
            guard let text = prompts.text(for: parameter) else { return [] }
            let isFlag = parameter.isFlag
            answers.append(isFlag ? "--\(text == "true" ? "" : "no-")\(parameter.name)" : "--\(parameter.name)=\(text)")
        }
        return answers
    }

    private func plan(
        _ arguments: ParsedArguments, _ context: EvaluationContext, in world: World
    ) throws(CommandFailure) -> Plan {
        let outputs = CommandOutputs(
            root: root, secrets: catalog.files.secrets, processes: world.processes, cancellation: world.cancellation)
        let sources = PlanSources(
            dotEnv: { [project = catalog.project] file throws(Diagnostic) in try project.dotEnv(file) },
            output: { command, settings, environment throws(Diagnostic) in
                world.watchSignals()
                return try outputs.text(of: command, settings, in: environment)
            },
            files: { [root] glob in FilePattern(glob).files(below: root).filter { fileExists("\(root)/\($0)") } })
        do {
            return try Planner(catalog.files, sources: sources).plan(
                lane: lane.name, arguments: lane.texts(in: arguments, from: world.directory, root: root),
                context: context
            ).addingDotEnv(to: world.environment) { file throws(Diagnostic) in try catalog.project.dotEnv(file) }
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Throws an error for each secret without a value that a step needs.
    private func requireSecrets(_ execution: LaneExecution) throws(CommandFailure) {
        let step = try execution.part().step
        let missing = execution.plan.missingSecrets(in: execution.context, only: step)
        guard !missing.isEmpty else { return }
        throw CommandFailure(Diagnostics(missing.map(\.diagnostic)))
    }

    private func show(_ text: PlanText, _ rows: [PlanText.Row], isJSON: Bool, in world: World) {
        let mask = SecretMask(text.plan.secretValues(in: world.environment))
        world.output.write(
            mask.masked(isJSON ? text.json(rows) : text.text(rows, style: world.style(for: world.output))))
    }

    /// Returns the actions of a plan's steps by their names.
    private func actions(of plan: Plan, _ test: TestAction, in world: World) -> [String: any StepAction] {
        var actions = ActionTable.builtIn(test, date: world.date)
        for step in plan.steps {
            if case .custom(let name) = step.task.action { actions[name] = CustomAction(name: name) }
        }
        return actions
    }
}

extension Lane {
    /// Returns a Boolean value that indicates whether one of its own steps is this action.
    func runs(_ action: BuiltInAction) -> Bool {
        (steps + then + onFailure + always).contains { $0.runs(action) }
    }
}

extension Step {
    fileprivate func runs(_ action: BuiltInAction) -> Bool {
        switch content {
        case .action(let kind, _): kind == .builtIn(action)
        case .lane: false
        case .parallel(let steps): steps.contains { $0.runs(action) }
        }
    }
}
