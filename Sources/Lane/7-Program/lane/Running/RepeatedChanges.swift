/// A filter that distinguishes files that a lane writes from files that users edit. A file that changes in every run
/// would start runs indefinitely.
struct RepeatedChanges {
    /// The number of consecutive runs with the same changes that counts as a loop.
    private static let maximumRuns = 3

    /// The files that do not start a run when a run changes them.
    private(set) var ownFiles: Set<String> = []
    private var last: Set<String> = []
    private var runs = 0

    /// Returns the changes that start a run.
    ///
    /// - Parameter duringRun: A Boolean value that indicates whether the changes existed at the end of the run.
    mutating func reasons(among changes: [String], duringRun: Bool) -> [String] {
        guard duringRun else {
            // A user has edited these files, so they start runs again.
            ownFiles.subtract(changes)
            (last, runs) = ([], 0)
            return changes
        }
        let others = changes.filter { !ownFiles.contains($0) }
        guard !others.isEmpty else { return [] }
        runs = Set(others) == last ? runs + 1 : 1
        last = Set(others)
        guard runs >= Self.maximumRuns else { return others }
        ownFiles.formUnion(others)
        return []
    }
}
