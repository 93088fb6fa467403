package import Events
package import Expressions
import LaneModel
package import OperatingSystem
import Synchronization
package import Text

/// Steps in a private worktree whose result is committed as a whole or not at all.
package protocol Transaction: Sendable {
    /// The private worktree in which steps run.
    var directory: String { get }

    /// Adds an effect that `commit()` applies.
    func plan(_ effect: TransactionEffect)

    /// The values that the transaction's steps share.
    var values: TransactionValues { get }

    /// Returns environment variables with which git commands of a step have the identity and the signatures of the user's
    /// checkout.
    ///
    /// - Parameter environment: The environment of the step.
    func identity(in environment: [String: String]) throws(OperationFailure) -> [String: String]

    /// Throws an error if a commit of the worktree could not be applied to the user's checkout.
    func check(commit: String) throws(OperationFailure)

    /// Applies all planned effects at once. Returns a summary for the user, if there is one.
    @discardableResult
    func commit() throws(OperationFailure) -> String?

    /// Removes the worktree and discards all planned effects. May be called at any time and repeatedly.
    func abandon()
}

/// An effect that a transaction applies when it is committed.
package enum TransactionEffect: Sendable, Hashable {
    /// An annotated tag on the current commit of the worktree.
    case tag(name: String, message: String)
    /// A file of the worktree that is moved to the same path below the root.
    case keep(relativePath: String)
    /// The commit was proposed elsewhere, so the transaction applies nothing.
    case propose
}

/// The values that the steps of a transaction share with later steps and with the commit.
package final class TransactionValues: Sendable {
    private struct State {
        var record: TransactionRecord?
        var artifacts: [(step: StepID, artifact: Artifact)] = []
        var facts: [ObjectIdentifier: any Sendable] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// The steps and their results, which are stored with the commit.
    package var record: TransactionRecord? {
        get { state.withLock(\.record) }
        set { state.withLock { $0.record = newValue } }
    }

    /// The cached value of a type, which one step reads and later steps reuse.
    package subscript<Fact: Sendable>(_ fact: Fact.Type) -> Fact? {
        get { state.withLock { $0.facts[ObjectIdentifier(fact)] as? Fact } }
        set { state.withLock { $0.facts[ObjectIdentifier(fact)] = newValue } }
    }

    /// The files that steps created, which are reported after the commit.
    package var artifacts: [(step: StepID, artifact: Artifact)] { state.withLock(\.artifacts) }

    func announce(_ artifact: Artifact, of step: StepID) {
        state.withLock { $0.artifacts.append((step, artifact)) }
    }
}

/// The steps of a committed transaction and their results. A later run of the lane can continue after these steps.
package struct TransactionRecord: Sendable, Equatable {
    package let lane: String
    /// The name of the run that committed the transaction.
    package let run: String
    package let steps: [String: [String: Value]]
    /// The releases whose versions the run had determined.
    package let releases: [PlannedRelease]

    package init(lane: String, run: String, steps: [String: [String: Value]], releases: [PlannedRelease] = []) {
        self.lane = lane
        self.run = run
        self.steps = steps
        self.releases = releases
    }

    /// Creates a record from the members that `write(to:)` writes; `nil` if they are missing.
    package init?(_ node: JSONNode) {
        guard let lane = node["lane"]?.string, let run = node["run"]?.string else { return nil }
        let steps = node["steps"]?.members ?? []
        self.init(
            lane: lane, run: run,
            steps: Dictionary(steps.map { ($0.name, OutputsJSON.results(in: $0.value)) }) { $1 },
            releases: [PlannedRelease](node))
    }

    /// Writes the members of an object.
    package func write(to writer: inout JSONWriter) {
        writer.member("lane", lane)
        writer.member("run", run)
        writer.object("steps") { writer in
            for (id, results) in steps.sorted(by: { $0.key < $1.key }) {
                writer.name(id)
                OutputsJSON.write(results, &writer)
            }
        }
        releases.write(to: &writer)
    }
}
