/// The outcome of a step in expressions: the value of `steps.ID.outcome`.
package enum StepOutcome: String, Sendable, CaseIterable {
    /// The step succeeded or was up to date.
    case succeeded
    /// The step failed, timed out or was cancelled.
    case failed
    /// The step did not run.
    case skipped

    /// The name of the outcome among the members of a step. No output can have this name.
    package static let key = "outcome"
}

extension ExpressionNode {
    /// A Boolean value that indicates whether the node is `steps.ID.outcome`.
    var isOutcome: Bool {
        guard case .element(let step, let key) = tree, case .literal(.string(StepOutcome.key)) = key.tree,
            case .element(let base, _) = step.tree, case .context(.steps) = base.tree
        else { return false }
        return true
    }
}
