import Events
import TestSupport
import Testing

@testable import Records

@Suite struct StatisticsTests {
    /// The values are those of other implementations of Wilson's 95% interval.
    @Test(arguments: [(0, 10, 0.0, 0.2775), (1, 10, 0.0179, 0.4042), (5, 10, 0.2366, 0.7634), (8, 190, 0.0215, 0.0809)])
    func wilsonIntervals(_ failed: Int, _ attempts: Int, _ low: Double, _ high: Double) {
        let interval = FailureRate(failed: failed, attempts: attempts).interval
        #expect(abs(interval.lowerBound - low) < 0.0001)
        #expect(abs(interval.upperBound - high) < 0.0001)
    }

    @Test func theIntervalContainsTheRate() {
        checkProperty(
            "the interval contains the rate",
            zip(Generator<Int>.integer(in: 0...500), Generator<Int>.integer(in: 0...500))
        ) { failed, passed in
            let rate = FailureRate(failed: failed, attempts: failed + passed)
            return rate.interval.contains(rate.value) && rate.interval.lowerBound >= 0 && rate.interval.upperBound <= 1
        }
    }

    private func assess(_ results: [String], machine: (Int) -> String = { _ in "" }) -> HistoryAssessment {
        let runs = results.enumerated().map { index, line in
            TestRunResults(
                startedAt: Double(index) * 86_400 + 1_790_000_000,
                origin: TestOrigin(commit: "c\(index / 2)", machine: machine(index)),
                results: line.enumerated().map { number, character in
                    AttemptResult(
                        test: test(number), outcome: character == "." ? .passed : character == "s" ? .skipped : .failed,
                        microseconds: 2000)
                })
        }
        return HistoryAssessment(runs)
    }

    @Test func runsOfAnotherMachineAreOtherCode() {
        let results = (0..<12).map { $0.isMultiple(of: 2) ? "." : "F" }
        #expect(assess(results).tests[0].flakiness.evidence == .sameCommit)
        let machines = assess(results) { $0.isMultiple(of: 2) ? "linux-x86_64" : "darwin-arm64" }
        #expect(machines.tests[0].flakiness.evidence != .sameCommit)
    }

    @Test func skippedTestsHaveNoTrial() {
        #expect(assess(["s.", "..", "s."]).tests.map(\.series.trials.count) == [1, 3])
    }
}
