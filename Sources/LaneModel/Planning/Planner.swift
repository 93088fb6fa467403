package import Diagnostics
package import Expressions

/// Creates plans from checked lanes. It does not change anything and starts no process.
package struct Planner: Sendable {
    /// The maximum depth of lanes that run lanes.
    static let maximumDepth = 64

    private let files: CheckedLaneFiles
    private let maximumSteps: Int

    /// - Parameter maximumSteps: The maximum number of steps. More are regarded as a mistake, such as lanes that multiply
    ///   each other.
    package init(_ files: CheckedLaneFiles, maximumSteps: Int = 100_000) {
        self.files = files
        self.maximumSteps = maximumSteps
    }

    /// Returns the plan of a lane for the texts of its parameters.
    ///
    /// `context` contains the values that can select lanes: environment and CI. Throws all errors in the values, and
    /// those in the lane files that concern the lane.
    package func plan(
        lane name: String, arguments: [String: String] = [:], context: EvaluationContext = EvaluationContext()
    ) throws(Diagnostics) -> Plan {
        try files.diagnostics(files.diagnostics, concerning: name).throwIfErrors()
        guard let index = files.index(of: name), !files.lanes[index].isPrivate else {
            throw Diagnostics([unknownLane(name)])
        }
        let values = try ParameterValues(of: files.lanes[index], texts: arguments)
        var planning = Planning(files: files, context: context, maximumSteps: maximumSteps)
        try planning.run(lane: index, parameters: values.values)
        var plan = Plan(lane: name, steps: planning.steps, groups: planning.groups, secrets: planning.secrets)
        plan.foreignSecrets = files.secrets.subtracting(planning.secrets)
        if !files.secrets.isEmpty { plan.foreignDotEnv = files.lanes.flatMap(\.dotenv) }
        return plan
    }

    private func unknownLane(_ name: String) -> Diagnostic {
        if let lane = files[name] {
            let users = files.lanes.filter { other in other.calls.contains { $0.lane == name } }.map(\.name)
            return Diagnostic(
                .error, "lane '\(lane.name)' is private",
                hint: users.isEmpty ? nil : "it is run by \(list(users, joinedBy: "and"))")
        }
        let near = nearest(to: name, among: files.lanes.filter { !$0.isPrivate }.map(\.name))
        return Diagnostic(
            .error, "there is no lane '\(name)'", hint: near.map { "did you mean '\($0)'?" } ?? "'lane list' lists all")
    }
}

/// The checked values of a lane's parameters.
package struct ParameterValues: Sendable {
    /// The values in the order of the parameters. A missing value is null.
    let values: [(name: String, value: Value)]

    /// Parses values, for example from the command line. With `isPartial`, required values may be missing.
    package init(of lane: Lane, texts: [String: String], isPartial: Bool = false) throws(Diagnostics) {
        var diagnostics = Diagnostics()
        for name in texts.keys.sorted() where lane.parameter(name) == nil {
            let near = nearest(to: name, among: lane.parameters.map(\.name))
            diagnostics.error(
                "lane '\(lane.name)' has no parameter '\(name)'", hint: near.map { "did you mean '\($0)'?" })
        }
        var values: [(name: String, value: Value)] = []
        for parameter in lane.parameters {
            var value = parameter.defaultValue ?? .null
            if let text = texts[parameter.name] {
                do {
                    value = try parameter.type.value(ofText: text)
                } catch {
                    diagnostics.error(
                        "expected \(parameter.type.kind) for '\(parameter.name)', found '\(text)'", hint: error.hint)
                }
            } else if parameter.isRequired, !isPartial {
                diagnostics.error(
                    "lane '\(lane.name)' needs a value for '\(parameter.name)'",
                    hint: "it is \(parameter.type.kind)")
            }
            values.append((parameter.name, value))
        }
        try diagnostics.throwIfErrors()
        self.values = values
    }
}
