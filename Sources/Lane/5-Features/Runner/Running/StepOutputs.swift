import Expressions
import LaneModel

/// The outputs of the steps of a group, for `steps.ID` in expressions.
struct StepOutputs {
    /// The outputs by the names of the steps in expressions.
    private(set) var values: [String: [String: Value]] = [:]
    /// The outputs of the steps of each `foreach`, by ID and step.
    private var series: [String: [String: [String: Value]]] = [:]
    /// The number of steps of each `foreach`, by ID.
    private let lengths: [String: Int]

    /// - Parameter series: The number of steps of each `foreach`, by ID. Their outputs can be read after all steps.
    init(series: [String: Int] = [:]) { lengths = series }

    /// Records the end of a step.
    ///
    /// - Parameter outcome: The outcome, unless the results of an earlier run contain it.
    mutating func record(_ results: [String: Value], _ outcome: StepOutcome, of step: PlanStep) {
        guard step.task.isNamed || !results.isEmpty else { return }
        let results = results.adding(outcome)
        guard let id = step.task.series else {
            values[step.outputKey] = results
            return
        }
        series[id, default: [:]][step.id] = results
        if let all = series[id], all.count >= lengths[id] ?? 0 { values[id] = Self.joined(all) }
    }

    /// Returns the outputs and the outcome of a step, or an empty dictionary before its end.
    func results(of step: PlanStep) -> [String: Value] {
        guard let id = step.task.series else { return values[step.outputKey] ?? [:] }
        return series[id]?[step.id] ?? [:]
    }

    /// Returns the combined results of the steps of a `foreach`: for each name, the list of values in the order of the
    /// steps, and the common outcome. The outcome is `failed` if a step failed; otherwise, `succeeded` if a step succeeded.
    private static func joined(_ series: [String: [String: Value]]) -> [String: Value] {
        // The IDs end in different numbers.
        let ordered = series.sorted { ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key) }.map(\.value)
        var joined: [String: Value] = [:]
        for name in Set(ordered.flatMap(\.keys)) where name != StepOutcome.key {
            joined[name] = .list(ordered.compactMap { $0[name] })
        }
        let outcomes = ordered.compactMap { $0[StepOutcome.key]?.text }
        let outcome = [StepOutcome.failed, .succeeded].first { outcomes.contains($0.rawValue) } ?? .skipped
        joined[StepOutcome.key] = .string(outcome.rawValue)
        return joined
    }
}

extension [String: Value] {
    /// Returns the outputs with the outcome of the step.
    fileprivate func adding(_ outcome: StepOutcome) -> [String: Value] {
        merging([StepOutcome.key: .string(outcome.rawValue)]) { result, _ in result }
    }
}
