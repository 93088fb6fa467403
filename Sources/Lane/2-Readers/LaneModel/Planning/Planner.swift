package import Expressions
package import Text

/// A planner that creates plans from checked lanes. Only its sources can start processes.
package struct Planner: Sendable {
    /// The maximum depth of nested `lane` steps.
    static let maximumDepth = 64

    private let files: CheckedLaneFiles
    private let sources: PlanSources
    private let maximumSteps: Int

    /// - Parameters:
    ///   - sources: The values outside the lane files.
    ///   - maximumSteps: The maximum number of steps. A larger number is probably a mistake, such as nested matrices.
    package init(_ files: CheckedLaneFiles, sources: PlanSources = PlanSources(), maximumSteps: Int = 100_000) {
        self.files = files
        self.sources = sources
        self.maximumSteps = maximumSteps
    }

    /// Returns the plan of several lanes, one after another. A lane does not run again if an earlier lane has already
    /// run it with the same parameters.
    ///
    /// `context` contains the values that can select lanes, such as the environment and the CI service. Throws all
    /// errors in the values, and the errors in lane files that concern the lanes.
    package func plan(
        _ requests: [(lane: String, arguments: [String: [String]])], context: EvaluationContext = EvaluationContext()
    ) throws(Diagnostics) -> Plan {
        let secrets = files.secrets(running: requests.map(\.lane))
        var builder = PlanBuilder(
            files: files, secretNames: secrets, context: context, sources: sources, maximumSteps: maximumSteps)
        var tails: [Int] = []
        if let index = files.package {
            // Every lane has the parameters of the package, so the command line sets them for all lanes.
            var given: [String: [String]] = [:]
            for (_, arguments) in requests { given.merge(arguments) { first, _ in first } }
            given = given.filter { files.lanes[index].parameter($0.key) != nil }
            tails = try builder.run(lane: index, parameters: try builder.values(of: index, words: given))
        }
        for (name, arguments) in requests {
            try files.diagnostics(files.diagnostics, concerning: name).throwIfErrors()
            guard let index = files.index(of: name), !files.lanes[index].isPrivate else {
                throw Diagnostics([unknownLane(name)])
            }
            let values = try builder.values(of: index, words: arguments)
            tails = try builder.run(lane: index, parameters: values, after: tails)
        }
        try builder.addPackageHooks()
        try builder.fileErrors.throwIfErrors()
        if !secrets.isEmpty { builder.readOtherFiles() }
        var plan = Plan(
            lane: requests.map(\.lane).joined(separator: "+"), steps: builder.steps, groups: builder.groups,
            secrets: builder.secrets)
        plan.foreignSecrets = secrets.subtracting(builder.secrets)
        plan.hiddenValues = builder.hiddenValues
        let lanes = Set(plan.groups.map(\.lane))
        for lane in files.lanes where lanes.contains(lane.name) {
            plan.laneVariables.formUnion(lane.environmentNames)
            plan.parallelWidth = max(plan.parallelWidth, lane.parallelWidth)
        }
        plan.fileVariables = builder.fileVariables.values.flatMap(\.self)
        return plan
    }

    private func unknownLane(_ name: String) -> Diagnostic {
        if let lane = files[name] {
            let users = files.lanes.filter { other in other.calls.contains { $0.lane == name } }.map(\.name)
            return Diagnostic(
                .error, "lane '\(lane.name)' is private",
                hint: users.isEmpty ? nil : "it is run by \(list(users, joinedBy: "and"))")
        }
        let near = suggestion(for: name, among: files.lanes.filter { !$0.isPrivate }.map(\.name))
        return Diagnostic(
            .error, "there is no lane '\(name)'", hint: near ?? "'lane list' lists all")
    }
}

/// The sources of values outside the lane files. By default, they have no values.
package struct PlanSources: Sendable {
    package typealias DotEnv = @Sendable (DotEnvFile, _ isOfRun: Bool) throws(Diagnostic) -> SourceFile?
    package typealias Output = @Sendable (ValueCommand, Settings, [String: String]) throws(Diagnostic) -> String
    package typealias Files = @Sendable (String) -> [String]

    /// A closure that returns the contents of a dotenv file, or `nil` if the file is missing. Lanes that don't run are
    /// asked for the values to mask: the contents of a pipe are then not needed, because reading them would wait for a
    /// writer.
    let dotEnv: DotEnv
    /// A closure that runs a command with evaluated settings and an environment, and returns its output without line
    /// breaks at the end.
    let output: Output
    /// A closure that returns the files that match a glob, relative to the root.
    let files: Files

    package init(
        dotEnv: @escaping DotEnv = { _, _ throws(Diagnostic) in nil },
        output: @escaping Output = { _, _, _ throws(Diagnostic) in "" },
        files: @escaping Files = { _ in [] }
    ) {
        self.dotEnv = dotEnv
        self.output = output
        self.files = files
    }
}
