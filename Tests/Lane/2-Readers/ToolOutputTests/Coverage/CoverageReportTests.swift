import Testing
import ToolOutput

@Suite struct CoverageReportTests {
    private static func file(_ path: String, _ counts: [Int: Int]) -> FileCoverage {
        FileCoverage(
            path: path,
            lines: counts.sorted { $0.key < $1.key }.map { FileCoverage.Line($0.key, count: $0.value) })
    }

    @Test func theTableStartsWithTheLeastCovered() {
        let report = CoverageReport(files: [
            Self.file("A.swift", [1: 1, 2: 1]), Self.file("B.swift", [1: 0, 2: 3, 3: 0]), Self.file("C.swift", [7: 0]),
        ])
        #expect((report.lines, report.covered) == (6, 3))
        #expect(
            report.table == [
                "  0.0 %  0/1  C.swift", " 33.3 %  1/3  B.swift", "100.0 %  2/2  A.swift", " 50.0 %  3/6  all 3 files",
            ])
        #expect(
            report.tableWithUncovered[..<3] == [
                "  0.0 %  0/1  C.swift:7", " 33.3 %  1/3  B.swift:1,3", "100.0 %  2/2  A.swift",
            ])
    }

    @Test func rangesAreOfSuccessiveLines() {
        let file = Self.file("A.swift", [1: 0, 2: 0, 4: 0, 5: 2, 6: 0, 9: 0, 10: 0, 11: 0])
        #expect(file.uncovered == [1...2, 4...4, 6...6, 9...11])
    }

    /// A retried test may reach lines that the first attempt has not reached.
    @Test func severalReportsOfAFileAreOne() {
        let report = CoverageReport(files: [
            Self.file("A.swift", [1: 4, 2: 0, 3: 0]), Self.file("A.swift", [1: 1, 2: 0, 3: 2, 4: 0]),
        ])
        #expect(report.files == [Self.file("A.swift", [1: 4, 2: 0, 3: 2, 4: 0])])
    }

    @Test func percentagesAreRoundedDown() {
        #expect(CoverageReport.percentText(99.99) == "99.9 %")
        #expect(CoverageReport.percentText(100) == "100.0 %")
        #expect(CoverageReport.percentText(0) == "0.0 %")
        #expect(CoverageReport(files: []).percent == 100)
    }

    @Test func aPackageWithoutCodeHasNoPercentage() {
        for report in [CoverageReport(files: []), CoverageReport(files: [Self.file("A.swift", [:])])] {
            #expect(report.table == ["there are no lines with code"])
        }
    }
}
