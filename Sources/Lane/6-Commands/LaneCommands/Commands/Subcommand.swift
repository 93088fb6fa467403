package import Arguments
package import Text

/// A command of the program that is not a lane.
package protocol Subcommand: SendableMetatype {
    /// The name on the command line. It is separate from `spec`, which is created only when it is needed.
    static var name: String { get }
    static var spec: CommandSpec { get }

    /// Runs the command. Throws errors in the arguments as `CommandFailure`.
    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus
}
