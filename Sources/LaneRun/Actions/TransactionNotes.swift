import LaneEvents
import Synchronization

/// What the steps of a transaction leave for those after them, and for the moment when all becomes real.
package final class TransactionNotes: Sendable {
    private struct State {
        var version: String?
        var record: TransactionRecord?
        var artifacts: [(step: StepID, artifact: Artifact)] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// The version that the transaction is about, once a step has settled it.
    package var version: String? { state.withLock(\.version) }

    /// Settles the version for the steps that follow.
    package func settle(version: String) { state.withLock { $0.version = version } }

    /// The steps with their results, to be kept with what becomes real.
    package internal(set) var record: TransactionRecord? {
        get { state.withLock(\.record) }
        set { state.withLock { $0.record = newValue } }
    }

    /// Files that steps have made, to be told of when they have become real.
    var artifacts: [(step: StepID, artifact: Artifact)] { state.withLock(\.artifacts) }

    func announce(_ artifact: Artifact, of step: StepID) {
        state.withLock { $0.artifacts.append((step, artifact)) }
    }
}
