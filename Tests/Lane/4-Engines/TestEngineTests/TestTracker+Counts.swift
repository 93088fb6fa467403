import Events

@testable import TestEngine

extension TestTracker {
    /// The totals, counted independently of the summary of the events.
    var counts: TestCounts {
        var counts = TestCounts()
        for case (let test, let result?) in zip(results.indices, results) {
            counts.planned += 1
            if tests[test].quarantine != nil, result.outcome.isFailure {
                counts.skipped += 1
                continue
            }
            switch result.outcome {
            case .passed:
                counts.passed += 1
                // Without repetitions, a test runs again only after a failure.
                if result.attempt > 1 { counts.flaky += 1 }
            case .failed: counts.failed += 1
            case .skipped: counts.skipped += 1
            case .crashed: counts.crashed += 1
            case .timedOut: counts.timedOut += 1
            case .notRun: counts.notRun += 1
            }
        }
        return counts
    }
}
