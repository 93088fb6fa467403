/// The end of a bisection.
package enum BisectionOutcome: Sendable, Equatable {
    /// The commit with this hash introduced the failure.
    case found(String)
    /// One of these commits introduced the failure, and those that could decide it cannot be tested. Oldest first.
    case range([String])
    /// Nothing fails at the bad commit.
    case badIsGood
    /// These tests or steps also fail at the good commit.
    case goodIsBad([String])
    /// The commit with this hash, which is one of the ends, cannot be tested.
    case endIsUntestable(String, reason: String)
    /// The caller has stopped the bisection.
    case stopped
}

/// A tested commit.
package struct BisectionStep: Sendable, Equatable {
    package let hash: String
    package let verdict: CommitVerdict
    /// The reason for the verdict, or an empty string.
    package let note: String
    package let duration: Duration
    /// The number of commits that may be the culprit.
    package let candidates: Int
}
