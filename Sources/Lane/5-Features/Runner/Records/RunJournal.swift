import Actions
import Events
import Expressions
import Records
import Synchronization
import Text

/// A journal of the steps that succeeded, in the notes of the run's record. A run that was interrupted in any way can
/// be resumed from it.
///
/// The notes are the fingerprint of the plan, then one for each step, and one with the status at the end of the run.
package final class RunJournal: Sendable {
    /// The content of a journal.
    struct Entries: Equatable {
        let plan: String
        /// A Boolean value that indicates whether the run was one of a single step.
        var isPart = false
        /// The name of the run that wrote the journal.
        var run: String?
        var done: [String: [String: Value]] = [:]
        /// The steps that succeeded and whose outputs were not written because they contain a secret.
        var withheld: Set<String> = []
        /// The releases whose versions the run had determined.
        var releases: [PlannedRelease] = []
        var status: Int32?
    }

    private let events: EventStream
    /// The releases of the last note that records them.
    private let releases = Mutex<[PlannedRelease]>([])

    /// Creates a journal that contains the reused steps of earlier runs.
    ///
    /// - Parameter isPart: A Boolean value that indicates whether the run is one of a single step.
    init(_ events: EventStream, plan: String, isPart: Bool, run: String, reused: ReusedResults) {
        self.events = events
        note(isDeferrable: true) { writer in
            writer.member("plan", plan)
            writer.member("run", run)
            if isPart { writer.member("part", true) }
        }
        for (step, results) in reused.done.sorted(by: { $0.key < $1.key }) {
            record(step, results, isDeferrable: true)
        }
        for step in reused.withheld.sorted() { note(isDeferrable: true) { $0.member("withheld", step) } }
        record(reused.releases)
        _ = events.read(RunRecorder.self) { $0.flush() }
    }

    /// Records a step that succeeded. `isDeferrable` delays the note of a step that was up to date, because the check
    /// is cheap to repeat.
    func record(_ step: String, _ results: [String: Value], isDeferrable: Bool) {
        note(isDeferrable: isDeferrable) { writer in
            writer.member("step", step)
            guard !results.isEmpty else { return }
            writer.name("results")
            OutputsJSON.write(results, &writer)
        }
    }

    /// Records the releases whose versions are determined, unless the journal contains them already.
    func record(_ releases: [PlannedRelease]) {
        let isNew = self.releases.withLock { known in
            defer { known = releases }
            return known != releases
        }
        if isNew { note(isDeferrable: true) { releases.write(to: &$0) } }
    }

    /// Records a step that succeeded with outputs that must not be written. A later run repeats the step to get the
    /// outputs.
    func recordWithheld(_ step: String) { note { $0.member("withheld", step) } }

    /// Records the end of the run.
    func end(_ status: Int32) { note(isDeferrable: true) { $0.member("status", Int(status)) } }

    private func note(isDeferrable: Bool = false, _ members: (inout JSONWriter) -> Void) {
        // Without a journal, a later run repeats steps. The current run continues.
        _ = events.read(RunRecorder.self) { $0.note(isDeferrable: isDeferrable, members) }
    }

    /// Returns the journal of a lane's last run that has one. A run of a single step with other steps or parameters than
    /// those of a plan does not hide the run before it.
    ///
    /// - Parameter plan: The fingerprint of the plan, or `nil` for any plan.
    static func last(root: String, lane: String, for plan: String? = nil) -> Entries? {
        RunStore(root: root).notes(of: lane).lazy.compactMap(entries).first { entries in
            plan.map { !entries.isPart || steps(of: $0) == steps(of: entries.plan) } ?? true
        }
    }

    /// Returns the digest of the steps in a fingerprint of a plan.
    static func steps(of fingerprint: String) -> Substring { fingerprint.prefix { $0 != "." } }

    /// Returns a Boolean value that indicates whether a run is the lane's last one, and failed or was killed.
    package static func isUnfinished(root: String, lane: String, run: String) -> Bool {
        guard let last = last(root: root, lane: lane), last.run == run else { return false }
        return last.status != 0
    }

    private static func entries(in notes: [JSONNode]) -> Entries? {
        var entries: Entries?
        for node in notes {
            if let plan = node["plan"]?.string {
                entries = Entries(plan: plan, isPart: node["part"]?.bool ?? false, run: node["run"]?.string)
            }
            if let step = node["step"]?.string {
                entries?.done[step] = node["results"].map(OutputsJSON.results) ?? [:]
            }
            if let step = node["withheld"]?.string { entries?.withheld.insert(step) }
            if node["releases"] != nil { entries?.releases = [PlannedRelease](node) }
            if let status = node["status"]?.integer { entries?.status = Int32(truncatingIfNeeded: status) }
        }
        return entries
    }
}
