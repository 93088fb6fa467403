import TestSupport
import Testing

@testable import Records

@Suite struct FlakinessTests {
    /// Returns trials in a short notation: each character is a trial at a commit of its own, and those in brackets are at
    /// one commit. `.` passed, `F` failed, `R` passed when retried, `f` failed in a modified checkout.
    private func trials(_ text: String) -> [TestSeries.Trial] {
        var (code, isShared) = (0, false)
        var trials: [TestSeries.Trial] = []
        for character in text {
            switch character {
            case "[": isShared = true
            case "]": isShared = false
            default:
                trials.append(
                    TestSeries.Trial(
                        run: trials.count, code: code, isModified: character == "f",
                        failed: character == "." ? 0 : 1, passed: ".R".contains(character) ? 1 : 0))
            }
            if !isShared { code += 1 }
        }
        return trials
    }

    private func flakiness(_ text: String) -> Flakiness { Flakiness(of: trials(text)) }

    @Test func aTestThatNeverFailsIsNotFlaky() {
        #expect(flakiness(String(repeating: ".", count: 100)).evidence == nil)
        #expect(flakiness("").evidence == nil)
    }

    @Test func aRetryThatPassesIsEvidence() {
        #expect(flakiness(".....R......").evidence == .retried)
    }

    @Test func differentResultsOfOneCommitAreEvidence() {
        #expect(flakiness("....[.F]....").evidence == .sameCommit)
        #expect(flakiness("....[..F]").evidence == .sameCommit)
    }

    @Test func aTestThatAlwaysFailsSinceACommitIsBroken() {
        let flakiness = flakiness("..........FFFFF")
        #expect(flakiness.evidence == nil)
        #expect(flakiness.broken == 10..<15)
        #expect(flakiness.rate == FailureRate(failed: 0, attempts: 10))
    }

    @Test func aFlakyTestCanBreak() {
        let flakiness = flakiness("....R....R....R....R...FFFFFFFFFF")
        #expect(flakiness.evidence == .retried)
        #expect(flakiness.broken == 23..<33)
    }

    @Test func aDefectThatWasFixedIsNotFlaky() {
        #expect(flakiness("..........FFFFFF............").evidence == nil)
        #expect(flakiness("..........F............").evidence == nil)
        #expect(flakiness("..........[FFF][FFF]............").evidence == nil)
    }

    @Test func severalPeriodsOfFailuresAreFlaky() {
        #expect(flakiness(".....F......F.....F....").evidence == .alternating)
    }

    @Test func twoLongDefectsAreNotFlaky() {
        let defect = String(repeating: "F", count: 20)
        let rest = String(repeating: ".", count: 40)
        #expect(flakiness(rest + defect + rest + defect + rest).evidence == nil)
    }

    @Test func workInProgressIsNoEvidence() {
        let flakiness = flakiness("..f.f..f.ff.f..ff")
        #expect(flakiness.evidence == nil)
        #expect(flakiness.broken.isEmpty)
        #expect(flakiness.rate.failed == 0)
    }

    @Test func aTestThatWasMendedIsNoLongerFlaky() {
        #expect(flakiness("..R.R..R..").evidence == .retried)
        #expect(flakiness("..R.R..R.." + String(repeating: ".", count: 150)).evidence == nil)
    }

    @Test func trialsKeepTheirPositions() {
        let flakiness = flakiness("f..R.f.R.f")
        #expect(flakiness.failures == 3...7)
    }

    /// A simulated history with known rates: flaky tests, broken tests, broken and fixed tests, and stable tests.
    @Test func plantedRatesAreFound() {
        var random = SplitMix64(seed: 23)
        var (above, foundAbove, below, foundBelow, sound, alarms) = (0, 0, 0, 0, 0, 0)
        for _ in 0..<2 {
            // Some commits run several times, in different pipelines.
            var codes: [Int] = []
            while codes.count < 200 {
                let commit = (codes.last ?? 0) + 1
                codes += Array(repeating: commit, count: random.happens(0.3) ? 2 : 1)
            }
            codes = Array(codes.prefix(200))
            for test in 0..<1000 {
                if test < 200 {
                    let rate = 0.005 * Double(test % 40 + 1)
                    let isFound = Flakiness(of: Self.flaky(rate, codes, retries: test % 2, &random)).evidence != nil
                    if rate > 0.02 {
                        above += 1
                        foundAbove += isFound ? 1 : 0
                    } else {
                        below += 1
                        foundBelow += isFound ? 1 : 0
                    }
                } else {
                    sound += 1
                    let trials = Self.sound(defects: test < 300 ? test % 4 : 0, codes, &random)
                    if Flakiness(of: trials).evidence != nil { alarms += 1 }
                }
            }
        }
        let summary = """
            above 2 %: \(foundAbove) of \(above), up to 2 %: \(foundBelow) of \(below), false alarms: \(alarms) of \(sound)
            """
        #expect(Double(foundAbove) >= 0.95 * Double(above), "\(summary)")
        #expect(Double(alarms) <= 0.01 * Double(sound), "\(summary)")
    }

    private static func flaky(
        _ rate: Double, _ codes: [Int], retries: Int, _ random: inout SplitMix64
    ) -> [TestSeries.Trial] {
        codes.enumerated().map { run, code in
            var trial = TestSeries.Trial(run: run, code: code, isModified: false)
            for _ in 0...retries where trial.passed == 0 {
                if random.happens(rate) { trial.failed += 1 } else { trial.passed += 1 }
            }
            return trial
        }
    }

    /// Returns the trials of a test with defects between some commits. The last defect may remain until the end.
    private static func sound(
        defects: Int, _ codes: [Int], _ random: inout SplitMix64
    ) -> [TestSeries.Trial] {
        let last = codes.last ?? 1
        let ranges = (0..<defects).map { _ in
            let start = Int.random(in: 1...last, using: &random)
            return start...(start + Int.random(in: 0...30, using: &random))
        }
        return codes.enumerated().map { run, code in
            let fails = ranges.contains { $0.contains(code) }
            return TestSeries.Trial(
                run: run, code: code, isModified: false, failed: fails ? 1 : 0, passed: fails ? 0 : 1)
        }
    }
}
