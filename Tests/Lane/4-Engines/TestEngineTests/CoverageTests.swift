import OperatingSystem
import TestSupport
import Testing
import Text
import ToolOutput

@testable import TestEngine

@Suite(.serialized, .engineTurn) struct CoverageTests {
    /// A separate copy, because alternating builds with and without coverage would rebuild everything.
    private let package = FixturePackage("Losses", as: "Losses-coverage")

    @Test func linesThatTestsReachAreCounted() throws {
        let run = try EngineRun(package) { options in
            options.choice.filter = ["AFatal/testLater", "AFatal/testFatal"]
            options.coverage = true
            options.coverageThreshold = 90
        }
        let report = try #require(run.verdict.coverage)
        #expect(report.files.map(\.path) == ["Sources/Losses/Losses.swift"])
        // One of the six lines of `half` is only covered by a negative number.
        #expect((report.lines, report.covered) == (6, 5))
        #expect(report.table == [" 83.3 %  5/6  Sources/Losses/Losses.swift"])
        #expect(run.verdict.status == .testCrashed)
    }

    @Test func throughSwiftTestTheyAreCountedToo() throws {
        let run = try EngineRun(package) { options in
            options.choice.filter = ["AFatal/testLater"]
            options.coverage = true
            options.throughSwiftTest = true
        }
        #expect(run.verdict.status == .done, "\(run.verdict.reason ?? "")")
        let report = try #require(run.verdict.coverage)
        #expect(report.files.map(\.path) == ["Sources/Losses/Losses.swift"])
        #expect((report.lines, report.covered) == (6, 5))
        #expect(try countsLeft().isEmpty)
    }

    @Test(arguments: [false, true]) func whoAsksForNoneFindsNone(_ throughSwiftTest: Bool) throws {
        _ = try EngineRun(package) { options in
            options.choice.filter = ["AFatal/testLater"]
            options.coverage = true
        }
        let run = try EngineRun(package) { options in
            options.choice.filter = ["AFatal/testLater"]
            options.build.isSkipped = true
            options.throughSwiftTest = throughSwiftTest
        }
        #expect(run.verdict.status == .done, "\(run.verdict.reason ?? "")")
        #expect(try countsLeft().isEmpty)
    }

    /// The profiles of tests in the package.
    private func countsLeft() throws -> [String] {
        try listDirectory(package.path).filter { $0.hasSuffix(".profraw") }
    }

    /// For example, a package with only tests.
    @Test func aPackageWithoutLinesOfCodeHasNoneToReach() throws {
        let directory = try TemporaryDirectory()
        let package = SwiftPackage(directory: "/src/Demo", environment: [:], options: TestOptions())
        let measurement = CoverageMeasurement(package: package, processes: ChildRunner(), directory: directory.path)
        #expect(throws: TestEngineFailure.self) { try measurement.reportOfSwiftTest(testModules: []) }
        try directory.write(
            #"{"data": [{"files": [{"filename": "/src/Demo/Tests/T.swift", "segments": [[1, 1, 3, true, true, false]]}]}]}"#,
            to: "0.json")
        let report = try measurement.reportOfSwiftTest(testModules: [])
        #expect(report.files.isEmpty && report.percent == 100)
    }
}
