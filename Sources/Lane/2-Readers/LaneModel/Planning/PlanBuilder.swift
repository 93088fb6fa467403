import Expressions
import Text

/// A builder of one plan. It uses an explicit stack, so recursion does not limit the length of a chain of lanes.
struct PlanBuilder {
    private enum Frame {
        case call(PlanningCall)
        case group(PlanningGroup)
    }

    let files: CheckedLaneFiles
    /// The names of the environment variables that lanes declare as secrets.
    let secretNames: Set<String>
    let context: EvaluationContext
    let sources: PlanSources
    let maximumSteps: Int
    private(set) var steps: [PlanStep] = []
    private(set) var groups: [PlanGroup] = []
    private(set) var secrets: [String] = []
    /// The values to mask besides environment variables, each with a description of its source.
    private(set) var hiddenValues: [String: String] = [:]
    /// The variables of dotenv files by their paths.
    var fileVariables: [String: [DotEnv.Variable]] = [:]
    /// The errors in dotenv files.
    var fileErrors = Diagnostics()
    /// The environment variables of each lane, including those of its dotenv files.
    var environments: [String: [String: String]] = [:]
    /// The groups that are known to be skipped, whose values are not computed.
    var skipped: Set<Int> = []
    private var knownSecrets: Set<String> = []
    private var frames: [Frame] = []
    /// The indices of the last steps and the groups of needed lanes, by lane and parameters.
    private var needed: [String: (tails: [Int], groups: [Int])] = [:]
    /// The group around all lanes whose hooks run last and whose services run until then, with its lane.
    private var package: (call: PlanningCall, group: PlanningGroup, lane: Lane)?
    private var paths: [String: Int] = [:]

    init(
        files: CheckedLaneFiles, secretNames: Set<String>, context: EvaluationContext, sources: PlanSources,
        maximumSteps: Int
    ) {
        self.files = files
        self.secretNames = secretNames
        self.context = context
        self.sources = sources
        self.maximumSteps = maximumSteps
    }

    /// Adds the steps of a lane. If the package has hooks or services, lanes that are added after its own steps are in
    /// their group.
    ///
    /// - Parameter incoming: The indices of the steps that the lane waits for.
    /// - Returns: The indices of its last steps.
    mutating func run(
        lane: Int, parameters: [(name: String, value: Value)], after incoming: [Int] = []
    ) throws(Diagnostics) -> [Int] {
        let site = CallSite(
            inside: package.map { GroupLocation(parent: $0.group.group) }, incoming: incoming)
        let key = key(files.lanes[lane].name, parameters, site)
        if let (tails, _) = needed[key] { return tails }
        hide(parameters, of: files.lanes[lane])
        let call = PlanningCall(lane: lane, parameters: parameters, hidden: hidden(of: lane), at: site, key: key)
        try advance([.call(call)])
        return call.tails
    }

    /// Adds the hooks that run after all lanes.
    mutating func addPackageHooks() throws(Diagnostics) {
        guard let (call, group, lane) = package else { return }
        group.lane = lane
        try advance([.call(call), .group(group)])
    }

    private mutating func advance(_ start: [Frame]) throws(Diagnostics) {
        frames = start
        while let frame = frames.popLast() {
            switch frame {
            case .call(let call): try advance(call)
            case .group(let group): try advance(group)
            }
        }
    }

    private mutating func advance(_ call: PlanningCall) throws(Diagnostics) {
        let lane = files.lanes[call.lane]
        if call.nextNeed < lane.needs.count {
            let need = lane.needs[call.nextNeed]
            call.nextNeed += 1
            let next = try self.call(
                need, from: call.parameters, of: lane, inside: nil, hidden: call.hidden, at: call.site)
            frames.append(.call(call))
            if let key = next.key, let (tails, groups) = needed[key] {
                call.heads += tails
                call.needs += groups
            } else {
                frames.append(.call(next))
            }
            return
        }
        let combinations = lane.matrix?.combinations ?? [[]]
        if call.nextCombination < combinations.count {
            let combination = combinations[call.nextCombination]
            call.nextCombination += 1
            frames.append(.call(call))
            try open(call, lane, combination)
            return
        }
        finish(call)
    }

    private mutating func finish(_ call: PlanningCall) {
        if let key = call.key { needed[key] = (call.tails, call.groups) }
        switch frames.last {
        case .call(let outer):
            outer.heads += call.tails
            outer.needs += call.groups
        case .group(let outer): outer.tails += call.tails
        case nil: break
        }
    }

    /// Returns a call with evaluated parameters.
    private mutating func call(
        _ call: LaneCall, from parameters: [(name: String, value: Value)], of caller: Lane,
        inside outer: PlanGroup?, hidden: Set<String>, at site: CallSite, step: Step? = nil
    ) throws(Diagnostics) -> PlanningCall {
        guard let index = files.index(of: call.lane) else {
            preconditionFailure("a checked lane names no lane that is not there")
        }
        let lane = files.lanes[index]
        let isSkipped = site.inside.map { skipped.contains($0.parent) } ?? false
        let values =
            isSkipped
            ? lane.parameters.map { ($0.name, $0.defaultValue ?? .null) }
            : try self.values(of: index, for: call, from: parameters, of: caller, inside: outer)
        let isNeed = step == nil
        var unshown = self.hidden(of: index)
        for argument in call.arguments where argument.isHidden(beside: hidden, outer?.hiddenValues ?? []) {
            unshown.insert(argument.name)
        }
        hide(values, of: lane)
        return PlanningCall(
            lane: index, parameters: values, hidden: unshown, at: site, timeout: step?.timeout,
            key: isNeed ? key(call.lane, values, site) : nil)
    }

    /// Returns the names of the parameters of a lane whose values are hidden.
    private func hidden(of lane: Int) -> Set<String> {
        Set(files.lanes[lane].parameters.filter(\.isSecret).map(\.name))
    }

    private func key(
        _ lane: String, _ values: [(name: String, value: Value)], _ site: CallSite
    ) -> String {
        var key =
            "\(site.inside?.parent ?? -1) \(site.inside?.hookStart ?? -1) \(lane) \(site.condition?.text ?? "")"
        if let item = site.condition?.item { key += "\0\(item)\0" }
        // The key is unique, because no value contains NUL. A null value has no `=`, and a list has its length.
        for (_, value) in values {
            if case .list(let words) = value { key += "\0\(words.count)" }
            for text in value.texts { key += "\0=" + text }
            if value == .null { key += "\0" }
        }
        return key
    }

    /// Adds the texts of a value to the values to mask.
    mutating func hide(_ value: Value, of source: String) {
        for text in value.texts { hiddenValues[text] = source }
    }
}

extension PlanBuilder {
    /// Starts the group of one combination.
    private mutating func open(
        _ call: PlanningCall, _ lane: Lane, _ combination: [(name: String, value: Value)]
    ) throws(Diagnostics) {
        let site = call.site
        let prefix = site.depth == 0 ? "" : site.inside.map { groups[$0.parent].path + "/" } ?? ""
        var path = prefix + lane.name
        var shown = site.combination
        if !combination.isEmpty {
            path += "[" + combination.map { "\($0.name)=\($0.value.text ?? "…")" }.joined(separator: ",") + "]"
            let own = combination.map { "\($0.name): \($0.value.text ?? "…")" }.joined(separator: ", ")
            shown = shown.isEmpty ? own : shown + ", " + own
        }
        let timeout = call.timeout.map { min($0, lane.timeout ?? $0) } ?? lane.timeout
        let scope = try scope(of: call, combination)
        if scope.isSkipped { skipped.insert(groups.count) }
        // As in other tools, a variable of the environment overrides that of a file.
        let variables = fileVariables(of: lane).filter { context.environment[$0.name] == nil }
            .map { (name: $0.name, value: Template($0.value)) }
        groups.append(
            PlanGroup(
                path: unique(path), lane: lane.name, location: site.inside, parameters: call.parameters,
                matrix: combination, values: scope.values, hiddenValues: scope.hidden, condition: lane.condition,
                callCondition: site.condition,
                environment: variables.isEmpty ? lane.environment : variables + lane.environment, dotenv: lane.dotenv,
                timeout: timeout, isTransaction: lane.isTransaction, needs: call.needs))
        call.groups.append(groups.count - 1)
        for secret in lane.secrets where knownSecrets.insert(secret).inserted { secrets.append(secret) }
        let steps = try lane.forEachItem(in: scope, from: sources)
        let group = PlanningGroup(
            lane: steps, group: groups.count - 1, depth: site.depth, hidden: call.hidden, combination: shown,
            heads: call.heads)
        frames.append(.group(group))
        guard call.lane == files.package, lane.hasHooks || lane.startsService else { return }
        package = (call, group, steps)
        (group.lane.onFailure, group.lane.always) = ([], [])
    }

    private mutating func unique(_ path: String) -> String {
        let count = paths[path, default: 0] + 1
        paths[path] = count
        return count == 1 ? path : unique("\(path)-\(count)")
    }

    private mutating func advance(_ group: PlanningGroup) throws(Diagnostics) {
        let lane = group.lane
        while let (step, stage) = group.next(in: lane) {
            try requireRoom(for: step)
            switch step.content {
            case .action: group.tails = [add(step, lane, group, stage, group.heads)]
            case .lane(let inner): if try enter(inner, step, group, stage) { return }
            case .parallel(let members): if try enter(members, of: step, group, lane, stage) { return }
            }
            group.pass()
        }
        guard case .call(let call)? = frames.last else { preconditionFailure("a group is opened by its call") }
        call.tails += group.tailsOfAll
    }

    private func requireRoom(for step: Step) throws(Diagnostics) {
        guard steps.count < maximumSteps else {
            throw Diagnostics([Diagnostic(.error, "the plan has more than \(maximumSteps) steps", at: step.span)])
        }
    }

    /// Adds the steps of a `parallel` step. For a `lane` step, pushes the call of its lane and continues after it.
    private mutating func enter(
        _ members: [Step], of step: Step, _ group: PlanningGroup, _ lane: Lane, _ stage: PlanStep.Stage
    ) throws(Diagnostics) -> Bool {
        while group.nextMember < members.count {
            try requireRoom(for: step)
            let member = members[group.nextMember].under(step.condition)
            group.nextMember += 1
            if case .lane(let inner) = member.content {
                try push(inner, member, group, stage)
                return true
            }
            group.tails.append(add(member, lane, group, stage, group.heads))
        }
        return false
    }

    /// Pushes the call of a `lane` step, or continues after it.
    private mutating func enter(
        _ inner: LaneCall, _ step: Step, _ group: PlanningGroup, _ stage: PlanStep.Stage
    ) throws(Diagnostics) -> Bool {
        if group.nextMember == 1 { return false }
        group.nextMember = 1
        try push(inner, step, group, stage)
        return true
    }

    private mutating func push(
        _ inner: LaneCall, _ step: Step, _ group: PlanningGroup, _ stage: PlanStep.Stage
    ) throws(Diagnostics) {
        guard group.depth < Planner.maximumDepth else {
            throw Diagnostics([
                Diagnostic(.error, "lanes run lanes more than \(Planner.maximumDepth) levels deep", at: step.span)
            ])
        }
        let outer = groups[group.group]
        let site = CallSite(
            inside: GroupLocation(
                parent: group.group, stage: stage,
                hookStart: stage.isHook ? steps.count : outer.location?.hookStart),
            depth: group.depth + 1, condition: step.condition, combination: group.combination, incoming: group.heads)
        let call = try call(
            inner, from: outer.parameters, of: group.lane, inside: outer, hidden: group.hidden, at: site, step: step)
        frames.append(.group(group))
        frames.append(.call(call))
    }

    private mutating func add(
        _ step: Step, _ lane: Lane, _ group: PlanningGroup, _ stage: PlanStep.Stage, _ dependencies: [Int]
    ) -> Int {
        guard case .action(let action, let settings) = step.content else {
            preconditionFailure("only actions become steps of a plan")
        }
        let name = name(of: step, action, settings, group)
        let key = step.id ?? group.nextKey(action.name, avoiding: lane.stepIDs)
        let isBound =
            stage.isHook || groups[group.group].location?.hookStart != nil && groups[group.group].timeout == nil
        let bound = isBound && !step.isInteractive ? PlanStep.hookTimeout : nil
        let environment = groups[group.group].environment
        steps.append(
            PlanStep(
                id: groups[group.group].path + "/" + key, name: name,
                nameExpressions: expressions(in: name, of: step, settings),
                nameIsCommand: step.name == nil && action == .builtIn(.run), group: group.group,
                schedule: StepSchedule(stage: stage, condition: step.condition, dependencies: dependencies),
                task: StepTask(
                    action: action, settings: settings,
                    // Shares the variables of the group with most steps.
                    environment: step.environment.isEmpty ? environment : environment + step.environment,
                    directory: step.directory ?? (action.ignoresLaneDirectory(settings) ? nil : lane.directory),
                    item: step.item, series: step.series,
                    secrets: step.secrets.union(step.environment.map(\.name)), isInteractive: step.isInteractive,
                    isNamed: step.id != nil),
                limits: StepLimits(
                    timeout: step.timeout ?? bound, retry: step.retry ?? lane.retry,
                    continuesOnError: step.continuesOnError, grace: step.grace ?? lane.grace),
                files: step.files, span: step.span))
        return steps.count - 1
    }
}

extension ActionKind {
    /// Returns a Boolean value that indicates whether the working directory of the lane does not apply to the action.
    fileprivate func ignoresLaneDirectory(_ settings: SettingsTemplate) -> Bool {
        guard case .builtIn(let action) = self else { return false }
        return !action.hasDirectory || settings.members["directory"] != nil
    }
}
