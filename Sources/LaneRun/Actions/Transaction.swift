package import Expressions
package import JSON
import LaneEvents
import LaneModel
package import Processes
import Synchronization
package import SemVer

/// Work in a private worktree that is committed as a whole or leaves no trace.
package protocol Transaction: Sendable {
    /// The private worktree in which steps run.
    var directory: String { get }

    /// Plans an effect of `commit`.
    func plan(_ effect: TransactionEffect)

    /// The notes of the transaction's steps.
    var notes: TransactionNotes { get }

    /// Applies everything that was planned at once, and returns a summary for a person, if there is one.
    @discardableResult
    func commit() throws(StepFailure) -> String?

    /// Removes the worktree and everything that was planned. May be called at any time, and more than once.
    func abandon()
}

/// An effect of a transaction when it is committed.
package enum TransactionEffect: Sendable, Hashable {
    /// An annotated tag on the commit that the worktree stands at.
    case tag(name: String, message: String)
    /// A file below the worktree that moves to the same path below the root.
    case keep(relativePath: String)
}

/// Begins transactions; `ReleaseTransaction` has the one for git.
package protocol TransactionSource: Sendable {
    /// Begins a transaction.
    ///
    /// - Parameter cleanup: Starts the processes that remove the worktree, also after a cancellation, when `processes`
    ///   starts none.
    func begin(
        root: String, environment: [String: String], processes: any ProcessRunner, cleanup: any ProcessRunner
    ) throws(StepFailure) -> any Transaction
}

/// The notes that the steps of a transaction make for later steps and for the commit.
package final class TransactionNotes: Sendable {
    private struct State {
        var release: PlannedRelease?
        var record: TransactionRecord?
        var artifacts: [(step: StepID, artifact: Artifact)] = []
        var facts: [ObjectIdentifier: any Sendable] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// The release that is being made, once a step has set its version. It serves the steps that follow.
    package var release: PlannedRelease? {
        get { state.withLock(\.release) }
        set { state.withLock { $0.release = newValue } }
    }

    /// The steps with their results, to be kept with the commit.
    package internal(set) var record: TransactionRecord? {
        get { state.withLock(\.record) }
        set { state.withLock { $0.record = newValue } }
    }

    /// The fact of a type that a step has read, for the steps after it.
    package subscript<Fact: Sendable>(_ fact: Fact.Type) -> Fact? {
        get { state.withLock { $0.facts[ObjectIdentifier(fact)] as? Fact } }
        set { state.withLock { $0.facts[ObjectIdentifier(fact)] = newValue } }
    }

    /// The files that steps have made, which are reported after the commit.
    var artifacts: [(step: StepID, artifact: Artifact)] { state.withLock(\.artifacts) }

    func announce(_ artifact: Artifact, of step: StepID) {
        state.withLock { $0.artifacts.append((step, artifact)) }
    }
}

/// The version of a release and the name of its tag.
package struct PlannedRelease: Sendable, Equatable {
    package let version: SemanticVersion
    package let tag: String

    package init(version: SemanticVersion, tag: String) {
        self.version = version
        self.tag = tag
    }
}

/// The steps of a committed transaction with their results, so that a later run of the lane can continue after them.
package struct TransactionRecord: Sendable, Equatable {
    package let lane: String
    /// The name of the run that committed it.
    package let run: String
    package let steps: [String: [String: Value]]

    package init(lane: String, run: String, steps: [String: [String: Value]]) {
        self.lane = lane
        self.run = run
        self.steps = steps
    }

    /// Reads the members that `write` has written; `nil` where there are none.
    package init?(_ node: JSONNode) {
        guard let lane = node["lane"]?.string, let run = node["run"]?.string else { return nil }
        let steps = node["steps"]?.members ?? []
        self.init(
            lane: lane, run: run,
            steps: Dictionary(steps.map { ($0.name, StepResults.results(in: $0.value)) }) { $1 })
    }

    /// Writes the members into an object.
    package func write(to writer: inout JSONWriter) {
        writer.member("lane", lane)
        writer.member("run", run)
        writer.object("steps") { writer in
            for (id, results) in steps.sorted(by: { $0.key < $1.key }) {
                writer.name(id)
                StepResults.write(results, &writer)
            }
        }
    }
}
