package import Actions
package import Expressions
import Git
package import OperatingSystem

/// The environment of a run: directory, environment variables, processes, and earlier results.
package struct RunEnvironment: Sendable {
    /// The absolute path of the package's root.
    let root: String
    /// The environment variables that steps inherit.
    let variables: [String: String]
    /// The value of `PATH` for commands of the lane file.
    let commandPath: String?
    let processes: any ProcessRunner
    /// The cancellation that signals request.
    let cancellation: Cancellation
    /// A closure that returns the time in seconds since 1970.
    let now: @Sendable () -> Double
    let transactions: (any TransactionSource)?
    /// The last transaction in this checkout, after which a run can continue.
    let lastTransaction: TransactionRecord?
    /// A Boolean value that indicates whether the run continues after the last transaction even if another run
    /// committed it.
    let continuesTransaction: Bool
    /// The context of expressions outside all groups.
    let evaluation: EvaluationContext

    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - root: The absolute path of the package's root.
    ///   - variables: The environment variables that steps inherit.
    ///   - commandPath: The value of `PATH` for commands of the lane file, or `nil` for that of the variables.
    ///   - now: A closure that returns the time in seconds since 1970.
    ///   - transactions: The source of transactions. Without it, a plan with a transaction fails.
    ///   - lastTransaction: The last transaction in this checkout. A resumed run does not repeat its own transaction.
    ///   - continuesTransaction: A Boolean value that indicates whether the run continues after the last transaction
    ///     even if another run committed it.
    ///   - evaluation: The context of expressions outside all groups, such as `git` and `ci`.
    package init(
        root: String, variables: [String: String], commandPath: String? = nil, processes: any ProcessRunner,
        cancellation: Cancellation, now: @escaping @Sendable () -> Double,
        transactions: (any TransactionSource)? = nil, lastTransaction: TransactionRecord? = nil,
        continuesTransaction: Bool = false,
        evaluation: EvaluationContext = EvaluationContext()
    ) {
        self.root = root
        var variables = variables
        // A step of a run inside a git hook works on the package, not on the repository and the index of the hook.
        for name in repositoryVariables { variables[name] = nil }
        variables[ChildMark.root] = root
        self.variables = variables
        self.commandPath = commandPath
        self.processes = processes
        self.cancellation = cancellation
        self.now = now
        self.transactions = transactions
        self.lastTransaction = lastTransaction
        self.continuesTransaction = continuesTransaction
        var evaluation = evaluation
        evaluation.environment = variables
        self.evaluation = evaluation
    }
}
