import Arguments
import Diagnostics

/// The command `lane help`.
enum HelpCommand: Subcommand {
    static let name = "help"

    static let topicName = "commands"

    private static let topic = Key<String?>.positional(
        "lane or subcommand", help: "The lane or subcommand.", completion: .dynamic(topicName))

    static let spec = CommandSpec(name, abstract: "Print the help of a lane or a subcommand.", parameters: [topic.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        var world = world
        world.arguments = (arguments[topic].map { [$0] } ?? []) + ["--help"]
        return Program.run(in: world)
    }
}
