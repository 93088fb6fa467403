import Bisection
import LaneEvents
import ResultHistory
import Testing

@testable import CommitTesting

@Suite("Recorded results of commits")
struct RecordedTrialsTests {
    private static let test = TestID(library: .swiftTesting, module: "M", suite: "", name: "t()")

    private static func run(
        _ commit: String?, _ outcomes: [RecordedResult.Outcome], isModified: Bool = false, machine: String = "a"
    ) -> RecordedRun {
        RecordedRun(
            startedAt: 0, commit: commit, isModified: isModified, machine: machine,
            results: outcomes.map { RecordedResult(test: test, outcome: $0) })
    }

    @Test("Those of other machines, of checkouts with changes and of unknown commits do not count")
    func collecting() {
        let trials = RecordedTrials(
            [
                Self.run("1", [.passed]), Self.run("1", [.failed, .crashed, .timedOut, .skipped]),
                Self.run("2", [.passed], isModified: true), Self.run("3", [.passed], machine: "b"),
                Self.run(nil, [.passed]),
            ], machine: "a")
        #expect(trials["1"] == CommitTrial(attempts: ["M.t()": .init(failed: 3, passed: 1)]))
        #expect(trials["2"] == nil && trials["3"] == nil && trials[""] == nil)
    }
}
