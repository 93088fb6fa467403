import Arguments
import Diagnostics

/// `lane help test`
enum HelpCommand: Subcommand {
    static let name = "help"

    static let topicName = "commands"

    private static let topic = Key<String?>.positional(
        "lane or subcommand", help: "What to explain.", completion: .dynamic(topicName))

    static let spec = CommandSpec(name, abstract: "Explain a lane or a subcommand.", parameters: [topic.spec])

    static func run(_ arguments: ParsedArguments, in world: World) throws(CommandFailure) -> ExitStatus {
        var world = world
        world.arguments = (arguments[topic].map { [$0] } ?? []) + ["--help"]
        return Program.run(in: world)
    }
}
