import Arguments
import Diagnostics

/// One of the program's own commands: what it takes, and what it does.
protocol Subcommand: SendableMetatype {
    /// Its word on the command line; known without the description, which is made only when it is needed.
    static var name: String { get }
    static var spec: CommandSpec { get }

    /// Does it. Problems with what the user wrote are thrown as `CommandFailure`.
    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus
}
