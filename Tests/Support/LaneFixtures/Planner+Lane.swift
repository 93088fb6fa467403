package import Expressions
package import LaneModel
package import Text

extension Planner {
    /// Returns the plan of one lane, with one word for each parameter.
    package func plan(
        lane name: String, arguments: [String: String] = [:], context: EvaluationContext = EvaluationContext()
    ) throws(Diagnostics) -> Plan {
        try plan([(name, arguments.mapValues { [$0] })], context: context)
    }
}
