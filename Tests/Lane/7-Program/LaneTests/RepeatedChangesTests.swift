import Testing

@testable import lane

@Suite struct RepeatedChangesTests {
    @Test func repeatedChangesDoNotStartRuns() {
        var changes = RepeatedChanges()
        #expect(changes.reasons(among: ["out"], duringRun: true) == ["out"])
        #expect(changes.reasons(among: ["out"], duringRun: true) == ["out"])
        #expect(changes.reasons(among: ["out"], duringRun: true).isEmpty)
        #expect(changes.ownFiles == ["out"])
        // Other files still start runs.
        #expect(changes.reasons(among: ["a.swift", "out"], duringRun: true) == ["a.swift"])
    }

    @Test func editedFilesStartRuns() {
        var changes = RepeatedChanges()
        for _ in 0..<10 { #expect(changes.reasons(among: ["a.swift"], duringRun: false) == ["a.swift"]) }
        for _ in 0..<3 { _ = changes.reasons(among: ["out"], duringRun: true) }
        #expect(changes.reasons(among: ["out"], duringRun: false) == ["out"])
        #expect(changes.ownFiles.isEmpty)
    }

    @Test func differentEditsDuringRunsAreNotALoop() {
        var changes = RepeatedChanges()
        for round in 0..<10 {
            let file = round.isMultiple(of: 2) ? "a.swift" : "b.swift"
            #expect(changes.reasons(among: [file], duringRun: true) == [file])
        }
    }
}
