import Diagnostics
import Expressions
import LaneModel

extension Lane {
    /// Returns the values of the parameters for a call from another lane: the evaluated arguments, and defaults for the
    /// other parameters.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the calling lane.
    ///   - matrix: The matrix combination of the calling lane.
    func values(
        for call: LaneCall, from parameters: [(name: String, value: Value)],
        _ matrix: [(name: String, value: Value)], in context: EvaluationContext
    ) throws(Diagnostics) -> [(name: String, value: Value)] {
        var diagnostics = Diagnostics()
        var context = context
        if !call.arguments.isEmpty {
            context.parameters = Dictionary(parameters.map { ($0.name, $0.value) }) { first, _ in first }
            context.matrix = Dictionary(matrix.map { ($0.name, $0.value) }) { first, _ in first }
        }
        var values: [(name: String, value: Value)] = []
        for parameter in self.parameters {
            var value: Value?
            if let argument = call.arguments.first(where: { $0.name == parameter.name }) {
                do {
                    value = try parameter.value(of: argument, in: context)
                } catch {
                    diagnostics.add(error)
                    continue
                }
                if value == nil, parameter.isRequired {
                    diagnostics.error("'\(parameter.name)' has no value", at: argument.valueSpan)
                }
            }
            if value == nil {
                do { value = try parameter.value(in: context.environment) } catch { diagnostics.add(error) }
            }
            values.append((parameter.name, value ?? parameter.defaultValue ?? .null))
        }
        try diagnostics.throwIfErrors()
        return values
    }
}

extension Parameter {
    /// Returns the value of an argument, or `nil` if its expression evaluates to null.
    fileprivate func value(of argument: LaneArgument, in context: EvaluationContext) throws(Diagnostics) -> Value? {
        let template = SettingsTemplate(
            members: [SettingsTemplate.Member(name: name, node: argument.node)],
            action: ActionSchema(name, "", settings: [SettingSchema(name, type, "")]), span: argument.valueSpan)
        return try template.evaluate(in: context)[name]
    }
}
