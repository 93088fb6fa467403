package import Actions
import Events
package import Expressions
package import LaneModel
package import OperatingSystem
package import Text

/// A text of a plan with the description and conditions of each step.
package struct PlanText {
    package let plan: Plan
    private let actions: [String: any StepAction]
    private let context: EvaluationContext
    private let root: String
    private let processes: any ProcessRunner
    private let now: @Sendable () -> Double
    private let forecast: UpToDateForecast
    private let withoutFile: Set<String>

    /// Creates the text of a plan.
    ///
    /// - Parameters:
    ///   - processes: The runner of commands that change nothing.
    ///   - now: A closure that returns the time in seconds since 1970.
    ///   - forecast: The forecast for steps with inputs.
    ///   - withoutFile: The names of the lanes that are built in, so that their steps have no location.
    package init(
        plan: Plan, actions: [String: any StepAction], context: EvaluationContext, root: String,
        processes: any ProcessRunner, now: @escaping @Sendable () -> Double, forecast: UpToDateForecast,
        withoutFile: Set<String> = []
    ) {
        self.plan = plan
        self.actions = actions
        self.context = context
        self.root = root
        self.processes = processes
        self.now = now
        self.forecast = forecast
        self.withoutFile = withoutFile
    }

    /// A step with its description before the run.
    package struct Row {
        let step: PlanStep
        package let forecast: StepForecast
        let notes: [String]
        /// The reasons why the step would fail now that no step before it has, each with its hint.
        let obstacles: [String]
    }

    /// The steps in the order of the plan.
    package var rows: [Row] {
        let conditions = PlanConditions(plan: plan, context: context)
        var outputs: [String: Value] = [:]
        let releases = PlannedReleases()
        var reported: Set<String> = []
        let missingSecrets = plan.missingSecrets(in: context)
        return plan.steps.map { step in
            let outer = plan.context(of: step, from: context)
            let context = (try? outer.adding(step.task.environment)) ?? outer
            let prediction = conditions.prediction(for: step)
            var forecast = forecast(of: step, in: context, prediction, after: outputs, releases)
            releases.set(forecast.outputs, of: step.task.action)
            let missing = missingSecrets.filter { $0.step === step }.map { "the secret '\($0.name)' is not set" }
            if !missing.isEmpty {
                forecast = StepForecast(
                    forecast.summary, outputs: forecast.outputs, obstacles: forecast.obstacles + missing,
                    notes: forecast.notes, details: forecast.details)
            }
            outputs.merge(forecast.outputs) { $1 }
            var notes = notes(on: step, in: context, prediction)
            notes += forecast.notes.filter { reported.insert($0).inserted }.map { "warning: \(firstLine(of: $0))" }
            let obstacles = forecast.obstacles.filter { reported.insert($0).inserted }
            return Row(step: step, forecast: forecast, notes: notes, obstacles: obstacles)
        }
    }

    /// Returns a line for each step, indented below the line of its lane, and the reasons why steps would fail now.
    package func text(_ rows: [Row], style: TextStyle) -> String {
        var lines = [style.apply(.bold, to: plan.lane) + ": \(count(rows.count, "step"))"]
        let valued = plan.groups.filter { !$0.values.isEmpty }
        let width = (rows.map { $0.step.id.count } + valued.map { $0.path.count }).max() ?? 0
        for group in valued {
            let padding = String(repeating: " ", count: width - group.path.count)
            for (name, value) in group.values {
                lines.append("  \(style.apply(.cyan, to: group.path))\(padding)  let.\(name) = \(Self.shown(value))")
            }
        }
        var section = PlanStep.Stage.main.heading
        for row in rows {
            let heading = heading(over: row.step)
            if heading != section {
                section = heading
                lines.append(style.apply(.faint, to: "  \(heading)"))
            }
            let padding = String(repeating: " ", count: width - row.step.id.count)
            let notes = row.notes + (row.obstacles.isEmpty ? [] : ["would fail now"])
            let note = notes.isEmpty ? "" : " " + style.apply(.faint, to: "(\(notes.joined(separator: "; ")))")
            let margin = "\n" + String(repeating: " ", count: width + 4)
            let summary = row.forecast.summary.split(separator: "\n", omittingEmptySubsequences: false)
                .joined(separator: margin)
            lines.append("  \(style.apply(.cyan, to: row.step.id))\(padding)  \(summary)\(note)")
            lines += row.forecast.details.flatMap(\.lines).map {
                style.apply(.faint, to: "      \(TerminalText.onOneLine($0))")
            }
        }
        let mark = style.apply(.red, to: style.symbol("✘", orElse: "x"))
        for row in rows {
            for obstacle in row.obstacles {
                lines.append(
                    "\(mark) \(style.apply(.bold, to: row.step.id)) would fail now: "
                        + obstacle.lines.joined(separator: "\n    "))
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func heading(over step: PlanStep) -> String {
        let stage = plan.stage(of: step)
        guard stage == .main, plan.isInTransaction(step) else { return stage.heading }
        return "in a private worktree, applied when all steps have succeeded:"
    }

    /// Returns the plan as JSON.
    package func json(_ rows: [Row]) -> String {
        JSONWriter.document { writer in
            writer.member("version", 1)
            writer.member("lane", plan.lane)
            let valued = plan.groups.filter { !$0.values.isEmpty }
            if !valued.isEmpty {
                writer.object("let") { writer in
                    for group in valued {
                        writer.object(group.path) { writer in
                            for (name, value) in group.values { writer.member(name, value) }
                        }
                    }
                }
            }
            writer.array("steps") { writer in
                for row in rows { write(row, to: &writer) }
            }
        }
    }

    private func write(_ row: Row, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", row.step.id)
            writer.member("name", row.step.name)
            writer.member("lane", plan.groups[row.step.group].lane)
            writer.member("stage", plan.stage(of: row.step).rawValue)
            writer.member("action", row.step.task.action.name)
            writer.member("summary", row.forecast.summary)
            let reasons = row.obstacles.map(firstLine).joined(separator: "; ")
            let notes = row.notes + (reasons.isEmpty ? [] : ["would fail now: \(reasons)"])
            if !notes.isEmpty { writer.member("note", notes.joined(separator: "; ")) }
            if !row.forecast.outputs.isEmpty {
                writer.object("outputs") { writer in
                    for (name, value) in row.forecast.outputs.sorted(by: { $0.key < $1.key }) {
                        if let text = value.text { writer.member(name, text) }
                    }
                }
            }
            if !row.forecast.details.isEmpty {
                writer.array("details") { writer in
                    for detail in row.forecast.details { detail.write(to: &writer) }
                }
            }
            writer.member("needs", row.step.schedule.dependencies.map { plan.steps[$0].id })
            writer.member("transaction", plan.isInTransaction(row.step))
            if let span = row.step.span, !withoutFile.contains(plan.groups[row.step.group].lane) {
                writer.member("location", span.location)
            }
        }
    }

    private func forecast(
        of step: PlanStep, in context: EvaluationContext, _ prediction: PlanConditions.Prediction,
        after outputs: [String: Value], _ releases: PlannedReleases
    ) -> StepForecast {
        // Settings that depend on other steps are shown as in the lane file.
        guard !step.task.settings.contexts.contains(.steps),
            let settings = try? step.task.settings.evaluate(in: context),
            let action = actions[step.task.action.name]
        else {
            return StepForecast(step.name)
        }
        if case .skipped = prediction { return StepForecast(action.summary(of: settings)) }
        let reading = StepContext(
            step: StepID(step.id), directory: root, root: root, environment: context.environment,
            parameters: context.parameters, processes: processes, cancellation: Cancellation(), now: now,
            releases: releases)
        return action.forecast(of: settings, in: reading, after: outputs)
    }

    /// Returns notes about the step: its conditions and whether it is up to date, as far as they are known.
    private func notes(
        on step: PlanStep, in context: EvaluationContext, _ conditions: PlanConditions.Prediction
    ) -> [String] {
        var notes: [String] = []
        var mayRun = true
        switch conditions {
        case .runs: break
        case .skipped(let reason):
            mayRun = false
            notes.append("skipped: \(reason)")
        case .depends(let conditions): notes += conditions.map { "if \($0)" }
        }
        if let directory = step.task.directory {
            let text = (try? context.adding(step.task.environment)).flatMap { try? directory.evaluate(in: $0).text }
            let isKnown = !directory.expressions.contexts.contains(.steps)
            notes.append("in '\(isKnown ? text ?? directory.text : directory.text)'")
        }
        if mayRun {
            switch forecast.status(of: step, actions[step.task.action.name], in: context, plan: plan) {
            case .upToDate: notes.append("up to date")
            case .outdated(let reason): notes.append("runs because \(reason)")
            case .alwaysRuns, .unknown: break
            }
        }
        return notes
    }

    /// Returns a value of `let` on one line.
    private static func shown(_ value: Value) -> String {
        if case .list(let elements) = value { return elements.map(shown).joined(separator: ", ") }
        return TerminalText.onOneLine(value.text ?? "nothing")
    }
}

extension PlanStep.Stage {
    fileprivate var heading: String {
        switch self {
        case .main: "steps"
        case .then: "after the transaction is applied:"
        case .onFailure: "if a step fails:"
        case .always: "always, at the end:"
        }
    }
}

extension ForecastDetail {
    /// The lines of the detail below the line of its step.
    var lines: [String] {
        switch self {
        case .check(let text), .request(let text): [text]
        case .edit(_, let difference): difference.lines
        case .file(let path, let size): ["\(path)  \(count(size, "byte")) the last time"]
        }
    }

    /// Writes an object whose members name the kind of detail.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            switch self {
            case .check(let text): writer.member("check", text)
            case .edit(let file, let difference):
                writer.member("edit", file)
                writer.member("diff", difference)
            case .file(let path, let size):
                writer.member("file", path)
                writer.member("size", size)
            case .request(let text): writer.member("request", text)
            }
        }
    }
}
