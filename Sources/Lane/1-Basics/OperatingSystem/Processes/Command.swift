/// A command to run. The executable is searched for when a `ProcessRunner` runs it.
package struct Command: Sendable, Equatable {
    /// The standard input of a child.
    package enum Input: Sendable, Equatable {
        /// `/dev/null`, from which no child can wait for a user.
        case nothing
        case bytes([UInt8])
        /// The terminal of `lane`, for interactive steps.
        case inherited
    }

    /// The destination of a child's output.
    package enum Output: Sendable, Equatable {
        /// Both streams are passed to the caller, each with its source.
        case piped
        /// Both streams share a pipe and are passed to the caller as standard output, in the order in which the child
        /// wrote them.
        case merged
        /// The output of `lane`, for interactive steps.
        case inherited
    }

    /// A path with a slash, or a name to search for in the `PATH` of `environment`.
    package var executable: String
    /// The arguments after the name of the executable. No shell interprets them.
    package var arguments: [String]
    /// The complete environment of the child, which inherits no other variables.
    package var environment: [String: String]
    /// The working directory, or `nil` for that of `lane`.
    package var directory: String?
    /// The standard input.
    package var input: Input
    /// The destination of the output. `inherited` output is not passed to the caller.
    package var output: Output
    /// A Boolean value that indicates whether the marks of `lane` are hidden from the child.
    ///
    /// SwiftPM records the environment and recompiles plugins when it changes, so builds hide the marks.
    var hidesMarks = false

    package init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String], directory: String? = nil,
        input: Input = .nothing, output: Output = .piped
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
        self.input = input
        self.output = output
    }

    /// The command with `hidesMarks` set to `true`.
    package var hidingMarks: Command {
        var command = self
        command.hidesMarks = true
        return command
    }
}

/// The part of a command that exceeds a limit of the system.
package enum Oversize: Sendable, Equatable {
    /// An argument, counted from 1.
    case argument(Int, bytes: Int)
    case variable(String, bytes: Int)
    /// All arguments and variables together, while each is below the limit.
    case all(bytes: Int)
}

extension Command {
    /// The maximum size of a string on Linux, including NUL: 32 pages.
    private static let tooLong = 131_072

    /// The part that exceeds a limit, if the system rejected the command for its size.
    var oversize: Oversize {
        let arguments = arguments.map(\.utf8.count)
        if let index = arguments.firstIndex(where: { $0 >= Self.tooLong }) {
            return .argument(index + 1, bytes: arguments[index])
        }
        let variables = environment.map { (name: $0.key, bytes: $0.key.utf8.count + 1 + $0.value.utf8.count) }
        if let longest = variables.max(by: { $0.bytes < $1.bytes }), longest.bytes >= Self.tooLong {
            return .variable(longest.name, bytes: longest.bytes)
        }
        return .all(bytes: arguments.reduce(0, +) + variables.reduce(0) { $0 + $1.bytes })
    }
}
