import LaneEvents
import Synchronization

/// What the steps of a transaction leave for those after them, and for the moment when all becomes real.
package final class TransactionNotes: Sendable {
    /// What is told of a step only when it has become real.
    typealias Announcement = (step: StepID, event: LaneEvent.Kind)

    private struct State {
        var version: String?
        var announcements: [Announcement] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// The version that the transaction is about, once a step has settled it.
    package var version: String? { state.withLock(\.version) }

    /// Settles the version for the steps that follow.
    package func settle(version: String) { state.withLock { $0.version = version } }

    var announcements: [Announcement] { state.withLock(\.announcements) }

    func announce(_ event: LaneEvent.Kind, of step: StepID) {
        state.withLock { $0.announcements.append((step, event)) }
    }
}
