import Expressions
import Text

extension PlanBuilder {
    /// Returns the values of a lane's parameters for a call from another lane: evaluated arguments, and defaults for
    /// all other parameters.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the calling lane.
    ///   - caller: The calling lane.
    ///   - outer: Its group, or `nil` for a needed lane, which runs before the group exists.
    mutating func values(
        of lane: Int, for call: LaneCall, from parameters: [(name: String, value: Value)], of caller: Lane,
        inside outer: PlanGroup?
    ) throws(Diagnostics) -> [(name: String, value: Value)] {
        var diagnostics = Diagnostics()
        var context = context
        if !call.arguments.isEmpty {
            if let outer {
                context = context.inside(outer)
            } else {
                context.parameters = Value.byName(parameters)
            }
        }
        if call.arguments.contains(where: { $0.node.expressions.contexts.contains(.env) }) {
            context.environment = try environment(of: caller)
            let environment = LaneEnvironment(
                caller.environment, in: context, without: outer == nil ? [.steps, .let, .matrix] : [.steps])
            for argument in call.arguments { try environment.require(argument.node, at: argument.valueSpan) }
            context = environment.context
        }
        var values: [(name: String, value: Value)] = []
        for parameter in files.lanes[lane].parameters {
            var value: Value?
            if let argument = call.arguments.first(where: { $0.name == parameter.name }) {
                do {
                    value = try argument.node.evaluate(as: parameter.valueType, in: context)
                } catch {
                    diagnostics.add(error)
                }
                if value == nil, parameter.isRequired, !diagnostics.hasErrors {
                    diagnostics.error("'\(parameter.name)' has no value", at: argument.valueSpan)
                }
            }
            if value == nil, parameter.hasComputedDefault {
                do { value = try computedDefault(of: parameter, in: lane) } catch { diagnostics.add(error) }
            }
            if value == nil, parameter.isRequired, let variable = parameter.variable, !diagnostics.hasErrors {
                diagnostics.error(
                    "lane '\(files.lanes[lane].name)' needs a value for '\(parameter.name)'", at: call.span,
                    hint: "add 'parameters: { \(parameter.name): … }', or set \(variable)")
            }
            values.append((parameter.name, value ?? parameter.defaultValue ?? .null))
        }
        try diagnostics.throwIfErrors()
        return values
    }

    /// Returns the default of a parameter from the environment, a dotenv file of the lane, or a command, if there is
    /// one.
    mutating func computedDefault(of parameter: Parameter, in lane: Int) throws(Diagnostics) -> Value? {
        guard parameter.hasComputedDefault else { return nil }
        let environment = try environment(of: files.lanes[lane])
        do {
            if let value = try parameter.value(in: environment) { return value }
        } catch {
            throw Diagnostics([error])
        }
        guard let command = parameter.defaultCommand else { return nil }
        let settings = try command.settings.evaluate(in: EvaluationContext())
        do {
            let text = try sources.output(command, settings, environment)
            if command.isSecret {
                hide(.string(text), of: "parameters.\(parameter.name) of lane '\(files.lanes[lane].name)'")
            }
            return try parameter.value(of: text, from: "in the output of its command")
        } catch {
            throw Diagnostics([error])
        }
    }

    /// Returns the environment variables, including those of a lane's dotenv files.
    mutating func environment(of lane: Lane) throws(Diagnostics) -> [String: String] {
        if let known = environments[lane.name] { return known }
        var environment: [String: String] = [:]
        for variable in fileVariables(of: lane) { environment[variable.name] = variable.value }
        try fileErrors.throwIfErrors()
        environment.merge(context.environment) { $1 }
        environments[lane.name] = environment
        return environment
    }
}

extension Parameter {
    /// A Boolean value that indicates whether the default may come from the environment or a command.
    fileprivate var hasComputedDefault: Bool { variable != nil || defaultCommand != nil }
}
