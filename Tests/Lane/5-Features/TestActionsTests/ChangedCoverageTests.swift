import Actions
import Events
import Git
import OperatingSystem
import TestEngine
import TestSupport
import Testing
import Text
import ToolOutput

@testable import TestActions

@Suite(.startsPrograms) struct ChangedCoverageTests {
    private static func report(_ files: String...) -> CoverageReport {
        CoverageReport(
            files: files.map { path in
                FileCoverage(path: path, lines: (1...9).map { FileCoverage.Line($0, count: $0 % 2) })
            })
    }

    /// In a package below the root of the repository, with renamed, new, unknown and ignored files, and settings of the
    /// user that change what git prints.
    @Test func linesOfThePackageAreFound() throws {
        let fixture = try GitFixture()
        let lines = (1...9).map { "line \($0)\n" }
        func write(_ path: String, _ lines: [String]) throws {
            try fixture.temporary.write(lines.joined(), to: "sample/\(path)")
        }
        for path in ["App/A.swift", "App/Old.swift", "Other.swift"] { try write(path, lines) }
        try write(".gitignore", ["Ignored.swift\n"])
        try fixture.git("add .")
        try fixture.git("commit --quiet -m one")
        let base = try fixture.git("rev-parse HEAD")
        try write("App/A.swift", Array(lines[..<2]) + ["new\n", "new\n"] + Array(lines[4...]))
        try write("Other.swift", ["new\n"])
        try write("App/ä b.swift", ["new\n", "new\n"])
        try fixture.git("mv App/Old.swift App/New.swift")
        try write("App/New.swift", Array(lines[..<8]) + ["new\n"])
        try fixture.git("add .")
        try fixture.git("commit --quiet -m two")
        try write("App/A.swift", ["new\n"] + Array(lines[1..<2]) + ["new\n", "new\n"] + Array(lines[4...]))
        try write("App/Unknown.swift", lines)
        try write("App/Ignored.swift", lines)
        for setting in ["diff.noprefix true", "color.ui always", "diff.interHunkContext 9", "diff.mnemonicPrefix true"]
        {
            try fixture.git("config \(setting)")
        }
        let git = Git(in: "\(fixture.path)/App", environment: fixture.environment, processes: ChildRunner())
        let found = try ChangedCoverage.lines(of: git, since: base)
        let files = ["A.swift", "Ignored.swift", "New.swift", "Old.swift", "Other.swift", "Unknown.swift", "ä b.swift"]
        let changed = CoverageReport(
            files: files.map { FileCoverage(path: $0, lines: (1...9).map { FileCoverage.Line($0, count: 0) }) }
        ).restricted(to: found)
        #expect(changed.uncoveredRanges == ["A.swift:1,3-4", "New.swift:9", "Unknown.swift:1-9", "ä b.swift:1-2"])
    }

    private static let changed = ChangedLines(diff: Array("+++ b/A.swift\n@@ -2,0 +2,4 @@\n".utf8))

    @Test func aThresholdFailsTheRunAndNamesTheLines() throws {
        var verdict = TestVerdict(status: .done, coverage: Self.report("A.swift", "B.swift"))
        let note = ChangedCoverage(Self.changed, since: "abc of 'main'", threshold: 60).apply(to: &verdict)
        #expect(note == "line coverage of the lines that differ from abc of 'main'\n 50.0 %  2/4  A.swift:2,4")
        #expect(verdict.status == .failed)
        #expect(verdict.reason == "the tests cover 50.0 % of the changed lines, less than 60.0 %\nA.swift:2,4")
        _ = ChangedCoverage(Self.changed, since: "abc", threshold: 70).apply(to: &verdict)
        #expect(
            verdict.reason == """
                the tests cover 50.0 % of the changed lines, less than 60.0 %
                A.swift:2,4
                the tests cover 50.0 % of the changed lines, less than 70.0 %
                A.swift:2,4
                """)
    }

    @Test func othersDoNotFailTheRun() throws {
        var verdict = TestVerdict(status: .done, coverage: Self.report("A.swift", "B.swift"))
        _ = ChangedCoverage(Self.changed, since: "abc", threshold: 50).apply(to: &verdict)
        #expect(verdict.status == .done)
        let none = ChangedCoverage(ChangedLines(diff: []), since: "abc", threshold: 100)
        #expect(none.apply(to: &verdict) == "no line with code differs from abc" && verdict.status == .done)
        var failed = TestVerdict(status: .failed, reason: "1 test failed", coverage: Self.report("A.swift"))
        failed.counts.failed = 1
        _ = ChangedCoverage(Self.changed, since: "abc", threshold: 100).apply(to: &failed)
        #expect(failed.reason == "1 test failed")
        var unmeasured = TestVerdict(status: .done)
        #expect(ChangedCoverage(Self.changed, since: "abc", threshold: 100).apply(to: &unmeasured) == nil)
    }
}
