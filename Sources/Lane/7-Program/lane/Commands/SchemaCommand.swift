import Arguments
import LaneModel
import OperatingSystem
import Text

/// The command `lane schema`.
enum SchemaCommand: Subcommand {
    static let name = "schema"

    static let spec = CommandSpec(
        name, abstract: "Print the JSON Schema of lane files for editors.",
        discussion: """
            Editors with the YAML language server use the schema that the first line of a lane file names:

              # yaml-language-server: $schema=../.lane/schema.json
            """)

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        let catalog = try? LaneCatalog.load(in: world)
        world.output.write(LaneSchema.json(actions: catalog?.customActions ?? []))
        return .done
    }
}
