/// Tells the files that a lane writes itself from those that somebody edits: what changes with every run would start the
/// next one for ever.
struct RepeatedChanges {
    /// So many runs in a row that changed the same files, and nothing else, are no accident.
    private static let maximumRuns = 3

    /// Files that start no run when a run changes them.
    private(set) var ownFiles: Set<String> = []
    private var last: Set<String> = []
    private var runs = 0

    /// The changes that are a reason to run again.
    ///
    /// - Parameter duringRun: They were there as soon as the run had ended.
    mutating func reasons(among changes: [String], duringRun: Bool) -> [String] {
        guard duringRun else {
            // Somebody has edited them: they are theirs again.
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
