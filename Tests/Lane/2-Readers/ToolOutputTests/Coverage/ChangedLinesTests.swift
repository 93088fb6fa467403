import OperatingSystem
import TestSupport
import Testing
import ToolOutput

@Suite(.startsPrograms) struct ChangedLinesTests {
    /// Returns the changed lines of a file in the form of a report without covered lines.
    private static func places(_ diff: String, _ paths: String...) -> [String] {
        let files = paths.map { FileCoverage(path: $0, lines: (1...20).map { .init($0, count: 0) }) }
        return CoverageReport(files: files).restricted(to: ChangedLines(diff: Array(diff.utf8))).uncoveredRanges
    }

    @Test func addedLinesOfHunksAreChanged() {
        let diff = """
            diff --git a/A.swift b/A.swift
            index 1..2 100644
            --- a/A.swift
            +++ b/A.swift
            @@ -1,2 +1 @@ func a() {
            -one
            -two
            +++ b/B.swift
            @@ -5,0 +6,2 @@
            +@@ -1 +9 @@
            +
            @@ -9 +10,0 @@
            -gone
            \\ No newline at end of file
            @@ -12 +12,3 @@
            -x
            +x
            +y
            +z
            \\ No newline at end of file
            diff --git a/Gone.swift b/Gone.swift
            --- a/Gone.swift
            +++ /dev/null
            @@ -1 +0,0 @@
            -gone
            --- a/New file.swift
            +++ b/New file.swift\t
            @@ -0,0 +1,2 @@
            +1
            +2
            --- "a/\\303\\244\\t\\".swift"
            +++ "b/\\303\\244\\t\\".swift"
            @@ -3 +3 @@
            -1
            +2

            """
        #expect(
            Self.places(diff, "A.swift", "B.swift", "Gone.swift", "New file.swift", "ä\t\".swift") == [
                "A.swift:1,6-7,12-14", "New file.swift:1-2", "ä\t\".swift:3",
            ])
    }

    @Test func aFileThatGitDoesNotKnowHasChanged() {
        var changed = ChangedLines(diff: [])
        changed.add(newFile: "A.swift")
        let file = FileCoverage(path: "A.swift", lines: [.init(1, count: 1), .init(900, count: 0)])
        let other = FileCoverage(path: "B.swift", lines: [.init(1, count: 0)])
        let report = CoverageReport(files: [file, other]).restricted(to: changed)
        #expect(report == CoverageReport(files: [file]))
        #expect((report.percent, report.uncoveredRanges) == (50, ["A.swift:900"]))
    }

    /// Random edits of a file. The changed lines are those with new text, as in `git diff`.
    @Test(arguments: 0..<8) func randomEditsAreFound(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let words = ["+++ b/A.swift", "--- a/A.swift", "@@ -1 +1 @@", "", "\\ x", "-", "+"]
        let old = (0..<60).map { "old \($0) \(words.randomElement(using: &random) ?? "")" }
        var new: [(text: String, isNew: Bool)] = []
        for line in old {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: break
            case 1: new.append((words.randomElement(using: &random).map { "\($0) new \(new.count)" } ?? "", true))
            case 2: new += [(line, false), ("++ b/B.swift new \(new.count)", true)]
            default: new.append((line, false))
            }
        }
        let directory = try TemporaryDirectory()
        try directory.write(old.map { $0 + "\n" }.joined(), to: "old")
        try directory.write(new.map { $0.text + "\n" }.joined(), to: "new")
        let run = try ChildRunner().capture(
            Command(
                "git", ["diff", "--no-index", "--unified=0", "--no-color", "old", "new"],
                environment: processEnvironment(), directory: directory.path))
        let file = FileCoverage(path: "new", lines: new.indices.map { .init($0 + 1, count: 1) })
        let found = CoverageReport(files: [file]).restricted(to: ChangedLines(diff: run.standardOutput))
        #expect(found.files.first?.lines.map(\.number) == new.indices.filter { new[$0].isNew }.map { $0 + 1 })
    }
}
