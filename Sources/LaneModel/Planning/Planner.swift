package import Diagnostics

/// Makes plans from checked lanes; changes nothing and starts nothing.
package struct Planner: Sendable {
    /// How deep lanes may run lanes that run lanes.
    static let deepest = 64

    private let files: CheckedLaneFiles
    private let mostSteps: Int

    /// - Parameter mostSteps: More steps than this are taken for lanes that multiply each other.
    package init(_ files: CheckedLaneFiles, mostSteps: Int = 100_000) {
        self.files = files
        self.mostSteps = mostSteps
    }

    /// The plan of a lane with the given texts as its parameters' values.
    ///
    /// `context` gives what may decide which lanes run with which values: environment and CI. Throws everything that is
    /// wrong with the values, and with the lane files as far as they concern the lane.
    package func plan(
        lane name: String, arguments: [String: String] = [:], context: EvaluationContext = EvaluationContext()
    ) throws(Diagnostics) -> Plan {
        try files.diagnostics(files.diagnostics, concerning: name).throwIfErrors()
        guard let index = files.index(of: name), !files.lanes[index].isPrivate else {
            throw Diagnostics([unknownLane(name)])
        }
        let values = try ParameterValues(of: files.lanes[index], texts: arguments)
        var planning = Planning(files: files, context: context, mostSteps: mostSteps)
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
                hint: users.isEmpty ? nil : "it is part of \(list(users, joinedBy: "and"))")
        }
        let near = nearest(to: name, among: files.lanes.filter { !$0.isPrivate }.map(\.name))
        return Diagnostic(
            .error, "there is no lane '\(name)'", hint: near.map { "did you mean '\($0)'?" } ?? "'lane list' lists all")
    }
}

/// A lane's parameters with their values, checked.
package struct ParameterValues: Sendable {
    /// In the order in which the lane gives its parameters; one without a value is null.
    let values: [(name: String, value: Value)]

    /// Reads values given as text, as on a command line; with `isPartial` required ones may be missing.
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
