import Arguments
import Diagnostics
import Files
import LaneModel

/// `lane --complete <words>`: what the completion scripts ask at every Tab.
enum CompleteCommand {
    /// Its name, a hidden option in the place of a command.
    static let word = "--complete"

    static func run(_ words: [String], in world: World) -> ExitStatus {
        var world = world
        // The folder that the finished words name; where it is not there, nothing of the current one is offered either.
        if let path = Program.directory(in: words.dropLast()) {
            do { try world.enter(home(path, in: world)) } catch { return .done }
        }
        let catalog = try? LaneCatalog.load(in: world)
        let lanes = (catalog?.lanes ?? []).map { $0.commandSpec(runsTests: $0.runs(.test)) }
        let spec = Program.spec(lanes: lanes)
        let reply = spec.completions(for: words.isEmpty ? [""] : words) { topic in
            switch topic {
            case HelpCommand.topicName:
                spec.subcommands.filter { !$0.isHidden }.map { .init($0.name, help: $0.abstract) }
            case LaneCatalog.topicName: (catalog?.lanes ?? []).map { .init($0.name, help: $0.summary ?? "") }
            default: []
            }
        }
        world.output.write(reply.text)
        return .done
    }

    /// What the shell will make of a path that begins with `~/`; here the words come as they were typed.
    private static func home(_ path: String, in world: World) -> String {
        guard path.hasPrefix("~/"), let home = world.environment["HOME"] else { return path }
        return home + path.dropFirst()
    }
}
