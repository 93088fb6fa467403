import Arguments
import OperatingSystem
import Text

/// The command `lane version`.
enum VersionCommand: Subcommand {
    static let name = "version"

    private static let repository = Key<Bool>.flag(
        "repository", help: "Print the address of the repository that lane was built from, if known.")

    static let spec = CommandSpec(name, abstract: "Print the version.", parameters: [repository.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        world.output.writeLine(arguments[repository] ? world.laneRepository : LaneVersion.current)
        return .done
    }
}
