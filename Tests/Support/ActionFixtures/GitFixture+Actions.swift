package import Actions
import Events
package import Expressions
import LaneModel
package import OperatingSystem
package import TestSupport

extension GitFixture {
    /// The time 2026-11-21 12:00 UTC.
    package static let now = 1_795_262_400.0

    package func context(
        parameters: [String: Value] = [:], transaction: (any Transaction)? = nil,
        events: RecordedEvents = RecordedEvents(), settings: [String: String] = [:], in directory: String? = nil,
        processes: any ProcessRunner = ChildRunner(), releases: PlannedReleases? = nil, now: Double = GitFixture.now,
        wait: (@Sendable (Duration) -> Bool)? = nil
    ) -> StepContext {
        // The steps of a transaction are steps of one run.
        let shared = releases ?? transaction?.values[PlannedReleases.self] ?? PlannedReleases()
        transaction?.values[PlannedReleases.self] = shared
        return StepContext(
            step: StepID("release/1"), directory: transaction?.directory ?? directory ?? path, root: path,
            environment: environment.merging(hostVariables) { $1 }.merging(settings) { $1 }, parameters: parameters,
            processes: processes,
            cancellation: Cancellation(), now: { now }, wait: wait, transaction: transaction, releases: shared,
            events: EventStream(receivers: [events]))
    }

    @discardableResult
    package func run(
        _ action: any StepAction, _ values: [String: Value] = [:], parameters: [String: Value] = [:],
        transaction: (any Transaction)? = nil, events: RecordedEvents = RecordedEvents(),
        environment: [String: String] = [:], in directory: String? = nil, releases: PlannedReleases? = nil,
        now: Double = GitFixture.now, wait: (@Sendable (Duration) -> Bool)? = nil
    ) throws -> StepResult {
        try action.run(
            Settings(values),
            in: context(
                parameters: parameters, transaction: transaction, events: events, settings: environment, in: directory,
                releases: releases, now: now, wait: wait))
    }

    /// The message of a failed action.
    package func refusal(
        of action: any StepAction, _ values: [String: Value] = [:], parameters: [String: Value] = [:],
        transaction: (any Transaction)? = nil, environment: [String: String] = [:]
    ) -> OperationFailure? {
        do {
            try run(
                action, values, parameters: parameters, transaction: transaction, environment: environment)
            return nil
        } catch {
            return error as? OperationFailure
        }
    }
}
