/// The result of running the tests or the lane at a commit.
package struct CommitTrial: Sendable, Equatable {
    /// The attempts at a test, or the result of a step.
    package struct Attempts: Sendable, Equatable {
        package var failed: Int
        package var passed: Int

        package init(failed: Int = 0, passed: Int = 0) {
            self.failed = failed
            self.passed = passed
        }
    }

    /// The attempts by the name of the test, or by the identifier of the step. Empty if the commit could not be tested.
    package var attempts: [String: Attempts]
    /// A Boolean value that indicates whether the lane as a whole succeeded, so that a step without a result is good.
    package var hasSucceeded: Bool
    /// The reason why there are no other results, such as `does not build`.
    package var obstacle: String
    package var duration: Duration
    /// A Boolean value that indicates whether the results are those of an earlier run.
    package var isRecorded = false

    package init(
        attempts: [String: Attempts] = [:], hasSucceeded: Bool = false, obstacle: String = "",
        duration: Duration = .zero
    ) {
        self.attempts = attempts
        self.hasSucceeded = hasSucceeded
        self.obstacle = obstacle
        self.duration = duration
    }

    /// The names with a failed attempt, sorted.
    package var failed: [String] { attempts.filter { $0.value.failed > 0 }.keys.sorted() }

    /// The names with failed attempts only, sorted.
    var alwaysFailed: [String] { attempts.filter { $0.value.failed > 0 && $0.value.passed == 0 }.keys.sorted() }

    /// Returns the verdict on the commit.
    ///
    /// - Parameters:
    ///   - failures: The tests or steps that fail at the bad commit. The commit is bad if one of them fails.
    func verdict(on failures: [String], by plan: SamplingPlan) -> CommitVerdict {
        let known = failures.compactMap { attempts[$0] }
        let hasFailed = known.contains { attempts in
            switch plan {
            case .untilPass: attempts.failed > 0 && attempts.passed == 0
            case .untilFailure: attempts.failed > 0
            }
        }
        if hasFailed { return .bad }
        return known.contains { $0.passed > 0 } || hasSucceeded ? .good : .skipped
    }

    /// A Boolean value that indicates whether recorded results decide: none of them is mixed, and one fails or all are
    /// known.
    func decides(on failures: [String]) -> Bool {
        let known = failures.compactMap { attempts[$0] }
        guard known.allSatisfy({ $0.failed == 0 || $0.passed == 0 }) else { return false }
        return known.contains { $0.failed > 0 } || known.count == failures.count
    }

    /// Returns the reason for a verdict in a few words, or an empty string if it needs none.
    func note(on failures: [String], verdict: CommitVerdict) -> String {
        if isRecorded { return "recorded" }
        if verdict == .skipped { return obstacle.isEmpty ? "has none of the tests" : obstacle }
        let most = failures.compactMap { attempts[$0] }.max { $0.failed + $0.passed < $1.failed + $1.passed }
        guard let most, most.failed + most.passed > 1 else { return "" }
        return "\(most.failed) of \(most.failed + most.passed) attempts failed"
    }
}
