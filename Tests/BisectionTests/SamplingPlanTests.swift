import TestSupport
import Testing

@testable import Bisection

@Suite("The number of attempts at a flaky test")
struct SamplingPlanTests {
    @Test("The chance of a wrong result is at most the bound, and one attempt less would exceed it")
    func bound() {
        let rates = Generator<(Double, Int)> { source in
            (Double(source.draw(upTo: 989) + 1) / 1000, Int(source.draw(upTo: 30)) + 1)
        }
        checkProperty("the bound is kept with the least attempts", rates, cases: 120) { rate, verdicts in
            for plan in [
                SamplingPlan.failingByChance(rate: rate, verdicts: verdicts),
                .passingByChance(rate: rate, verdicts: verdicts),
            ] {
                let less: SamplingPlan =
                    switch plan {
                    case .untilPass(let attempts): .untilPass(attempts: attempts - 1)
                    case .untilFailure(let attempts): .untilFailure(attempts: attempts - 1)
                    }
                guard plan.errorChance(rate: rate, verdicts: verdicts) <= SamplingPlan.errorBound,
                    plan.attempts == 1 || less.errorChance(rate: rate, verdicts: verdicts) > SamplingPlan.errorBound
                else { return false }
            }
            return true
        }
    }

    @Test("A test that never fails by chance, or always, needs one attempt")
    func certain() {
        #expect(SamplingPlan.failingByChance(rate: 0, verdicts: 10).attempts == 1)
        #expect(SamplingPlan.passingByChance(rate: 1, verdicts: 10) == .once)
    }

    @Test("The number of attempts has a limit, and the chance shows that it is too low")
    func limit() {
        let plan = SamplingPlan.passingByChance(rate: 0.001, verdicts: 10, maximum: 500)
        #expect(plan == .untilFailure(attempts: 500))
        #expect(plan.errorChance(rate: 0.001, verdicts: 10) > SamplingPlan.errorBound)
        #expect(SamplingPlan.failingByChance(rate: 1, verdicts: 1, maximum: 101) == .untilPass(attempts: 101))
    }

    @Test("Simulated searches with a flaky test find the planted commit")
    func simulated() {
        var random = SplitMix64(seed: 1)
        for plan in [
            SamplingPlan.failingByChance(rate: 0.3, verdicts: 8), .passingByChance(rate: 0.3, verdicts: 8),
        ] {
            let wrong = (0..<1_000).count { _ in !Self.finds(planted: 77, of: 100, plan, rate: 0.3, &random) }
            // 10 are expected at most; 24 are more than four standard deviations above.
            #expect(wrong < 24, "\(plan)")
        }
    }

    private static func finds(
        planted: Int, of count: Int, _ plan: SamplingPlan, rate: Double, _ random: inout SplitMix64
    ) -> Bool {
        let commits = (0..<count).map { SearchedCommit(hash: "\($0)", parents: $0 == 0 ? [] : ["\($0 - 1)"]) }
        var search = CommitSearch(commits)
        while case .test(let hash) = search.decision {
            let isBad = (Int(hash) ?? 0) >= planted
            let failsByChance = (0..<plan.attempts).map { _ in Double.random(in: 0..<1, using: &random) < rate }
            let verdict: CommitVerdict =
                switch plan {
                case .untilPass: isBad || failsByChance.allSatisfy(\.self) ? .bad : .good
                case .untilFailure: isBad && failsByChance.contains(true) ? .bad : .good
                }
            search.record(verdict, of: hash)
        }
        return search.decision == .found("\(planted)")
    }
}
