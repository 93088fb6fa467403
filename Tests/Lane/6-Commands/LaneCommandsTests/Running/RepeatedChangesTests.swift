import TestSupport
import Testing

@testable import LaneCommands

@Suite struct RepeatedChangesTests {
    /// Returns the pauses before the next runs, in seconds, until no run follows.
    private func pauses(
        _ changes: inout RepeatedChanges, runTime: Duration = .seconds(1), files: (Int) -> [String]
    ) -> [Int64] {
        var pauses: [Int64] = []
        while pauses.count < 12, let next = changes.next(after: files(pauses.count), runTime: runTime) {
            pauses.append(next.pause.components.seconds)
        }
        return pauses
    }

    @Test func repeatedChangesStopStartingRuns() {
        var changes = RepeatedChanges()
        #expect(pauses(&changes) { _ in ["out"] } == [0, 0, 1, 2, 4, 8, 16])
        #expect(changes.ownFiles == ["out"])
        // Other files still start runs.
        #expect(changes.next(after: ["a.swift", "out"], runTime: .zero)?.changes == ["a.swift"])
    }

    /// A user who saves the same file during every run of five minutes does not wait long, and loses no save.
    @Test func longRunsNeedLongPausesToBeALoop() {
        var changes = RepeatedChanges()
        #expect(pauses(&changes, runTime: .seconds(300)) { _ in ["a.swift"] }.prefix(8) == [0, 0, 1, 2, 4, 8, 16, 32])
        #expect(changes.ownFiles.isEmpty)
    }

    @Test func editedFilesStartRuns() {
        var changes = RepeatedChanges()
        _ = pauses(&changes) { _ in ["out"] }
        changes.wasEdited(["out"])
        #expect(changes.ownFiles.isEmpty)
        #expect(changes.next(after: ["out"], runTime: .zero)?.changes == ["out"])
    }

    @Test func aRunWithoutAChangeEndsTheLoop() {
        var changes = RepeatedChanges()
        _ = pauses(&changes) { _ in ["out"] }
        #expect(changes.next(after: [], runTime: .zero) == nil)
        #expect(changes.next(after: ["out"], runTime: .zero)?.changes == ["out"])
    }

    /// A lane that writes a new file in each run would otherwise run without pauses.
    @Test func differentFilesCauseGrowingPauses() {
        var changes = RepeatedChanges()
        #expect(pauses(&changes) { ["log\($0)"] } == [0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
        #expect(changes.ownFiles.isEmpty)
    }
}
