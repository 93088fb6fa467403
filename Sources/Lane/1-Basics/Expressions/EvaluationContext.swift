import Synchronization
package import Text

/// The values of names in expressions.
package struct EvaluationContext: Sendable {
    /// The lane's parameters by name, with their defaults.
    package var parameters: [String: Value]
    /// The environment variables of the step's child processes.
    package var environment: [String: String]
    /// The outputs of finished steps of the same group, by step ID and name.
    package var steps: [String: [String: Value]]
    /// The matrix combination of the step's group. Empty without a matrix.
    package var matrix: [String: Value]
    /// The values of `let` in the lane.
    package var values: [String: Value] = [:]
    /// The arguments after `--` on the command line.
    package var arguments: [String] = []
    /// The state of the git repository.
    package var git: DeferredValues
    /// The CI service on which the program runs.
    var ci: [String: Value]
    /// A Boolean value that indicates whether a step of the same group has failed. The result of `failure()`.
    package var hasFailed = false

    package init(
        parameters: [String: Value] = [:], environment: [String: String] = [:],
        steps: [String: [String: Value]] = [:], matrix: [String: Value] = [:],
        git: DeferredValues = DeferredValues { [:] }, ci: [String: Value] = [:]
    ) {
        self.parameters = parameters
        self.environment = environment
        self.steps = steps
        self.matrix = matrix
        self.git = git
        self.ci = ci
    }

    /// The platform that this program was built for.
    static let platform: [String: Value] = [
        "os": .string(Platform.system), "arch": .string(Platform.architecture),
    ]

    /// The name of the reason why git has no values. It is not a valid name in an expression.
    package static let gitReason = "no values"

    /// Returns a member of a context, or `nil` if it has no value.
    func member(_ name: String, of context: ContextName) -> Value? {
        switch context {
        case .parameters: parameters[name]
        case .env: environment[name].map { .string($0) }
        case .steps: steps[name].map { Self.map($0) }
        case .matrix: matrix[name]
        case .let: values[name]
        // A plan contains values in place of `item`, and `arguments` is a list without members.
        case .item, .arguments: nil
        case .git: git.all[name]
        case .ci: ci[name]
        case .platform: Self.platform[name]
        }
    }

    /// Returns a context as a mapping, with its members in the order of their names.
    func whole(_ context: ContextName) -> Value {
        switch context {
        case .parameters: Self.map(parameters)
        case .env: Self.map(environment.mapValues { .string($0) })
        case .steps: Self.map(steps.mapValues { Self.map($0) })
        case .matrix: Self.map(matrix)
        case .let: Self.map(values)
        case .arguments: .list(arguments.map { .string($0) })
        case .item: .null
        case .git: Self.map(git.all)
        case .ci: Self.map(ci)
        case .platform: Self.map(Self.platform)
        }
    }

    private static func map(_ members: [String: Value]) -> Value {
        .map(members.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
    }
}

extension EvaluationContext {
    /// Returns the context with additional environment variables. The expressions of a variable can read the variables
    /// before it.
    package func adding(_ variables: [(name: String, value: Template)]) throws(Diagnostic) -> EvaluationContext {
        var context = self
        for (name, template) in variables {
            // A null value does not change the variable.
            guard let text = try template.evaluate(in: context).text else { continue }
            context.environment[name] = text
        }
        return context
    }
}

/// A set of values that is computed when an expression reads the first of them.
package final class DeferredValues: Sendable {
    private let find: @Sendable () -> [String: Value]
    private let found = Mutex<[String: Value]?>(nil)

    package init(_ find: @escaping @Sendable () -> [String: Value]) {
        self.find = find
    }

    /// All values. The first access computes them and blocks other threads until they are known.
    package var all: [String: Value] {
        found.withLock { found in
            if let found { return found }
            let values = find()
            found = values
            return values
        }
    }
}
