import Expressions
import Text

/// The values that the expressions of a group's steps can read.
struct GroupScope {
    /// The context of the group's expressions before its first step.
    var context: EvaluationContext
    /// The values of `let` that the lane reads, in their order.
    var values: [(name: String, value: Value)] = []
    /// The names of the values to mask.
    var hidden: Set<String> = []
    /// A Boolean value that indicates whether a condition of the group is known to be false.
    var isSkipped = false
}

extension PlanBuilder {
    /// Parses the values of the requested lane's parameters.
    mutating func values(
        of lane: Int, words: [String: [String]]
    ) throws(Diagnostics) -> [(name: String, value: Value)] {
        var defaults: [String: Value] = [:]
        for parameter in files.lanes[lane].parameters where words[parameter.name] == nil {
            defaults[parameter.name] = try computedDefault(of: parameter, in: lane)
        }
        return try files.lanes[lane].parameterValues(of: words, defaults: defaults)
    }

    /// Adds the values of secret parameters to the values to mask.
    mutating func hide(_ values: [(name: String, value: Value)], of lane: Lane) {
        for parameter in lane.parameters where parameter.isSecret {
            guard let value = values.first(where: { $0.name == parameter.name })?.value else { continue }
            hide(value, of: "parameters.\(parameter.name) of lane '\(lane.name)'")
        }
    }

    /// Returns the scope of a group. Computes the values of `let` in their order.
    mutating func scope(
        of call: PlanningCall, _ combination: [(name: String, value: Value)]
    ) throws(Diagnostics) -> GroupScope {
        let lane = files.lanes[call.lane]
        var scope = GroupScope(context: context)
        scope.isSkipped = try isSkipped(call, lane)
        let used = lane.usedValues
        guard !used.isEmpty || lane.hasItems else { return scope }
        scope.context.environment = try environment(of: lane)
        scope.context.parameters = Value.byName(call.parameters)
        scope.context.matrix = Value.byName(combination)
        guard !scope.isSkipped else { return scope }
        for value in lane.values where used.contains(value.name) {
            let result = try self.value(of: value, in: scope.context)
            scope.context.values[value.name] = result
            scope.values.append((value.name, result))
            guard isHidden(value, beside: call.hidden, scope.hidden) else { continue }
            scope.hidden.insert(value.name)
            hide(result, of: "let.\(value.name) of lane '\(lane.name)'")
        }
        return scope
    }

    private func value(of value: LaneValue, in context: EvaluationContext) throws(Diagnostics) -> Value {
        switch value.source {
        case .node(let node): return try node.evaluate(as: .any, in: context) ?? .null
        case .output(let command):
            let settings = try command.settings.evaluate(in: context)
            do {
                return .string(try sources.output(command, settings, context.environment))
            } catch {
                throw Diagnostics([masked(error, context.environment)])
            }
        }
    }

    /// Returns the error of a command without the secrets that the command may print.
    private func masked(_ error: Diagnostic, _ environment: [String: String]) -> Diagnostic {
        let values = Array(hiddenValues.keys) + secretNames.compactMap { environment[$0] }
        let secrets = values.filter { !$0.isEmpty }.sorted { $0.utf8.count > $1.utf8.count }
        let message = secrets.reduce(error.message) { $0.replacing($1, with: "***") }
        return Diagnostic(error.severity, message, at: error.span, hint: error.hint)
    }

    /// Returns a Boolean value that indicates whether a value depends on a secret.
    private func isHidden(_ value: LaneValue, beside parameters: Set<String>, _ values: Set<String>) -> Bool {
        if case .output(let command) = value.source, command.isSecret { return true }
        return value.expressions.contains { expression in
            expression.mayRead(secretNames, in: .env) || expression.mayRead(parameters, in: .parameters)
                || expression.mayRead(values, in: .let)
        }
    }

    /// Returns a Boolean value that indicates whether a condition of a call is false regardless of the results of
    /// steps.
    private mutating func isSkipped(_ call: PlanningCall, _ lane: Lane) throws(Diagnostics) -> Bool {
        if let parent = call.site.inside?.parent {
            if skipped.contains(parent) { return true }
            let mayChange =
                call.site.condition?.contexts.contains(.env) == true
                && steps.contains { $0.mayWriteVariables(of: parent) }
            if !mayChange, let caller = files[groups[parent].lane],
                try isFalse(call.site.condition, in: context.inside(groups[parent]), of: caller)
            {
                return true
            }
        }
        var inner = context
        inner.parameters = Value.byName(call.parameters)
        return try isFalse(lane.condition, in: inner, of: lane)
    }

    private mutating func isFalse(
        _ condition: Expression?, in context: EvaluationContext, of lane: Lane
    ) throws(Diagnostics) -> Bool {
        let unknown: Set<ContextName> = [.steps, .let, .matrix]
        guard let condition, !condition.dependsOnStatus, condition.contexts.isDisjoint(with: unknown) else {
            return false
        }
        var context = context
        if condition.contexts.contains(.env) {
            context.environment = try environment(of: lane)
            let environment = LaneEnvironment(lane.environment, in: context, without: unknown)
            if environment.lacksVariables(of: condition) { return false }
            context = environment.context
        }
        return (try? condition.isTrue(in: context)) == false
    }
}

extension Lane {
    /// Returns the lane with one step for each value of a `foreach`.
    func forEachItem(in scope: GroupScope, from sources: PlanSources) throws(Diagnostics) -> Lane {
        guard hasItems else { return self }
        func values(_ items: StepItems) throws(Diagnostics) -> [String] {
            if scope.isSkipped { return [] }
            let environment = LaneEnvironment(environment, in: scope.context)
            try environment.require(items.node, at: items.span)
            let texts = try items.texts(in: environment.context)
            guard items.kind == .files else { return texts }
            var files: [String] = []
            for glob in texts {
                let found = sources.files(glob)
                if found.isEmpty {
                    throw Diagnostics([Diagnostic(.error, "no files match '\(glob)'", at: items.span)])
                }
                files += found.filter { !files.contains($0) }
            }
            return files
        }
        var lane = self
        lane.steps = try Step.forEachItem(in: steps, values)
        lane.then = try Step.forEachItem(in: then, values)
        lane.onFailure = try Step.forEachItem(in: onFailure, values)
        lane.always = try Step.forEachItem(in: always, values)
        return lane
    }
}
