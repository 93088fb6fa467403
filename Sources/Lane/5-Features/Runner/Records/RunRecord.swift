/// The record of a lane's last run.
package enum RunRecord {
    /// Returns a Boolean value that indicates whether a run is the lane's last one, and failed or was killed.
    package static func isUnfinished(root: String, lane: String, run: String) -> Bool {
        guard let last = RunJournal.read(root: root, lane: lane), last.run == run else { return false }
        return last.status != 0
    }
}
