import Expressions
import LaneModel
import OperatingSystem
import TestEngine
import Testing
import Text

@testable import TestActions

@Suite struct TestActionTests {
    @Test(
        arguments: [
            ([:], "runs the tests"),
            (["filter": .list([.string("A"), .string("B")])], "runs the tests that match 'A' or 'B'"),
            (
                ["shard": .string("2/4"), "configuration": .string("release")],
                "runs the tests of part 2/4 in release configuration"
            ),
            (["from": .string("tests.tar.gz")], "runs the tests of 'tests.tar.gz'"),
            (["archive": .string("tests.tar.gz"), "shard": .string("2/4")], "packs the tests into 'tests.tar.gz'"),
        ] as [([String: Value], String)])
    func aSummaryNamesTheChoice(_ settings: [String: Value], _ summary: String) {
        #expect(TestAction().summary(of: Settings(settings)) == summary)
    }

    @Test func theCommandLineComesFirst() {
        let action = TestAction(overrides: ["filter": .list([.string("B")])])
        #expect(action.summary(of: Settings(["filter": .list([.string("A")])])) == "runs the tests that match 'B'")
    }

    /// A threshold of the lane file would fail a run of one test.
    @Test(
        arguments: [
            (["filter": .list([.string("A")])], []), (["failed": .bool(true)], []),
            (["filter": .list([])], ["coverage-changed-threshold", "coverage-threshold"]),
            (["skip": .list([.string("A")]), "coverage-threshold": .integer(1)], ["coverage-threshold"]),
        ] as [([String: Value], [String])])
    func settingsForAllTestsNeedAllTests(_ overrides: [String: Value], _ expected: [String]) {
        let settings = Settings([
            "coverage-changed-threshold": .integer(95), "coverage-threshold": .integer(90),
        ])
        let merged = TestAction(overrides: overrides).merged(settings)
        #expect(
            merged.sortedMembers.map(\.name).filter { overrides[$0] == nil || $0.hasPrefix("coverage") } == expected)
    }

    @Test func aSelectionByChangesOmitsTheThreshold() throws {
        var options = try TestOptions(
            Settings(["coverage": .bool(true), "coverage-threshold": .integer(90)]))
        #expect(options.omitSettingsOfAllTests().isEmpty)
        #expect(options.coverageThreshold == 90)
        options.choice.modules = ["ATests"]
        #expect(options.omitSettingsOfAllTests() == ["coverage-threshold"])
        #expect(options.coverageThreshold == nil && options.coverage)
    }

    @Test func aQuarantineHoldsThroughItsLastDay() throws {
        var options = TestOptions()
        options.quarantine = try [("A", "2026-01-31"), ("B", "2026-02-28")].map { pattern, day in
            QuarantineEntry(pattern: pattern, reason: "issue 1", lastDay: try #require(CivilDate(iso8601: day)))
        }
        let day = 86_400.0
        let january31 = 20_484 * day
        try options.requireCurrentQuarantine(at: january31 + day - 1)
        let failure = try #require(throws: OperationFailure.self) {
            try options.requireCurrentQuarantine(at: january31 + day)
        }
        #expect(failure.status == ExitStatus.refused.rawValue)
        #expect(
            failure.message == """
                the quarantine of 'A' ended on 2026-01-31 (issue 1)
                hint: fix the test and remove the entry, or set a later 'until'
                """)
    }
}
