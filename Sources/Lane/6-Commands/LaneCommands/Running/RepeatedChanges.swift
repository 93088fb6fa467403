/// A filter that distinguishes files that a lane writes from files that users edit. A file to which every run gives other
/// contents would start runs indefinitely.
///
/// If files change during run after run, growing pauses follow. An edit in a pause proves that a user edits them. Files
/// that change in every run stop starting runs when the pauses have become longer than the runs without such an edit.
struct RepeatedChanges {
    /// The number of consecutive runs with changes before the first pause.
    private static let runsBeforePauses = 3
    /// The minimum number of consecutive runs with changes that counts as a loop.
    private static let minimumLoop = 8

    /// The files that do not start a run when a run changes them.
    private(set) var ownFiles: Set<String> = []
    /// The note for users about changes that repeat, after the last run.
    private(set) var repeating: (files: [String], areOwn: Bool)?
    /// The files that changed in all of the last consecutive runs with changes.
    private var common: Set<String> = []
    private var runs = 0
    private var runTime = Duration.zero
    private var pauses = Duration.zero

    /// Returns the changes that start the next run, and the pause before it; `nil` if none does.
    ///
    /// - Parameters:
    ///   - changes: The files whose contents changed during a run.
    ///   - time: The duration of the run.
    mutating func next(after changes: [String], runTime time: Duration) -> (changes: [String], pause: Duration)? {
        repeating = nil
        // A run that does not change a file shows that the lane does not always write it.
        ownFiles.formIntersection(changes)
        let others = changes.filter { !ownFiles.contains($0) }
        guard !others.isEmpty else {
            runs = 0
            return nil
        }
        common = runs == 0 ? Set(others) : common.intersection(others)
        if runs == 0 { (runTime, pauses) = (.zero, .zero) }
        runs += 1
        runTime += time
        guard runs >= Self.runsBeforePauses else { return (others, .zero) }
        if runs >= Self.minimumLoop, pauses > runTime, !common.isEmpty {
            ownFiles.formUnion(common)
            repeating = (common.sorted(), areOwn: true)
            runs = 0
            let rest = others.filter { !common.contains($0) }
            return rest.isEmpty ? nil : (rest, .zero)
        }
        if runs == Self.runsBeforePauses { repeating = (others, areOwn: false) }
        let pause = Duration.seconds(1 << min(runs - Self.runsBeforePauses, 20))
        pauses += pause
        return (others, pause)
    }

    /// Records that a user has edited files between two runs.
    mutating func wasEdited(_ files: [String]) {
        guard !files.isEmpty else { return }
        ownFiles.subtract(files)
        runs = 0
    }
}
