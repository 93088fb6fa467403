import Arguments
import LaneModel
import OperatingSystem
import Text

/// The command `lane schema`.
enum SchemaCommand: Subcommand {
    static let name = "schema"

    private static let install = Key<Bool>.flag(
        "install", help: "Write it to .lane/schema.json, and print the setting of VS Code.")

    static let spec = CommandSpec(
        name, abstract: "Print the JSON Schema of lane files for editors.",
        discussion: """
            Editors with the YAML language server, such as VS Code with the extension 'redhat.vscode-yaml', use \
            the schema that their settings or the first line of a lane file name:

              # yaml-language-server: $schema=../.lane/schema.json
            """,
        parameters: [install.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        guard arguments[install] else {
            let catalog = try? LaneCatalog.load(in: world)
            let own = catalog?.customActions ?? []
            world.output.write(LaneSchema.json(actions: world.program.actions.documented + own))
            return .done
        }
        let catalog = try LaneCatalog.load(in: world)
        let path = ".lane/schema.json"
        StateDirectory.create(in: catalog.project.root)
        try convertingFileErrors(to: CommandFailure.self) { () throws(FileError) in
            try makeDirectories("\(catalog.project.root)/.lane")
            try writeFile(
                LaneSchema.json(actions: world.program.actions.documented + catalog.customActions),
                to: "\(catalog.project.root)/\(path)")
        }
        world.output.write(
            """
            written  \(path)
            next     add this line to .vscode/settings.json, and install the extension 'redhat.vscode-yaml':

              "yaml.schemas": { "\(path)": "Lanes/*.yml" }

            """)
        return .done
    }
}
