package import Actions
import Events
package import OperatingSystem
import TestSupport

extension StepContext {
    /// Returns the context of a step whose package is in a directory, which needs no repository.
    package static func fixture(
        in directory: String = "/", environment: [String: String] = [:], processes: any ProcessRunner = ChildRunner(),
        cancellation: Cancellation = Cancellation(), deadline: Deadline? = nil,
        events: RecordedEvents = RecordedEvents()
    ) -> StepContext {
        StepContext(
            step: StepID("lane/1"), directory: directory, root: directory, environment: environment, parameters: [:],
            processes: processes, cancellation: cancellation, now: { GitFixture.now }, deadline: deadline,
            events: EventStream(receivers: [events]))
    }
}
