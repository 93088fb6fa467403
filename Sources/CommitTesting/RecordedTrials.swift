package import Bisection
package import ResultHistory

import LaneEvents

/// The results of tests at commits, as recorded in the history of a package.
package struct RecordedTrials: Sendable {
    private var trials: [String: CommitTrial] = [:]

    /// Collects the results of runs on one kind of machine. Skips runs of checkouts with changes.
    package init(_ runs: [RecordedRun], machine: String) {
        for run in runs where !run.isModified && run.machine == machine {
            guard let commit = run.commit else { continue }
            for result in run.results { trials[commit, default: CommitTrial()].add(result) }
        }
    }

    /// Returns the results at a commit, or `nil` if there are none.
    package subscript(hash: String) -> CommitTrial? { trials[hash] }
}

extension CommitTrial {
    /// Adds the result of an attempt at a test.
    mutating func add(_ result: RecordedResult) {
        switch result.outcome {
        case .passed: attempts[result.test.description, default: .init()].passed += 1
        case .failed, .crashed, .timedOut: attempts[result.test.description, default: .init()].failed += 1
        case .skipped: break
        }
    }
}
