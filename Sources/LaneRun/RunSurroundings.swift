package import LaneModel
package import Processes

/// Where a plan runs and what it finds there: the same for every step.
package struct RunSurroundings: Sendable {
    /// The package's root, absolute.
    let root: String
    /// The whole environment from which steps start.
    let environment: [String: String]
    let processes: any ProcessRunner
    /// What a person or the system asked.
    let cancellation: Cancellation
    let transactions: (any TransactionSource)?
    /// The last transaction that became real here, as far as a run may go on behind it.
    let lastTransaction: TransactionRecord?
    /// A Boolean value that indicates whether the run is to go on behind it, whichever run made it.
    let goesOn: Bool
    /// What expressions see outside any group.
    let evaluation: EvaluationContext

    /// - Parameters:
    ///   - root: The package's root, absolute.
    ///   - environment: The whole environment from which steps start.
    ///   - transactions: How transactions begin; a plan that has one fails without.
    ///   - lastTransaction: The last transaction that became real here; one that the same run made is not made again.
    ///   - goesOn: Whether to go on behind it, whichever run made it.
    ///   - evaluation: What expressions see outside any group beside the environment: `git`, `ci`.
    package init(
        root: String, environment: [String: String], processes: any ProcessRunner, cancellation: Cancellation,
        transactions: (any TransactionSource)? = nil, lastTransaction: TransactionRecord? = nil, goesOn: Bool = false,
        evaluation: EvaluationContext = EvaluationContext()
    ) {
        self.root = root
        var environment = environment
        environment[ChildMark.root] = root
        self.environment = environment
        self.processes = processes
        self.cancellation = cancellation
        self.transactions = transactions
        self.lastTransaction = lastTransaction
        self.goesOn = goesOn
        var evaluation = evaluation
        evaluation.environment = environment
        self.evaluation = evaluation
    }
}
