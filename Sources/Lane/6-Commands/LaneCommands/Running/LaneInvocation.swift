import Actions
import Arguments
import Expressions
import LaneModel
import OperatingSystem
import RemoteLanes
import Runner
import StepActions
import TestActions
import Text

/// A call of one or several lanes: their help, their plan or a run.
struct LaneInvocation {
    let catalog: LaneCatalog
    /// The first lane of the command line.
    let lane: Lane

    /// Finds a lane. Outside a package, uses the built-in lanes for packed tests and for help.
    ///
    /// - Parameter explainsOnly: A Boolean value that indicates whether the built-in lanes are used outside a package,
    ///   for help.
    init(_ name: String, explainsOnly: Bool = false, in world: World) throws(CommandFailure) {
        let project: Project
        do throws(CommandFailure) {
            project = try Project.find(from: world.directory)
        } catch {
            let isSelfSufficient = explainsOnly || TestRequest.hasPackedTests(world.arguments)
            guard isSelfSufficient, BuiltInLanes.names.contains(name) else { throw error }
            project = Project(root: world.directory, laneFiles: [], unread: [])
        }
        let words = [name] + world.arguments
        catalog = LaneCatalog.load(project, requested: Set(words), remote: .mentioned(orIn: words), in: world)
        lane = try catalog.lane(name)
    }

    /// Runs the lane, and the other lanes in the words.
    ///
    /// - Parameters:
    ///   - watch: The current round of `--watch`.
    ///   - willRun: A closure that is called with the plan before it runs.
    func run(
        _ words: [String], in world: World, watch: WatchRound? = nil,
        willRun: (Plan, EvaluationContext) -> Void = { _, _ in }
    ) throws(CommandFailure) -> ExitStatus {
        if !words.isEmpty, Self.requestsHelp(words) {
            let spec = Self.requestsAll(words) ? lane.fullSpec : lane.briefSpec
            world.output.write(spec.help(after: ["lane"], width: world.width(of: world.output)))
            return .done
        }
        let (requests, passed) = try requests(words, in: world)
        guard let last = requests.last else { preconditionFailure("a command line has a lane") }
        // Only steps get secrets.
        let withoutSecrets = world.withholding(catalog.files.secrets(running: requests.map(\.lane.name)))
        let arguments = last.arguments
        let tests = TestRequest(lane: last.lane, arguments: arguments, directory: world.directory)
        if last.lane.isTransaction, arguments[LaneOptions.abort] {
            return try ReleaseAbort(root: root).run(in: withoutSecrets)
        }
        let questions = catalog.files.questions(running: requests.map(\.lane.name))
        let isWatching = watch != nil
        if !isWatching, !arguments[LaneOptions.plan], !tests.isListing, !arguments[LaneOptions.yes] {
            try confirm(questions, in: world)
        }
        if arguments[LaneOptions.watch] {
            let words = typedWords(requests) + last.words + (passed.isEmpty ? [] : ["--"] + passed)
            return WatchLoop(
                root: root, lane: lane.name,
                words: words.dropFirst().filter { $0 != "--\(LaneOptions.watch.spec.name)" }
            ).run(in: world)
        }
        var context = withoutSecrets.evaluationContext(for: catalog)
        context.arguments = passed
        let plan = try plan(requests, context, in: world)
        if tests.isListing {
            return try TestListing(root: root, plan: plan, context: context, request: tests).run(in: withoutSecrets)
        }
        var execution = LaneExecution(
            root: root, plan: plan, actions: actions(of: plan, tests.action(watch: watch), in: world), context: context,
            arguments: arguments,
            repeats: RepeatCommands(
                tests: tests, plan: plan, container: ContainerRun.options(in: world), program: world.directoryOption,
                names: typedWords(requests), words: last.words + (passed.isEmpty ? [] : ["--"] + passed)),
            watch: watch)
        if arguments[LaneOptions.plan] { return explain(execution, in: withoutSecrets) }
        if arguments[LaneOptions.step] == nil { execution.onlyStep = try tests.packedStep(of: plan) }
        execution.sharesTerminal = tests.sharesTerminal
        try requireSecrets(execution)
        if arguments[LaneOptions.container] != nil { return try runInContainer(execution, in: world) }
        willRun(plan, context)
        return try execution.run(in: world)
    }

    /// Returns a Boolean value that indicates whether the words after a lane request its help.
    static func requestsHelp(_ words: [String]) -> Bool {
        let own = words.prefix { $0 != "--" }
        return own.contains("--help") || own.contains("-h") || requestsAll(words)
    }

    private static func requestsAll(_ words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains("--\(LaneOptions.helpAll)")
    }

    /// Asks the user the questions of lanes. Throws an error unless each answer is yes. On a CI service, the start of the
    /// job is the answer.
    private func confirm(_ questions: [String], in world: World) throws(CommandFailure) {
        guard !world.isCI else { return }
        for question in questions {
            guard let readLine = world.terminal.readLine else {
                throw CommandFailure(
                    .refused, "there is no terminal for the question '\(question)'", hint: "add '--yes' to answer it")
            }
            let answer = readLine("\(question) [y/N] ", false)?.lowercased() ?? ""
            guard ["y", "yes"].contains(answer) else {
                throw CommandFailure(.refused, "not confirmed; nothing was run")
            }
        }
    }

    /// Returns the lanes of the command line, and the arguments after `--` if a lane reads `arguments`. For other lanes,
    /// `--` ends the options.
    private func requests(
        _ words: [String], in world: World
    ) throws(CommandFailure) -> (requests: [LaneRequest], passed: [String]) {
        var parts = try LaneRequest.split(lane, words, in: catalog)
        for part in parts { try catalog.requireSound(part.lane.name) }
        var passed: [String] = []
        if let end = parts[parts.count - 1].words.firstIndex(of: "--"),
            parts.contains(where: { catalog.files.usesArguments($0.lane.name) })
        {
            passed = Array(parts[parts.count - 1].words[(end + 1)...])
            parts[parts.count - 1].words.removeSubrange(end...)
        }
        if let part = parts.last, let end = part.words.firstIndex(of: "--"), end + 1 < part.words.count,
            part.lane.positionals.isEmpty, !part.lane.takesPatterns
        {
            throw CommandFailure(
                .usage, "lane '\(part.lane.name)' takes no arguments after '--'",
                hint: "a step can use them as '${{ arguments }}'")
        }
        var requests: [LaneRequest] = []
        for part in parts { requests.append(try LaneRequest(part.lane, part.words, in: world)) }
        try LaneRequest.check(requests)
        try TestRequest.check(requests)
        return (requests, passed)
    }

    /// Returns the words of the command line up to the name of the last lane.
    private func typedWords(_ requests: [LaneRequest]) -> [String] {
        var words: [String] = []
        for request in requests.dropLast() { words += [request.lane.name] + request.words + [LaneRequest.separator] }
        return words + [requests[requests.count - 1].lane.name]
    }

    /// Prints the plan.
    private func explain(_ execution: LaneExecution, in world: World) -> ExitStatus {
        let text = PlanText(
            plan: execution.plan, actions: execution.actions, context: execution.context, root: root,
            processes: world.processes, now: world.now,
            forecast: UpToDateForecast(root: root, hasSecrets: execution.plan.hasSecrets),
            withoutFile: Set(catalog.lanes.filter(\.isBuiltIn).map(\.name)))
        let rows = text.rows
        show(text, rows, isJSON: execution.arguments[LaneOptions.json], in: world)
        return rows.contains { !$0.forecast.obstacles.isEmpty } ? .refused : .done
    }

    /// Runs the lane in a container.
    private func runInContainer(_ execution: LaneExecution, in world: World) throws(CommandFailure) -> ExitStatus {
        try ContainerRun(
            root: root, plan: execution.plan, image: execution.arguments[LaneOptions.image],
            words: execution.repeats.words(without: LaneOptions.ofContainers),
            files: LaneOptions.files(in: execution.arguments) + TestRequest.files(in: execution.arguments)
        ).run(in: world)
    }

    private var root: String { catalog.project.root }

    private func plan(
        _ requests: [LaneRequest], _ context: EvaluationContext, in world: World
    ) throws(CommandFailure) -> Plan {
        let outputs = CommandOutputs(
            root: root, secrets: catalog.files.secrets(running: requests.map(\.lane.name)), processes: world.processes,
            cancellation: world.cancellation)
        let sources = PlanSources(
            dotEnv: { [project = catalog.project] file, isOfRun throws(Diagnostic) in
                try project.dotEnv(file, waitsForPipe: isOfRun)
            },
            output: { command, settings, environment throws(Diagnostic) in
                world.watchSignals()
                return try outputs.text(of: command, settings, in: environment)
            },
            files: { [root] in FilePattern($0).existingFiles(below: root) })
        do {
            return try Planner(catalog.files, sources: sources).plan(
                requests.map { request in
                    let words = request.lane.words(in: request.arguments, from: world.directory, root: root)
                    return (request.lane.name, words)
                }, context: context)
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
        var actions = world.program.actions.byName
        actions[ActionKind.builtIn(.test).name] = test
        for step in plan.steps {
            guard case .custom(let name) = step.task.action else { continue }
            actions[name] = CustomAction(name: name, executable: catalog.remote.executables[name])
        }
        return actions
    }
}
