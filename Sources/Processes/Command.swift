/// What to run, as data: nothing is looked up or started until a `ProcessRunner` gets it.
package struct Command: Sendable, Equatable {
    /// What the child reads on its standard input.
    package enum Input: Sendable, Equatable {
        /// `/dev/null`, so that nothing ever waits for a person.
        case nothing
        case bytes([UInt8])
        /// The terminal of `lane` itself, for a step that talks with a person.
        case inherited
    }

    /// Where what the child prints goes.
    package enum Output: Sendable, Equatable {
        /// Both streams are read and handed on, each tagged.
        case piped
        /// Straight to where `lane` prints; for interactive steps.
        case inherited
    }

    /// A path with a slash, or a name looked up in the `PATH` of `environment`.
    package var executable: String
    /// Without the executable's own name; each reaches the child as it is, no shell sees it.
    package var arguments: [String]
    /// The whole environment of the child: nothing is inherited behind it.
    package var environment: [String: String]
    /// The working directory; `nil` is that of `lane`.
    package var directory: String?
    /// What is there to be read; whoever reads on after it meets the end of the file.
    package var input: Input
    /// Only `piped` reaches the caller.
    package var output: Output
    /// A Boolean value that indicates whether the child's environment is the one of `lane`'s caller.
    ///
    /// SwiftPM records the environment and compiles plugins again when it differs, so a build must not see the marks of
    /// `lane` in it.
    package var hidesMarks = false

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

    /// Returns the same command with `hidesMarks` set.
    package var hidingMarks: Command {
        var command = self
        command.hidesMarks = true
        return command
    }
}
