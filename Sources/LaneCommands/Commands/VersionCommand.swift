import Arguments
import Diagnostics
import Files

/// The command `lane version`.
enum VersionCommand: Subcommand {
    static let name = "version"

    static let spec = CommandSpec(name, abstract: "Print the version.")

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        world.output.writeLine(LaneVersion.current)
        return .done
    }
}
