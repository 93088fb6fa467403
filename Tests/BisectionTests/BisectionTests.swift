import TestSupport
import Testing

@testable import Bisection

@Suite("Bisection")
struct BisectionTests {
    /// A history of ten commits `0` to `9` after the good one, with a culprit and scripted trials.
    final class History {
        struct Stop: Error {}

        var culprit = 6
        var unbuildable: Set<String> = []
        /// The results of the attempts of the test at good and at bad commits, repeated as needed; `true` for a failure.
        var atGood = [false]
        var atBad = [true]
        var rates: [String: ClosedRange<Double>] = [:]
        var repetitions: Int?
        var stopsAfter = Int.max
        var recorded: [String: CommitTrial.Attempts] = [:]
        private(set) var trials: [(hash: String, plan: SamplingPlan)] = []
        private(set) var steps: [String] = []
        private(set) var saved: BisectionRecord?

        func run(resuming record: BisectionRecord? = nil) throws -> BisectionOutcome {
            trials = []
            var bisection = Bisection<Stop>(
                record ?? BisectionRecord(target: .test("t"), good: "good", bad: "9", repetitions: repetitions),
                commits: (0..<10).map { SearchedCommit(hash: "\($0)", parents: [$0 == 0 ? "good" : "\($0 - 1)"]) },
                rate: { self.rates[$0] }, recorded: { self.recorded[$0].map { CommitTrial(attempts: ["t": $0]) } },
                test: { hash, plan throws(Stop) in self.trial(hash, plan) },
                report: { self.steps.append("\($0.hash) \($0.verdict)\($0.note.isEmpty ? "" : ": \($0.note)")") },
                save: { record throws(Stop) in self.saved = record })
            let outcome = try bisection.run()
            errorChance = bisection.record.errorChance
            return outcome
        }
        private(set) var errorChance: Double?

        private func trial(_ hash: String, _ plan: SamplingPlan) -> CommitTrial? {
            guard trials.count < stopsAfter else { return nil }
            trials.append((hash, plan))
            if unbuildable.contains(hash) { return CommitTrial(obstacle: "does not build") }
            let results = (Int(hash) ?? -1) >= culprit ? atBad : atGood
            var attempts = CommitTrial.Attempts()
            for index in 0..<plan.attempts {
                let fails = results[index % results.count]
                if fails { attempts.failed += 1 } else { attempts.passed += 1 }
                switch plan {
                case .untilPass where !fails: return CommitTrial(attempts: ["t": attempts])
                case .untilFailure where fails: return CommitTrial(attempts: ["t": attempts])
                default: break
                }
            }
            return CommitTrial(attempts: ["t": attempts])
        }
    }

    @Test("The bad end is tested first, and then the middle")
    func order() throws {
        let history = History()
        #expect(try history.run() == .found("6"))
        #expect(history.steps == ["9 bad", "4 good", "6 bad", "5 good"])
        #expect(history.errorChance == nil)
    }

    @Test("The good end is tested if no other commit is good, and the number of tests is bounded")
    func goodEnd() throws {
        for culprit in 0..<10 {
            let history = History()
            history.culprit = culprit
            #expect(try history.run() == .found("\(culprit)"))
            // The ten commits and the good end are eleven.
            #expect(history.trials.count <= CommitSearch.steps(for: 11) + 1, "\(history.steps)")
            #expect(history.steps.contains("good good") == (culprit == 0))
        }
    }

    @Test("The good commit must be good and the bad commit bad")
    func wrongEnds() throws {
        let history = History()
        history.culprit = 10
        #expect(try history.run() == .badIsGood)
        history.culprit = -1
        #expect(try history.run() == .goodIsBad(["t"]))
        history.culprit = 0
        history.unbuildable = ["good"]
        #expect(try history.run() == .endIsUntestable("good", reason: "does not build"))
        history.unbuildable = ["9"]
        #expect(try history.run() == .endIsUntestable("9", reason: "does not build"))
    }

    @Test("Recorded results are used unless they are mixed, or the test is flaky")
    func recorded() throws {
        let history = History()
        history.recorded = [
            "9": .init(passed: 3), "good": .init(passed: 2), "4": .init(failed: 1, passed: 1), "6": .init(failed: 1),
        ]
        #expect(try history.run() == .found("6"))
        #expect(history.trials.map(\.hash) == ["9", "4", "5"])
        #expect(history.steps == ["9 bad", "4 good", "6 bad: recorded", "5 good"])
        history.rates = ["t": 0.1...0.3]
        #expect(try history.run() == .found("6"))
        #expect(history.trials.map(\.hash) == ["9", "9", "4", "6", "5"])
        history.rates = [:]
        history.culprit = 0
        #expect(try history.run() == .found("0"))
        #expect(history.steps.last == "good good: recorded")
    }

    @Test("Commits that do not build around the culprit give a range")
    func range() throws {
        let history = History()
        history.unbuildable = ["5", "6"]
        #expect(try history.run() == .range(["5", "6", "7"]))
        #expect(history.steps.contains("5 skipped: does not build"))
    }

    @Test("A test that is known to fail by chance is retried, and a culprit that broke it is found")
    func failsByChance() throws {
        let history = History()
        history.rates = ["t": 0.1...0.3]
        history.atGood = [true, true, false]
        #expect(try history.run() == .found("6"))
        // Six verdicts at most: 0.3 to the power of 6 is 0.0007.
        #expect(history.trials.map(\.plan).dropFirst().allSatisfy { $0 == .untilPass(attempts: 6) })
        #expect(history.trials.map(\.hash) == ["9", "9", "4", "6", "5"])
        #expect((history.errorChance ?? 1) < SamplingPlan.errorBound)
        #expect(history.steps.contains("4 good: 2 of 3 attempts failed"))
        #expect(history.steps.contains("6 bad: 6 of 6 attempts failed"))
    }

    @Test("A test that the culprit made flaky is repeated", arguments: [[false, false, true], [true, false]])
    func madeFlaky(_ atBad: [Bool]) throws {
        let history = History()
        history.rates = ["t": 0.2...0.5]
        history.atBad = atBad
        #expect(try history.run() == .found("6"))
        #expect(history.trials.last?.plan == .untilFailure(attempts: 29))
        #expect((history.errorChance ?? 1) < SamplingPlan.errorBound)
    }

    @Test("The user's number of repetitions counts more than the known rate")
    func repetitions() throws {
        let history = History()
        history.rates = ["t": 0.2...0.5]
        history.repetitions = 3
        history.atBad = [false, false, true]
        #expect(try history.run() == .found("6"))
        #expect(history.trials.allSatisfy { $0.plan == .untilFailure(attempts: 3) })
    }

    @Test("A stopped bisection continues where it was, wherever it was stopped")
    func resuming() throws {
        for stop in 0...4 {
            let history = History()
            history.stopsAfter = stop
            let first = try history.run()
            let tests = history.trials.count
            history.stopsAfter = .max
            guard first == .stopped else {
                #expect(stop == 4 && first == .found("6"))
                continue
            }
            let record = try history.saved.map { try #require(BisectionRecord(json: $0.json)) }
            #expect(record == history.saved)
            #expect(try history.run(resuming: record) == .found("6"))
            #expect(tests + history.trials.count == 4, "stopped after \(stop)")
        }
    }

    @Test("A record survives its file, and other files are no records")
    func record() {
        var record = BisectionRecord(
            target: .lane("ci", arguments: ["--fast", "a \"b\""]), good: "a", bad: "b", repetitions: 4)
        record.failures = ["ci/test"]
        record.plan = .untilPass(attempts: 7)
        record.errorChance = 0.0075
        record.verdicts = [.init(hash: "c", verdict: .skipped), .init(hash: "d", verdict: .bad)]
        #expect(BisectionRecord(json: record.json) == record)
        for text in ["", "{}", "[1]", record.json.replacing("\"version\": 1", with: "\"version\": 2")] {
            #expect(BisectionRecord(json: text) == nil)
        }
    }

    @Test("A lane is good where it succeeds, even without the step that fails at the bad commit")
    func laneVerdict() {
        let plan = SamplingPlan.once
        #expect(
            CommitTrial(attempts: ["1": .init(passed: 1)], hasSucceeded: true).verdict(on: ["2"], by: plan) == .good)
        #expect(CommitTrial(attempts: ["1": .init(failed: 1)]).verdict(on: ["2"], by: plan) == .skipped)
        #expect(CommitTrial(attempts: ["2": .init(failed: 1)]).verdict(on: ["2"], by: plan) == .bad)
    }
}
