package import Expressions
import LaneModel
package import Processes

/// The place where a plan runs: directory, environment variables, processes, and earlier results.
package struct RunEnvironment: Sendable {
    /// The absolute path of the package's root.
    let root: String
    /// The environment variables that steps inherit.
    let variables: [String: String]
    let processes: any ProcessRunner
    /// The cancellation by a signal.
    let cancellation: Cancellation
    let transactions: (any TransactionSource)?
    /// The last transaction that was committed here and may be continued.
    let lastTransaction: TransactionRecord?
    /// A Boolean value that indicates whether the run continues the last transaction, whichever run made it.
    let continuesTransaction: Bool
    /// The values that expressions see outside any group.
    let evaluation: EvaluationContext

    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - root: The absolute path of the package's root.
    ///   - variables: The environment variables that steps inherit.
    ///   - transactions: The source of transactions; without one, a plan with a transaction fails.
    ///   - lastTransaction: The last transaction that was committed here. The run that made it does not repeat it.
    ///   - continuesTransaction: Continue after it, whichever run made it.
    ///   - evaluation: The values that expressions see outside any group beside the environment: `git`, `ci`.
    package init(
        root: String, variables: [String: String], processes: any ProcessRunner, cancellation: Cancellation,
        transactions: (any TransactionSource)? = nil, lastTransaction: TransactionRecord? = nil,
        continuesTransaction: Bool = false,
        evaluation: EvaluationContext = EvaluationContext()
    ) {
        self.root = root
        var variables = variables
        variables[ChildMark.root] = root
        self.variables = variables
        self.processes = processes
        self.cancellation = cancellation
        self.transactions = transactions
        self.lastTransaction = lastTransaction
        self.continuesTransaction = continuesTransaction
        var evaluation = evaluation
        evaluation.environment = variables
        self.evaluation = evaluation
    }
}
